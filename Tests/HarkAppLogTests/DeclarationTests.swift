import Foundation
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkAppLog

@Suite struct DeclarationTests {
  private static let info = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.acme.app.transport</string>
    <key>CFBundleExecutable</key><string>Transport</string>
    <key>EXAppExtensionAttributes</key><dict>
      <key>EXExtensionPointIdentifier</key><string>com.apple.accessory-data-provider</string>
      <key>EXCapabilities</key><array><string>AccessoryNotifications.NotificationsForwarding</string></array>
    </dict>
    <key>NSAccessorySetupKitSupports</key><array><string>Bluetooth</string></array>
    <key>NSAccessorySetupBluetoothServices</key><array><string>180F</string></array>
    <key>NSAccessorySetupBluetoothNames</key><array><string>Acme</string></array>
    <key>NSAccessorySetupBluetoothCompanyIdentifiers</key><array><string>0x004C</string><integer>7</integer></array>
    <key>UISupportedExternalAccessoryProtocols</key><array><string>com.acme.p1</string></array>
    </dict></plist>
    """
  private static let app = """
    <plist><dict><key>CFBundleIdentifier</key><string>com.acme.app</string></dict></plist>
    """

  /// A folder with an app and an extension inside, removed when `body` is over.
  private static func withApp(_ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let plugin = root.appending(path: "Payload/Acme.app/PlugIns/Transport.appex")
    let framework = root.appending(path: "Payload/Acme.app/Frameworks/F.framework")
    for folder in [plugin, framework] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let appFolder = root.appending(path: "Payload/Acme.app")
    try Data(Self.app.utf8).write(to: appFolder.appending(path: "Info.plist"))
    try Data("no list".utf8).write(to: framework.appending(path: "Info.plist"))
    try Data(Self.info.utf8).write(to: plugin.appending(path: "Info.plist"))
    let profile =
      "0\u{82}…<?xml version=\"1.0\"?><plist><dict><key>Entitlements</key><dict>"
      + "<key>a.true</key><true/><key>a.false</key><false/></dict></dict></plist>…"
    try Data(profile.utf8).write(to: plugin.appending(path: "embedded.mobileprovision"))
    try body(root.path())
  }

  private func check(_ declaration: AppDeclaration?) throws {
    let bundles = try #require(declaration?.bundles)
    #expect(bundles.map(\.identifier) == ["com.acme.app", "com.acme.app.transport"])
    let one = bundles[1]
    #expect(one.path == "PlugIns/Transport.appex")
    #expect(one.extensionPoint == "com.apple.accessory-data-provider")
    #expect(one.capabilities == ["AccessoryNotifications.NotificationsForwarding"])
    #expect(one.services == ["180F"] && one.names == ["Acme"] && one.companies == [0x4C, 7])
    #expect(one.protocols == ["com.acme.p1"] && one.supports == ["Bluetooth"])
    #expect(one.entitlements == ["a.true"])
    #expect(bundles[0].entitlements == nil)
  }

  @Test func folder() throws {
    try Self.withApp { root in
      try check(AppInfo.read(["\(root)/Payload/Acme.app"], entitlements: []))
    }
  }

  /// Entitlements of a bundle in an app, by each of its names, and of one that is not there.
  @Test(arguments: ["Transport.appex", "PlugIns/Transport.appex"])
  func namedEntitlements(_ name: String) throws {
    try Self.withApp { root in
      let file = "\(root)/x.entitlements"
      try Data("<plist><dict><key>b.true</key><true/></dict></plist>".utf8).write(
        to: URL(filePath: file))
      let app = "\(root)/Payload/Acme.app"
      let declaration = try AppInfo.read([app], entitlements: ["\(name)=\(file)"])
      #expect(declaration?.bundles.map(\.entitlements) == [nil, ["b.true"]])
      #expect(throws: AppLogError.self) {
        try AppInfo.read([app], entitlements: ["Other.appex=\(file)"])
      }
      let lenient = try AppInfo.read(
        [app], entitlements: ["Other.appex=\(file)"], areOfSeveral: true)
      #expect(lenient?.bundles.count == 2)
      #expect(AppInfo.numbered(["\(name)=\(file)", file, "./a=b"]) == [file, "./a=b"])
    }
  }

  /// Bundles with one name are distinguished by their places, and so are those of several apps.
  @Test func labels() {
    func bundle(_ path: String, _ name: String) -> AppDeclaration.Bundle {
      var bundle = AppDeclaration.Bundle(path: path)
      bundle.identifier = name
      return bundle
    }
    let one = AppDeclaration([
      bundle("", "com.acme"), bundle("PlugIns/A.appex", "com.acme.x"),
      bundle("PlugIns/B.appex", "com.acme.x"),
    ])
    #expect(
      one.bundles.map(\.label) == [
        "com.acme", "com.acme.x (PlugIns/A.appex)", "com.acme.x (PlugIns/B.appex)",
      ])
    let two = AppDeclaration([bundle("A.app", "com.acme"), bundle("B.app", "com.other")])
    #expect(two.bundles.map(\.label) == ["com.acme (A.app)", "com.other (B.app)"])
  }

  /// An app that defines extension points of its own; the file is in the form that Xcode 26 writes, with the keys
  /// that several public projects read for the attribute EnhancedSecurity.
  @Test func definedPoints() throws {
    try Self.withApp { root in
      let folder = URL(filePath: root).appending(path: "Payload/Acme.app/Extensions")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let points = """
        <plist><dict><key>EXVersion</key><integer>2</integer>
        <key>com.acme.app.Filters</key><dict><key>EXExtensionPointName</key><string>Filters</string>
        </dict><key>com.acme.app.Engine</key><dict><key>EXRequiresEnhancedSecurity</key><true/>
        <key>EXPresentsUserInterface</key><false/></dict></dict></plist>
        """
      try Data(points.utf8).write(to: folder.appending(path: "Acme.appexpt"))
      let bundles = try AppInfo.read(["\(root)/Payload/Acme.app"], entitlements: [])?.bundles
      #expect(
        bundles?.map(\.definedPoints) == [["com.acme.app.Engine", "com.acme.app.Filters"], nil])
      #expect(bundles?.map(\.securedPoints) == [["com.acme.app.Engine"], []])
    }
  }

  /// Both names of the key, and the deployment target.
  @Test(arguments: ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"])
  func keys(_ key: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let list =
      "<plist><dict><key>\(key)</key><array><string>Bluetooth</string></array>"
      + "<key>MinimumOSVersion</key><string>26.4</string></dict></plist>"
    try Data(list.utf8).write(to: file)
    let bundle = try #require(AppInfo.read([file.path()], entitlements: [])?.bundles.first)
    #expect(bundle.supports == ["Bluetooth"] && bundle.minimumSystem == "26.4")
  }

  /// The archive is Python's.
  @Test(arguments: ["ZIP_DEFLATED", "ZIP_STORED"]) func archive(_ method: String) throws {
    try Self.withApp { root in
      let script = """
        import os, sys, zipfile
        root = sys.argv[1]
        with zipfile.ZipFile(root + "/Acme.ipa", "w", zipfile.\(method)) as z:
            for folder, _, names in os.walk(root + "/Payload"):
                for name in names:
                    path = os.path.join(folder, name)
                    z.write(path, os.path.relpath(path, root))
        """
      let python = Process()
      python.executableURL = URL(filePath: "/usr/bin/env")
      python.arguments = ["python3", "-c", script, root]
      try python.run()
      let deadline = ProgramDeadline(python)
      python.waitUntilExit()
      try deadline.check()
      try #require(python.terminationStatus == 0)
      try check(AppInfo.read(["\(root)/Acme.ipa"], entitlements: []))
      try FileManager.default.copyItem(atPath: "\(root)/Acme.ipa", toPath: "\(root)/ACME.IPA")
      try check(AppInfo.read(["\(root)/ACME.IPA"], entitlements: []))
      // Cut anywhere, and with any byte changed, it is read or refused.
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: "\(root)/Acme.ipa")))
      for index in stride(from: 0, to: bytes.count, by: 7) {
        var mutant = bytes
        mutant[index] ^= 0xFF
        for variant in [mutant, Array(bytes[..<index])] {
          try Data(variant).write(to: URL(filePath: "\(root)/Other.ipa"))
          _ = try? AppInfo.read(["\(root)/Other.ipa"], entitlements: [])
        }
      }
    }
  }

  private static func read(
    _ bytes: Data, entitlements: String? = nil
  ) throws -> AppDeclaration.Bundle {
    let root = FileManager.default.temporaryDirectory.appending(path: "hark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let (info, rights) = (root.appending(path: "Info.plist"), root.appending(path: "rights"))
    try bytes.write(to: info)
    if let entitlements { try Data(entitlements.utf8).write(to: rights) }
    let paths = entitlements == nil ? [] : [rights.path()]
    return try #require(try AppInfo.read([info.path()], entitlements: paths)?.bundles.first)
  }

  /// Apple's keys have types, and the system does not convert.
  @Test func types() throws {
    let list = """
      <plist><dict>
      <key>EXAppExtensionAttributes</key><dict>
        <key>EXExtensionPointIdentifier</key><integer>3</integer>
        <key>EXCapabilities</key><string>AccessoryNotifications.NotificationsForwarding</string>
      </dict>
      <key>NSAccessorySetupKitSupports</key><string>Bluetooth</string>
      <key>NSAccessorySetupBluetoothServices</key><dict><key>a</key><string>b</string></dict>
      <key>NSAccessorySetupBluetoothNames</key><array><string>Acme</string><true/></array>
      </dict></plist>
      """
    let rights = """
      <plist><dict>
      <key>com.apple.developer.accessory-data-provider</key><string>NO</string>
      <key>com.apple.developer.accessory-transport-security</key><integer>0</integer>
      <key>com.apple.developer.accessory-transport-extension</key><true/>
      <key>application-identifier</key><string>a</string>
      </dict></plist>
      """
    let bundle = try Self.read(Data(list.utf8), entitlements: rights)
    #expect(bundle.isExtension && bundle.extensionPoint == nil)
    #expect(bundle.capabilities.isEmpty && bundle.supports.isEmpty && bundle.services.isEmpty)
    #expect(bundle.names == ["Acme"])
    #expect(
      bundle.mistyped == [
        "EXExtensionPointIdentifier is a number, but should be a string",
        "EXCapabilities is a string, but should be an array of strings",
        "NSAccessorySetupKitSupports is a string, but should be an array of strings",
        "NSAccessorySetupBluetoothServices is a dictionary, but should be an array of strings",
        "NSAccessorySetupBluetoothNames holds a Boolean, but should be an array of strings",
      ])
    #expect(
      bundle.entitlements
        == ["com.apple.developer.accessory-transport-extension", "application-identifier"])
    #expect(try Self.read(Data(Self.info.utf8)).mistyped.isEmpty)
  }

  /// As Windows' editors write it, with either order of bytes.
  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func wide(_ encoding: String.Encoding) throws {
    let text = "\u{FEFF}" + Self.info.replacing("UTF-8", with: "UTF-16")
    let bundle = try Self.read(try #require(text.data(using: encoding)))
    #expect(bundle.identifier == "com.acme.app.transport" && bundle.names == ["Acme"])
  }

  @Test func refused() throws {
    #expect(throws: AppLogError.self) {
      try AppInfo.read(["/nonexistent/Info.plist"], entitlements: [])
    }
    #expect(throws: AppLogError.self) { try AppInfo.read(["/dev/null"], entitlements: []) }
    let none = try AppInfo.read([], entitlements: [])
    #expect(none?.bundles.count == nil)
  }
}
