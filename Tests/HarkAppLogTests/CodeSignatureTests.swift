import Foundation
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkAppLog

/// Mach-O executables by hand: LC_CODE_SIGNATURE is 0x1D (mach-o/loader.h), the SuperBlob 0xFADE0CC0, the
/// slots of entitlements 5 (XML, 0xFADE7171) and 7 (DER, 0xFADE7172) (cs_blobs.h).
@Suite struct CodeSignatureTests {
  static func big(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
  }
  static func little(_ value: Int) -> [UInt8] { big(value).reversed() }

  static func blob(_ magic: Int, _ content: [UInt8]) -> [UInt8] {
    big(magic) + big(8 + content.count) + content
  }

  static func superBlob(_ slots: [(slot: Int, blob: [UInt8])]) -> [UInt8] {
    var (index, content): ([UInt8], [UInt8]) = ([], [])
    let start = 12 + 8 * slots.count
    for (slot, blob) in slots {
      index += big(slot) + big(start + content.count)
      content += blob
    }
    return big(0xFADE_0CC0) + big(start + content.count) + big(slots.count) + index + content
  }

  /// A file of 64 bits with two load commands, the second of which names the signature behind them.
  static func executable(_ signature: [UInt8]) -> [UInt8] {
    let uuid = little(0x1B) + little(24) + [UInt8](repeating: 7, count: 16)
    let place = 32 + uuid.count + 16
    let code = little(0x1D) + little(16) + little(place) + little(signature.count)
    let header =
      little(0xFEED_FACF) + little(0x0100_000C) + little(0) + little(2) + little(2)
      + little(uuid.count + code.count) + little(0) + little(0)
    return header + uuid + code + signature
  }

  static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    content.count < 128
      ? [tag, UInt8(content.count)] + content
      : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  static func pair(_ name: String, _ value: [UInt8]) -> [UInt8] {
    der(0x30, der(0x0C, Array(name.utf8)) + value)
  }

  static let rights = der(
    0x70,
    der(0x02, [1])
      + der(
        0xB0,
        pair("com.apple.developer.accessory-transport-security", [1, 1, 0xFF])
          + pair("get-task-allow", [1, 1, 0])
          + pair("application-identifier", der(0x0C, Array("ABCDE.com.acme".utf8)))
          + pair("keychain-access-groups", der(0x30, der(0x0C, Array("ABCDE.*".utf8))))))

  static let xml = Array(
    """
    <?xml version="1.0"?><plist version="1.0"><dict>
    <key>com.apple.developer.accessory-data-provider</key><true/><key>get-task-allow</key><false/>
    </dict></plist>
    """.utf8)

  private static func granted(_ file: [UInt8]) -> [String]? {
    CodeSignature.entitlements(of: file)?.filter { !$0.isFalse }.map(\.name).sorted()
  }

  @Test func derEntitlements() {
    let file = Self.executable(
      Self.superBlob([
        (0, Self.blob(0xFADE_0C02, [1, 2, 3, 4])), (5, Self.blob(0xFADE_7171, Self.xml)),
        (7, Self.blob(0xFADE_7172, Self.rights)),
      ]))
    #expect(
      Self.granted(file) == [
        "application-identifier", "com.apple.developer.accessory-transport-security",
        "keychain-access-groups",
      ])
  }

  @Test func xmlEntitlements() {
    let file = Self.executable(Self.superBlob([(5, Self.blob(0xFADE_7171, Self.xml))]))
    #expect(Self.granted(file) == ["com.apple.developer.accessory-data-provider"])
  }

  @Test func universalBinary() {
    let thin = Self.executable(Self.superBlob([(7, Self.blob(0xFADE_7172, Self.rights))]))
    let head = Self.big(0xCAFE_BABE) + Self.big(1) + Self.big(0x0100_000C) + Self.big(0)
    let file = head + Self.big(28) + Self.big(thin.count) + Self.big(14) + thin
    #expect(Self.granted(file)?.count == 3)
  }

  private static func sample(_ path: String) throws -> [UInt8] {
    let file = Project.root.appending(path: "captures/signed-app/Tandem.app/\(path)")
    return try [UInt8](Data(contentsOf: file))
  }

  /// Signed by ldid with Security.entitlements, which grants neither what is false.
  @Test func independentSigner() throws {
    var file = try Self.sample("PlugIns/Security.appex/Security")
    let granted = [
      "application-identifier", "com.apple.developer.accessory-transport-extension",
      "get-task-allow",
    ]
    #expect(Self.granted(file) == granted)
    // Without the slot of the DER, which the index of the SuperBlob names 7, the XML is read.
    let blob = try #require(file.firstRange(of: Self.big(0xFADE_0CC0)))
    let count = Int(file[blob.lowerBound + 11])
    for index in 0..<count {
      let slot = blob.lowerBound + 12 + 8 * index
      if file[slot..<(slot + 4)].elementsEqual(Self.big(7)) { file[slot] = 0x7F }
    }
    #expect(Self.granted(file) == granted)
  }

  /// The libraries as `llvm-objdump --macho --dylibs-used` prints them.
  @Test func libraries() throws {
    let system = MachO.Library(path: "/usr/lib/libSystem.B.dylib", isWeak: false)
    let audio = "/System/Library/Frameworks/AudioAccessoryKit.framework/AudioAccessoryKit"
    let external = "/System/Library/Frameworks/ExternalAccessory.framework/ExternalAccessory"
    #expect(
      MachO.libraries(of: try Self.sample("Tandem")) == [
        system, .init(path: external, isWeak: false), .init(path: audio, isWeak: false),
      ])
    #expect(
      MachO.libraries(of: try Self.sample("PlugIns/Security.appex/Security"))
        == [system, .init(path: audio, isWeak: true)])
    #expect(MachO.libraries(of: Array("#!/bin/sh".utf8)) == nil)
  }

  /// Libraries of the app are followed, and nothing outside it is opened.
  @Test func librariesOfTheApp() throws {
    struct Files: BundleArchive {
      let files: [String: [UInt8]]
      var paths: [String] { files.keys.sorted() }
      func contents(of path: String) -> [UInt8] { files[path] ?? [] }
      func executable(_ path: String) -> [UInt8]? { files[path] }
    }
    func linked(
      _ libraries: [String], _ files: [String: [UInt8]]
    ) -> AppDeclaration.Frameworks? {
      LinkedFrameworks.read(
        Self.loading(libraries), in: Files(files: files), "A.app/PlugIns/B.appex/", app: "A.app/")
    }
    let kit = "/System/Library/Frameworks/AccessorySetupKit.framework/AccessorySetupKit"
    for path in [
      "A.app/PlugIns/B.appex/B.debug.dylib", "A.app/Frameworks/B.debug.dylib",
      "A.app/PlugIns/B.appex/Frameworks/B.debug.dylib",
    ] {
      let found = linked(["@rpath/B.debug.dylib"], [path: Self.loading([kit])])
      #expect(found?.strong == ["AccessorySetupKit"] && found?.isWhole == true)
    }
    let framework = linked(
      ["@rpath/Core.framework/Core"],
      ["A.app/Frameworks/Core.framework/Core": Self.loading([kit, "@rpath/Core.framework/Core"])])
    #expect(framework?.contains("AccessorySetupKit") == true && framework?.isWhole == true)
    // Not there, or outside.
    for name in ["@rpath/Lost.dylib", "@loader_path/../../../../etc/passwd", "@rpath"] {
      #expect(linked([name], ["etc/passwd": Self.loading([kit])])?.isWhole == false)
    }
    #expect(linked([], [:])?.isWhole == true)
  }

  /// A file whose load commands are LC_LOAD_DYLIB (mach-o/loader.h).
  private static func loading(_ libraries: [String]) -> [UInt8] {
    let commands = libraries.map { name -> [UInt8] in
      let text = Array(name.utf8) + [UInt8](repeating: 0, count: 8 - name.utf8.count % 8)
      return little(0x0C) + little(24 + text.count) + little(24) + little(2) + little(0) + little(0)
        + text
    }
    return little(0xFEED_FACF) + little(0x0100_000C) + little(0) + little(2)
      + little(commands.count) + little(commands.joined().count) + little(0) + little(0)
      + commands.joined()
  }

  @Test func noSignature() {
    #expect(Self.granted([]) == nil)
    #expect(Self.granted(Array("#!/bin/sh".utf8)) == nil)
    #expect(Self.granted(Self.executable(Self.superBlob([]))) == nil)
  }

  /// No prefix and no changed octet is a crash or a right that is not there.
  @Test func damaged() {
    let file = Self.executable(
      Self.superBlob([
        (5, Self.blob(0xFADE_7171, Self.xml)), (7, Self.blob(0xFADE_7172, Self.rights)),
      ]))
    let loading = Self.loading(["/usr/lib/a.dylib", "@rpath/b"])
    for end in 0..<loading.count {
      #expect((MachO.libraries(of: Array(loading[..<end]))?.count ?? 0) < 2)
    }
    for end in 0..<file.count { #expect((Self.granted(Array(file[..<end]))?.count ?? 0) <= 3) }
    for place in file.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
        var other = file
        other[place] = value
        #expect((Self.granted(other)?.count ?? 0) <= 8)
      }
    }
  }
}
