import HarkCapture
import HarkCore
import HarkProfile
import HarkSession

/// Reads what apps declare, in Info.plist files and entitlements.
public enum AppInfo {
  /// The largest property list that is read.
  static let largest = 1 << 24
  /// Bundles of one app that are read.
  static let most = 64

  /// - Parameters:
  ///   - paths: Info.plist files, .app, .appex and .xcarchive folders, .ipa archives.
  ///   - entitlements: Property lists: one that belongs to the first bundle of the path of the same number, or
  ///     `BUNDLE=FILE`, where a bundle is named by its identifier, its executable, its name or its path in the app.
  ///   - areOfSeveral: Whether bundles that are named may be those of other apps.
  /// - Returns: Nil if no path was given.
  /// - Throws: `AppLogError` where one cannot be read, or is no such thing.
  public static func read(
    _ paths: [String], entitlements: [String], areOfSeveral: Bool = false
  ) throws(AppLogError) -> AppDeclaration? {
    guard !paths.isEmpty else { return nil }
    let ofBundles = entitlements.compactMap(named)
    let ofPaths = numbered(entitlements)
    var bundles: [AppDeclaration.Bundle] = []
    for (index, path) in paths.enumerated() {
      var found = try self.bundles(of: path)
      if index < ofPaths.count, !found.isEmpty {
        found[0].entitlements = try rights(of: ofPaths[index])
      }
      bundles += found
    }
    for (name, file) in ofBundles {
      let places = bundles.indices.filter { isNamed(bundles[$0], name) }
      if places.isEmpty, areOfSeveral { continue }
      guard !places.isEmpty else {
        let all = bundles.map(\.label).joined(separator: ", ")
        throw AppLogError("--entitlements \(name)=\(file): there is no such bundle among \(all)")
      }
      let granted = try rights(of: file)
      for place in places { bundles[place].entitlements = granted }
    }
    return AppDeclaration(Array(bundles.prefix(most)))
  }

  /// The property lists of entitlements that name no bundle.
  public static func numbered(_ entitlements: [String]) -> [String] {
    entitlements.filter { named($0) == nil }
  }

  /// Whether the bundle that `BUNDLE=FILE` names is in an app.
  public static func isFor(_ entitlements: String, _ declaration: AppDeclaration) -> Bool {
    guard let name = named(entitlements)?.bundle else { return true }
    return declaration.bundles.contains { isNamed($0, name) }
  }

  /// `com.acme.watch.transport=Transport.entitlements`; nil if it is only a path.
  private static func named(_ text: String) -> (bundle: String, file: String)? {
    guard let mark = text.firstIndex(of: "="), !text[..<mark].isEmpty,
      !text[..<mark].hasPrefix("/"), !text[..<mark].hasPrefix(".")
    else { return nil }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  private static func isNamed(_ bundle: AppDeclaration.Bundle, _ name: String) -> Bool {
    [bundle.identifier, bundle.executable, bundle.name].contains(name)
      || (!bundle.path.isEmpty && [bundle.path, bundle.path.fileName].contains(name))
  }

  private static func bundles(of path: String) throws(AppLogError) -> [AppDeclaration.Bundle] {
    if [".ipa", ".zip"].contains(where: { path.lowercased().hasSuffix($0) }) {
      return try bundles(in: AppArchive(path: path), path)
    }
    if let folder = AppFolder(path: path) { return try bundles(in: folder, path) }
    guard let info = dictionary(try WholeFile.contents(path, most: largest)) else {
      throw AppLogError("\(path): not a property list with a dictionary, like an Info.plist")
    }
    return [bundle(info, path: "")]
  }

  private static func bundles(
    in archive: some BundleArchive, _ path: String
  ) throws(AppLogError) -> [AppDeclaration.Bundle] {
    let lists = archive.paths.filter { isInfo($0) }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.prefix(most)
    var bundles: [AppDeclaration.Bundle] = []
    guard let first = lists.first else {
      throw AppLogError(
        "\(path): no app: there is no Info.plist of an .app or .appex")
    }
    let root = folder(of: first)
    let isOneApp = lists.allSatisfy { $0.hasPrefix(root) }
    for list in lists {
      guard let info = dictionary(try archive.contents(of: list)) else {
        throw AppLogError("\(path): \(list) is not a property list")
      }
      let place = folder(of: list)
      // Of several apps, each bundle is named by its place in the folder or archive of all.
      let inside = isOneApp ? place.dropFirst(root.count) : place.drop { $0 != "/" }.dropFirst()
      var bundle = bundle(info, path: String(inside))
      let profile = place + "embedded.mobileprovision"
      let executable = executable(of: bundle, in: archive, place)
      bundle.frameworks = executable.flatMap {
        LinkedFrameworks.read($0, in: archive, place, app: root)
      }
      if let signed = executable.flatMap(signed) {
        bundle.entitlements = signed
      } else if archive.paths.contains(profile) {
        bundle.entitlements = provisioned(try archive.contents(of: profile))
      }
      if !bundle.isExtension, let points = try points(in: archive, place) {
        bundle.definedPoints = points.map(\.name)
        bundle.securedPoints = points.filter(\.isSecured).map(\.name)
      }
      bundles.append(bundle)
    }
    return bundles
  }

  /// Nil if a bundle's executable is not there, or too large.
  private static func executable(
    of bundle: AppDeclaration.Bundle, in archive: some BundleArchive, _ place: String
  ) -> [UInt8]? {
    guard let name = bundle.executable, !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")),
      name != ".."
    else { return nil }
    return archive.executable(place + name)
  }

  /// What the code signature of an executable grants; nil if it has none that can be read.
  private static func signed(_ executable: [UInt8]) -> Set<String>? {
    guard let rights = CodeSignature.entitlements(of: executable) else { return nil }
    return Set(
      rights.filter { right in
        right.name.hasPrefix("com.apple.developer.accessory-") ? right.isTrue : !right.isFalse
      }.map(\.name))
  }

  /// Whether it is the Info.plist of an app or an extension, and not of a framework or resource.
  private static func isInfo(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.last == "Info.plist" else { return false }
    guard parts.count > 1 else { return true }
    let owner = parts[parts.count - 2]
    return owner.hasSuffix(".app") || owner.hasSuffix(".appex")
  }

  /// The extension points that a host app defines: the compiler writes them to
  /// `Extensions/NAME.appexpt`, a property list with a dictionary for each.
  /// - Returns: Nil if there is no such file.
  private static func points(
    in archive: some BundleArchive, _ place: String
  ) throws(AppLogError) -> [(name: String, isSecured: Bool)]? {
    let files = archive.paths.filter {
      $0.hasPrefix(place + "Extensions/") && definitionEndings.contains(LogPaths.ending($0))
    }
    guard !files.isEmpty else { return nil }
    var points: [(name: String, isSecured: Bool)] = []
    for file in files.prefix(most) {
      guard let list = dictionary(try archive.contents(of: file)) else { continue }
      points += zip(list.names, list.values).compactMap { name, value in
        guard case .object(let attributes) = value else { return nil }
        return (name, attributes["EXRequiresEnhancedSecurity"] == .bool(true))
      }
    }
    return points.sorted { $0.name < $1.name }
  }

  static let definitionEndings: Set<String> = ["appexpt", "appext", "appextensionpoint"]

  private static func folder(of path: String) -> String {
    path.hasSuffix("Info.plist") ? String(path.dropLast("Info.plist".count)) : path
  }

  private static func dictionary(_ bytes: [UInt8]) -> ProfileValue.Members? {
    guard case .object(let members)? = DataReading.propertyList(PlistText.utf8(bytes)) else {
      return nil
    }
    return members
  }

  private static func rights(of path: String) throws(AppLogError) -> Set<String> {
    guard let members = dictionary(try WholeFile.contents(path, most: largest)) else {
      throw AppLogError("\(path): not a property list with a dictionary, like entitlements")
    }
    return granted(members)
  }

  /// An entitlement that is false does not count; those of accessories are Booleans, and any value but true
  /// does not count either.
  private static func granted(_ members: ProfileValue.Members) -> Set<String> {
    let rights = zip(members.names, members.values).filter { name, value in
      name.hasPrefix("com.apple.developer.accessory-")
        ? value == .bool(true) : value != .bool(false) && value != .null
    }
    return Set(rights.map(\.0))
  }

  /// A profile is a signed message that holds its property list as it is.
  private static func provisioned(_ bytes: [UInt8]) -> Set<String>? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.utf8Range(of: "<?xml"), let end = text.utf8Range(of: "</plist>"),
      start.lowerBound < end.upperBound,
      let list = dictionary(Array(text[start.lowerBound..<end.upperBound].utf8)),
      case .object(let rights)? = list["Entitlements"]
    else { return nil }
    return granted(rights)
  }

  private static func bundle(
    _ info: ProfileValue.Members, path: String
  ) -> AppDeclaration.Bundle {
    var bundle = AppDeclaration.Bundle(path: path.hasSuffix("/") ? String(path.dropLast()) : path)
    bundle.identifier = info["CFBundleIdentifier"]?.text
    bundle.name = info["CFBundleDisplayName"]?.text ?? info["CFBundleName"]?.text
    bundle.executable = info["CFBundleExecutable"]?.text
    if let attributes = info["EXAppExtensionAttributes"] {
      bundle.declaresExtension = true
      if case .object(let attributes) = attributes {
        bundle.extensionPoint = PlistTypes.string("EXExtensionPointIdentifier", attributes, &bundle)
        bundle.capabilities = PlistTypes.strings("EXCapabilities", attributes, &bundle)
      } else {
        PlistTypes.note("EXAppExtensionAttributes", attributes, "a dictionary", &bundle)
      }
    }
    if bundle.extensionPoint == nil, case .object(let attributes)? = info["NSExtension"] {
      bundle.extensionPoint = attributes["NSExtensionPointIdentifier"]?.text
      bundle.hasOldPoint = bundle.extensionPoint != nil
    }
    if bundle.capabilities.isEmpty {
      bundle.capabilities = PlistTypes.strings("EXCapabilities", info, &bundle)
    }
    // The key has either name, by the release of the documentation.
    for key in ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"] {
      bundle.supports += PlistTypes.strings(key, info, &bundle)
    }
    bundle.minimumSystem = info["MinimumOSVersion"]?.text
    bundle.services = PlistTypes.strings("NSAccessorySetupBluetoothServices", info, &bundle)
    bundle.names = PlistTypes.strings("NSAccessorySetupBluetoothNames", info, &bundle)
    if case .array(let items)? = info["NSAccessorySetupBluetoothCompanyIdentifiers"] {
      bundle.companies = items.compactMap(company)
    }
    bundle.protocols = PlistTypes.strings("UISupportedExternalAccessoryProtocols", info, &bundle)
    bundle.declaresProtocols = info["UISupportedExternalAccessoryProtocols"] != nil
    bundle.backgroundModes = PlistTypes.strings("UIBackgroundModes", info, &bundle)
    bundle.usesBluetooth = info["NSBluetoothAlwaysUsageDescription"] != nil
    return bundle
  }

  /// A number, or the text of one: `0x004C`, `76`.
  private static func company(_ value: ProfileValue) -> Int? {
    if let number = value.int { return number }
    return value.text.flatMap { Int(written: $0) }
  }
}

/// A place that holds the files of a bundle.
protocol BundleArchive {
  /// Of all files that may matter, with `/` between their parts.
  var paths: [String] { get }
  func contents(of path: String) throws(AppLogError) -> [UInt8]
  /// The bytes of an executable or library; nil if there is none, or it is too large.
  func executable(_ path: String) -> [UInt8]?
}
