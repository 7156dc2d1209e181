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
