import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// Values that were removed, as programs write them in messages that `share` keeps.
@Suite struct TextFormTests {
  @Test(arguments: ["Zoë Ångström", "Čapek ế ệ ự", "Ёлка й Ї", "がガぱ", "한국어 폰", "Άλφα ύψος", "abc"])
  func normalization(_ text: String) {
    let composed = Array(text.precomposedStringWithCanonicalMapping.utf8)
    let decomposed = Array(text.decomposedStringWithCanonicalMapping.utf8)
    #expect((TextForm.decomposed.apply(composed) ?? composed) == decomposed)
    #expect((TextForm.composed.apply(decomposed) ?? decomposed) == composed)
  }

  /// RFC 3986, 2.1; RFC 2045, 6.7; the URL Standard, windows-1252.
  @Test func escapes() {
    let name = Array("Zoë’s = 1".utf8)
    func text(_ escape: TextEscape) -> String {
      String(decoding: escape.apply(name), as: UTF8.self)
    }
    #expect(text(.url) == "Zo%c3%ab%e2%80%99s%20%3d%201")
    #expect(text(.form) == "Zo%c3%ab%e2%80%99s+%3d+1")
    #expect(text(.quotedPrintable) == "Zo=c3=ab=e2=80=99s =3d 1")
    #expect(text(.octal) == #"Zo\303\253\342\200\231s = 1"#)
    #expect(text(.entity) == "Zo&#235;&#8217;s = 1" && text(.hexEntity) == "Zo&#xeb;&#x2019;s = 1")
    #expect(TextEscape.url.apply(Array("plain".utf8)).isEmpty)
    #expect(
      TextForm.windows1252.apply(name) == [0x5A, 0x6F, 0xEB, 0x92] + Array("s = 1".utf8))
  }

  /// The Unicode Standard, 3.10: four octets for each code point. `ë` is U+00EB, the emoji U+1F3A7.
  @Test func wideTexts() {
    let name = Array("Zë🎧".utf8)
    #expect(
      SecretEncoding.utf32(isBigEndian: true).encode(name) == [
        0, 0, 0, 0x5A, 0, 0, 0, 0xEB, 0, 1, 0xF3, 0xA7,
      ])
    #expect(
      SecretEncoding.utf32(isBigEndian: false).encode(name) == [
        0x5A, 0, 0, 0, 0xEB, 0, 0, 0, 0xA7, 0xF3, 1, 0,
      ])
    #expect(
      SecretEncoding.wide(of: 4, .hex(isUpper: false, isReversed: false, separator: 0)).encode(
        [0x3C]) == [0x33, 0, 0, 0, 0x63])
  }

  private static func utf32(_ text: String) -> [[UInt8]] {
    [.utf32LittleEndian, .utf32BigEndian].map { Array(text.data(using: $0) ?? Data()) }
  }

  /// `ß` has no capital letter of its own: two letters take its place, in every encoding.
  @Test(arguments: ["Zoë's iPhone", "Großes Ohr"]) func wideNames(_ name: String) throws {
    var capture = MadeCapture()
    let field = Array(name.utf8) + [UInt8](repeating: 0, count: 248 - name.utf8.count)
    capture.event(7, [0, 1, 2, 3, 4, 5, 0x16] + field)
    let texts = [
      name, name.uppercased(), name.lowercased(), name.decomposedStringWithCanonicalMapping,
    ]
    let spelt =
      texts.flatMap(Self.utf32)
      + [name.uppercased(), name.decomposedStringWithCanonicalMapping].map(Self.utf16)
      + [Array(name.uppercased().utf8)]
    for text in spelt { capture.event(0xFF, [0x55, 7] + text + [7]) }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "spelt"), .share)
    #expect(redacted.bytes.count == capture.bytes.count && redacted.bytes.holds([0x55, 7]))
    for text in spelt where redacted.bytes.holds(text) { Issue.record("\(text)") }
  }

  private static func utf16(_ text: String) -> [UInt8] {
    Array(text.data(using: .utf16LittleEndian) ?? Data())
  }

  @Test func names() throws {
    let name = "Zoë's iPhone"
    var capture = MadeCapture()
    let field = Array(name.utf8) + [UInt8](repeating: 0, count: 248 - name.utf8.count)
    capture.event(7, [0, 1, 2, 3, 4, 5, 0x16] + field)
    var spelt: [[UInt8]] = [
      "n=Zo%C3%AB%27s%20iPhone&", "n=Zo%C3%AB's%20iPhone&", "zo%c3%ab%27s+iphone",
      "ZO%C3%8B%27S%20IPHONE", "=?Q?Zo=C3=ABs iPhone".replacing("s i", with: "'s i"),
      #"Zo\303\253's iPhone"#, "Zo&#235;'s iPhone", "Zo&#xEB;'s iPhone",
      #"Zo\u00EB's iPhone"#, #"ZO\u00CB'S IPHONE"#, "Zoe%CC%88%27s%20iPhone",
    ].map { Array($0.utf8) }
    spelt += [name.decomposedStringWithCanonicalMapping, name.uppercased(), name.lowercased()]
      .map { Array($0.utf8) }
    spelt += [Array(name.data(using: .isoLatin1) ?? Data())]
    spelt += [Self.utf16(name.uppercased()), Self.utf16(name.lowercased())]
    spelt += [name.uppercased(), name.lowercased()].flatMap { text in
      [
        Array(Data(text.utf8).base64EncodedString().utf8),
        Array(text.utf8.map { String(format: "%02x", $0) }.joined().utf8),
      ]
    }
    for text in spelt { capture.event(0xFF, [0x55, 7] + text + [7]) }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "spelt"), .share)
    #expect(redacted.bytes.count == capture.bytes.count && redacted.bytes.holds([0x55, 7]))
    for text in spelt where redacted.bytes.holds(text) {
      Issue.record("\(String(decoding: text, as: UTF8.self))")
    }
  }

  /// As Java prints octets, as routers and `%04x` do, and as IPv6 has an address. RFC 4291, appendix A
  @Test func addresses() throws {
    var capture = MadeCapture()
    capture.event(3, [0, 0x40, 0, 0x66, 0x55, 0x44, 0x33, 0x22, 0xD1, 1, 0])
    let texts = [
      "[-47,34,51,68,85,102]", "[-47, 34, 51, 68, 85, 102]", "209.34.51.68.85.102",
      "209 34 51 68 85 102", "0xd122 0x3344 0x5566", "0xD122, 0x3344, 0x5566",
      "0x22d1,0x4433,0x6655",
      "D1223344-5566", "d12233fffe445566", "D1:22:33:FF:FE:44:55:66", "fe80::d322:33ff:fe44:5566",
      String(0xD122_3344_5566), String(0x6655_4433_22D1),
    ]
    let raw: [[UInt8]] = [[0xD1, 0x22, 0x33, 0xFF, 0xFE, 0x44, 0x55, 0x66]]
    let spelt =
      texts.map { Array($0.utf8) } + raw + raw.map { Array($0.reversed()) }
      + Self.utf32("d1:22:33:44:55:66")
    for text in spelt { capture.event(0xFF, [0x55, 7] + text + [7]) }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "spelt"), .share)
    #expect(redacted.bytes.count == capture.bytes.count && redacted.bytes.holds([0x55, 7]))
    for text in spelt where redacted.bytes.holds(text) {
      Issue.record("\(String(decoding: text, as: UTF8.self))")
    }
  }
}
