import ArgumentParser
import HarkCapture
import HarkDissection
import HarkFilter
import HarkLayout
import HarkPlatform
import HarkProfile
import HarkSession
import Synchronization

/// The layouts and profiles of private protocols: those that come with hark, those of the user's own
/// folder, and those of `--dissectors`.
///
/// They are loaded before the arguments are read, because fields named there may be theirs.
enum Dissectors {
  struct Loaded: Sendable {
    let path: String
    let layout: Layout
    let entry: Entry
  }

  private static let loaded = Mutex<[Loaded]>([])
  private static let loadedProfiles = Mutex<[(path: String, profile: Profile)]>([])

  /// How vendors carry Apple's messages: what hark knows by itself, and the loaded profiles.
  static var framings: VendorFramings {
    var framings = VendorFramings.known(with: profiles.map(\.profile) + DecodeAs.profiles)
    framings.assigned = DecodeAs.assigned
    return framings
  }

  /// In the order in which they were found, without those that come with hark.
  static var profiles: [(path: String, profile: Profile)] { loadedProfiles.withLock { $0 } }

  /// In the order in which they were found.
  static var all: [Loaded] { loaded.withLock { $0 } }

  private static let loadedAlone = Mutex<[String]>([])

  /// The ids of layouts that say about no place that they hang there: profiles read messages with them.
  static var unattached: [String] { loadedAlone.withLock { $0 } }

  /// The first parts of the paths of what messages say; none before `loadMessages`.
  static var messagePaths: Set<String> { loadedPaths.withLock { $0 } }

  private static let bundledIDs = Mutex<Set<String>>([])
  private static let loadedPaths = Mutex<Set<String>>([])

  static let option = "--dissectors"

  /// Where users keep their own. XDG Base Directory Specification.
  static var userFolder: String? {
    let base =
      Console.environment("XDG_CONFIG_HOME").flatMap { $0.isEmpty ? nil : $0 }
      ?? Console.environment("HOME").map { $0 + "/.config" }
    return base.map { $0 + "/hark/dissectors" }
  }

  /// Loads all folders. What is wrong with a file is reported, and the others still load. A command that
  /// is about layouts loads what it is given itself.
  static func load(for arguments: [String]) {
    guard let command = arguments.dropFirst().first,
      command != DissectorsCommand.configuration.commandName
    else { return }
    loadAll(folders(in: arguments))
    DecodeAs.resolve()
    concealSecretPlaces()
    let isFiltered = arguments.contains { argument in
      ["-Y", "--filter", "--extcap-capture-filter"].contains { argument.hasPrefix($0) }
    }
    let hasColumns = arguments.contains { $0.hasPrefix("-e") || $0.hasPrefix("--field") }
    let isWeb = arguments.contains("--web")
    let namesMessages = isFiltered || isWeb || hasColumns || namingMessages.contains(command)
    if namesMessages || showingFields.contains(command) { loadBundled() }
    if namesMessages { loadMessages() }
  }

  /// Keeps layouts from channels where private keys, passwords or parts of keys pass.
  private static func concealSecretPlaces() {
    let framings = framings
    var channels = (profiles.map(\.profile) + DecodeAs.profiles).flatMap(\.framing.channels)
    // Of the other profiles, only the channels matter to which a layout attaches: to read them takes time.
    let attached = Set(all.flatMap { $0.layout.places + DecodeAs.places(of: $0.layout.id) })
    let named = Set(all.flatMap(\.layout.externalAccessories))
    if !attached.isEmpty || !named.isEmpty {
      channels += framings.all.flatMap(\.channels).filter { channel in
        if case .externalAccessory(let name) = channel { return named.contains(name) }
        return channel.attachmentPoint.map(attached.contains) ?? false
      }
    }
    guard !channels.isEmpty else { return }
    var concealed = Catalog.Concealed()
    for channel in channels where framings.using(channel)?.carriesKeys(channel) == true {
      if case .externalAccessory(let name) = channel {
        concealed.externalAccessories.insert(name)
      } else if let place = channel.attachmentPoint {
        concealed.places.insert(place)
      }
    }
    Catalog.conceal(concealed)
  }

  /// Declares all fields that filters can name, where a file and not an argument names them.
  static func loadFieldsOfFilters() {
    loadBundled()
    loadMessages()
  }

  /// Commands that name all fields, or write those of messages.
  private static let namingMessages: Set<String> = ["fields", "help", "convert", "extcap"]

  /// Declares the fields of what messages say, as the profiles have it. Reading those that come with hark
  /// takes milliseconds.
  private static func loadMessages() {
    let profiles = profiles.map(\.profile) + Profile.bundled
    var taken = Set(all.map(\.layout.id)).union(bundledIDs.withLock { $0 })
    Catalog.add(profiles.flatMap { $0.entries(besides: &taken) }, areLast: true)
    loadedPaths.withLock { $0 = Set(profiles.flatMap(\.messagePaths)) }
  }

  /// Commands in which the fields of layouts are seen, or can be named.
  private static let showingFields: Set<String> = [
    "packets", "show", "live", "fields", "help", "report", "redact",
  ]

  /// Hangs the layouts that come with hark after those of the user, one of whose may be a copy.
  static func loadBundled() {
    let taken = Set(all.map(\.layout.id))
    let layouts = BundledFiles.attached.compactMap { try? Layout.load($0, from: BundledFiles()) }
    Catalog.add(layouts.filter { !taken.contains($0.id) }.map { Entry($0) }, areLast: true)
    bundledIDs.withLock { $0 = Set(layouts.map(\.id)) }
  }

  /// The last parts of the paths of a layout's fields that packets have where it attaches, and not only messages; nil if
  /// no layout is called that.
  static func labelsInPackets(of id: String) -> Set<String>? {
    let own = all.first { $0.layout.id == id }?.layout
    let layout =
      own
      ?? BundledFiles.attached.lazy.compactMap { try? Layout.load($0, from: BundledFiles()) }
      .first { $0.id == id }
    return layout?.ownLabels
  }

  /// Loads the user's own folder, and `folders`. Exits where one of these is missing, as the output would differ
  /// from what the user expects.
  static func loadAll(_ folders: [String]) {
    for folder in [userFolder].compactMap({ $0 }) where Directory.isFolder(folder) {
      load(folder)
    }
    for folder in folders {
      guard Directory.isFolder(folder) else {
        let problem =
          WholeFile.exists(folder)
          ? "not a folder" : "cannot open: \(systemMessage(ENOENT))"
        Console.complain("\(folder): \(problem); name the folder with the layouts and profiles")
        HarkPlatform.exit(ExitCode.failure.rawValue)
      }
      load(folder)
    }
  }

  private static func folders(in arguments: [String]) -> [String] {
    var found: [String] = []
    for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
      if argument == option { found.append(next) }
      if argument.hasPrefix(option + "=") {
        found.append(String(argument.dropFirst(option.count + 1)))
      }
    }
    return found
  }

  private static func load(_ folder: String) {
    let files = DissectorFiles.files(at: folder)
    for path in files where path.hasSuffix(".ksy") {
      guard let layout = sound(open(path, in: folder)) else { continue }
      if layout.attachments.isEmpty, DecodeAs.places(of: layout.id).isEmpty {
        loadedAlone.withLock { $0.append(layout.id) }
        FilterNames.addUnattached(layout.id)
      } else {
        add(path, layout)
      }
    }
    for path in files where path.hasSuffix(Profile.fileName) {
      guard let profile = sound(profile(at: path)) else { continue }
      loadedProfiles.withLock { $0.append((path, profile)) }
    }
  }

  /// What was loaded; nil after reporting why not.
  private static func sound<T>(_ result: Result<T, LayoutErrors>) -> T? {
    switch result {
    case .success(let value): return value
    case .failure(let errors):
      for diagnostic in errors.diagnostics { Console.complain("\(diagnostic)") }
      return nil
    }
  }

  static func open(_ path: String, in folder: String) -> Result<Layout, LayoutErrors> {
    Result { () throws(LayoutErrors) -> Layout in
      try Layout.load(path, importPaths: [folder], from: DissectorFiles())
    }
  }

  static func profile(at path: String) -> Result<Profile, LayoutErrors> {
    Result { () throws(LayoutErrors) -> Profile in
      try Profile.load(path, from: DissectorFiles())
    }
  }

  /// Hangs a layout into the catalog.
  @discardableResult
  static func add(_ path: String, _ layout: Layout) -> Loaded? {
    if let other = all.first(where: { $0.layout.id == layout.id }) {
      Console.complain("\(path): omitted: \(other.path) has the same id, \(layout.id)")
      return nil
    }
    let entry = Entry(layout, besides: DecodeAs.places(of: layout.id))
    Catalog.add([entry])
    let new = Loaded(path: path, layout: layout, entry: entry)
    loaded.withLock { $0.append(new) }
    return new
  }
}

/// Files below a folder.
struct DissectorFiles: LayoutFiles {
  /// A layout is a few kilobytes.
  private static let longest = 1 << 20
  private static let mostFiles = 1_000
  private static let deepest = 8
  /// A folder with layouts holds hundreds of names; the root of a system has no end.
  private static let mostNames = 20_000

  func text(at path: String) -> String? {
    bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }

  func bytes(at path: String) -> [UInt8]? {
    try? WholeFile.read(path, most: Self.longest)
  }

  func problem(at path: String) -> String {
    do {
      _ = try WholeFile.read(path, most: Self.longest)
      return "cannot read"
    } catch {
      return error.words(most: Self.longest)
    }
  }

  /// The layouts and profiles below a folder, in the order of their names; or the file that `path`
  /// is itself.
  static func dissectors(at path: String) -> [String] {
    guard Directory.isFolder(path) else { return [path] }
    return files(at: path)
  }

  /// The layouts and profiles below a folder, in the order of their names.
  static func files(at folder: String) -> [String] {
    var found: [String] = []
    var names = 0
    collect(folder, depth: 0, &names, into: &found)
    guard names <= mostNames else {
      Console.complain(
        "\(folder): more than \(mostNames) files and folders; name the folder with the layouts"
      )
      return []
    }
    return found.sorted()
  }

  /// A folder and those below it.
  static func folders(at folder: String) -> [String] {
    var names = 0
    return folders(at: folder, depth: 0, &names)
  }

  private static func folders(at folder: String, depth: Int, _ count: inout Int) -> [String] {
    guard depth < deepest, count <= mostNames else { return [] }
    let names = names(in: folder)
    count += names.count
    var found = [folder]
    for inner in names.map({ folder + "/" + $0 }) where Directory.isFolder(inner) {
      guard found.count < mostFiles else { break }
      found += folders(at: inner, depth: depth + 1, &count)
    }
    return found
  }

  private static func collect(
    _ folder: String, depth: Int, _ count: inout Int, into found: inout [String]
  ) {
    guard depth < deepest, count <= mostNames else { return }
    let names = names(in: folder)
    count += names.count
    for name in names where found.count < mostFiles {
      let path = folder + "/" + name
      if Directory.isFolder(path) {
        collect(path, depth: depth + 1, &count, into: &found)
      } else if name.hasSuffix(".ksy") || name.hasSuffix(Profile.fileName),
        !Directory.isSpecial(path)
      {
        found.append(path)
      }
    }
  }

  /// What is in a folder, but for what is hidden.
  private static func names(in folder: String) -> [String] {
    (Directory.names(in: folder, most: mostNames + 1) ?? []).filter { !$0.hasPrefix(".") }
  }
}
