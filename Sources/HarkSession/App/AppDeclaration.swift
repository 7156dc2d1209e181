/// What an app or an extension declares: its Info.plist and its entitlements.
public struct AppDeclaration: Sendable {
  /// An app or one of the extensions inside it.
  public struct Bundle: Sendable {
    /// Its path in the archive or folder: `PlugIns/Transport.appex`; empty for the app.
    public var path: String
    public var identifier: String?
    public var name: String?
    public var executable: String?
    public var extensionPoint: String?
    /// Whether `NSExtension` names the point: extensions of ExtensionFoundation name it in `EXAppExtensionAttributes`.
    public var hasOldPoint = false
    /// `NSAccessorySetupSupports` and `NSAccessorySetupKitSupports`, which is the same key in other
    /// releases.
    public var supports: [String] = []
    /// `MinimumOSVersion`.
    public var minimumSystem: String?
    /// The extension points that it defines for others, from the .appexpt files in its folder
    /// `Extensions`; nil if it has no such file.
    public var definedPoints: [String]?
    /// The points among them with the attribute `AppExtensionPoint.EnhancedSecurity`.
    public var securedPoints: [String] = []
    /// `NSAccessorySetupBluetoothServices`, as they are spelt.
    public var services: [String] = []
    /// `NSAccessorySetupBluetoothNames`.
    public var names: [String] = []
    /// `NSAccessorySetupBluetoothCompanyIdentifiers`.
    public var companies: [Int] = []
    /// `UISupportedExternalAccessoryProtocols`.
    public var protocols: [String] = []
    /// Whether it has that key, whatever its value is.
    public var declaresProtocols = false
    /// Nil if its executable is missing, or cannot be read.
    public var frameworks: Frameworks?
    /// `EXCapabilities`.
    public var capabilities: [String] = []
    public var backgroundModes: [String] = []
    public var usesBluetooth = false
    /// Whether it has the key that names an extension's point, whatever its value is.
    public var declaresExtension = false
    /// Keys whose values have a different type from the one Apple documents, so that the system does not read them:
    /// `NSAccessorySetupKitSupports is a string, but should be an array of strings`.
    public var mistyped: [String] = []
    /// The names of the entitlements that are true or have a value; nil if they are unknown.
    public var entitlements: Set<String>?

    public init(path: String) { self.path = path }

    public var isExtension: Bool {
      declaresExtension || extensionPoint != nil || path.hasSuffix(".appex")
    }

    /// Whether its name alone does not distinguish it from the other bundles.
    var showsPath = false

    /// What to call it.
    public var label: String {
      let place = path.isEmpty ? "the app" : path
      guard let name = name ?? identifier else { return place }
      return showsPath ? "\(name) (\(place))" : name
    }
  }

  /// The system's frameworks that a bundle links, by their names without `.framework`.
  public struct Frameworks: Sendable, Equatable {
    /// The frameworks without which the bundle does not start.
    public var strong: Set<String> = []
    public var weak: Set<String> = []
    /// Whether all libraries of the app that the bundle loads could be read; otherwise it may link more.
    public var isWhole = true

    public init() {}

    public func contains(_ name: String) -> Bool { strong.contains(name) || weak.contains(name) }
  }

  /// The app first, if it is included.
  public var bundles: [Bundle]

  public init(_ bundles: [Bundle]) {
    self.bundles = bundles
    let hasApps = bundles.count { !$0.isExtension } > 1
    var counts: [String: Int] = [:]
    for bundle in bundles { counts[bundle.label, default: 0] += 1 }
    for index in bundles.indices {
      self.bundles[index].showsPath = hasApps || counts[bundles[index].label, default: 0] > 1
    }
  }

  public var extensions: [Bundle] { bundles.filter(\.isExtension) }

  /// The extensions for accessories whose entitlements are unknown.
  public var withoutEntitlements: [Bundle] {
    extensions.filter { bundle in
      bundle.entitlements == nil
        && bundle.extensionPoint.flatMap { AccessoryExtensionPoint(rawValue: $0) } != nil
    }
  }
}
