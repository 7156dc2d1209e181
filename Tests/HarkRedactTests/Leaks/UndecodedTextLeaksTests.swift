import HarkCapture
import HarkCore
import HarkSession
import Testing

@testable import HarkRedact

/// Texts in bytes that nothing decodes, and that are nowhere else in the capture: `share` keeps the bytes, but no words that
/// may be somebody's.
@Suite struct UndecodedTextLeaksTests {
  private static let secrets = [
    "Mara Lindqvist", "Örjans Hörlurar", "mara.lindqvist@example.org", "+49 1515 5566677",
    "+4915155566677", "D1:22:33:44:55:66", #"{"owner":"Quasimodo","ssid":"Glockenturm 7"}"#,
  ]
  /// Of each secret, none may be left.
  private static let parts = [
    "Mara", "Lindqv", "indqvist", "Örjan", "Hörlu", "mara.", "example.o", "1515 5566", "15155566",
    "5566677",
    // The company of an address stays.
    "44:55:66",
    "Quasim", "Glocken",
  ]

  private static func wide(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap {
      let octets = [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
      return isBigEndian ? octets.reversed() : octets
    }
  }

  /// A vendor's events, a vendor's commands, and writes to a characteristic that nobody describes.
  private static func capture(_ values: [[UInt8]]) -> [UInt8] {
    var capture = MadeCapture()
    // Core Specification, Vol 4, Part E, 7.7.65.1
    capture.event(0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
    // Vol 3, Part F, 3.4.2 and 3.4.4.1
    capture.l2cap(4, [2, 0, 2], isReceived: false)
    capture.l2cap(4, [3, 0, 2])
    capture.l2cap(4, [8, 1, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
    let uuid = Hex.bytes("A1B200027A544E0B8E216F0A5B4C9D12") ?? []
    capture.l2cap(4, [9, 21, 0x11, 0, 0x0C, 0x12, 0] + uuid.reversed())
    for value in values {
      capture.event(0xFF, [0x55, 7] + value + [7])
      capture.command(0xFCE1, [0x55, 7] + value + [7])
      capture.l2cap(4, [0x52, 0x12, 0] + value, isReceived: false)
    }
    return capture.bytes
  }

  private func redact(_ values: [[UInt8]]) throws -> [UInt8] {
    try Redaction(level: .share, map: RedactionMap(), framings: VendorFramings([]))
      .redact(CaptureBytes(Self.capture(values), name: "undecoded")).bytes
  }

  @Test func texts() throws {
    let redacted = try redact(Self.secrets.map { Array($0.utf8) })
    for part in Self.parts { #expect(!redacted.holds(Array(part.utf8)), "\(part)") }
    // What is around them stays.
    #expect(redacted.holds([0x55, 7]))
  }

  @Test(arguments: [false, true]) func wideTexts(_ isBigEndian: Bool) throws {
    let redacted = try redact([Self.wide("Mara Lindqvist", isBigEndian: isBigEndian)])
    for part in ["Mara", "Lindqv", "vist"] {
      // The zero before the first letter, or after the last one, belongs to something else.
      let bytes = Self.wide(part, isBigEndian: isBigEndian)
      #expect(!redacted.holds(Array(isBigEndian ? bytes.dropFirst() : bytes.dropLast())), "\(part)")
    }
  }

  /// A text that continues in the next packet.
  @Test func splitText() throws {
    let redacted = try redact([Array("Mara Lindqv".utf8), Array("ist".utf8)])
    #expect(!redacted.holds(Array("Mara".utf8)))
    #expect(!redacted.holds([0x52, 0x12, 0] + Array("ist".utf8)))
  }

  /// Names in other scripts, also among other bytes; of the redacted ones, no three characters in a row are the old ones.
  @Test(
    arguments: ["Мария Петрова", "山田太郎さん", "דוד כהן", "김민수의 전화번호", "Jürgen Müßig", "Γιώργος"],
    [false, true])
  func widePeople(_ text: String, _ isBigEndian: Bool) throws {
    let name = Self.wide(text, isBigEndian: isBigEndian)
    let redacted = try redact([
      name, [7, UInt8(name.count)] + name, [3, 0, 0] + name + [0, 0, 9],
    ])
    for start in stride(from: 0, through: name.count - 6, by: 2) {
      #expect(!redacted.holds(Array(name[start..<(start + 6)])), "\(text) from \(start)")
    }
  }

  /// Names one after the other, of which each is all of a value.
  @Test(
    arguments: [["Иван Петров", "Анна Смирнова"], ["Μαρία", "Νίκος", "Ελένη"], ["王小明", "李小龙"]],
    [false, true])
  func wideValues(_ names: [String], _ isBigEndian: Bool) throws {
    let values = names.map { Self.wide($0, isBigEndian: isBigEndian) }
    let redacted = try redact(values)
    // A few ideographs inside a longer value stay: many numbers look like them.
    let isOfIdeographs = names.contains { $0.unicodeScalars.contains { $0.value >= 0x4E00 } }
    for value in values {
      #expect(!redacted.holds([0x52, 0x12, 0] + value.prefix(4)), "\(names)")
      if !isOfIdeographs { #expect(!redacted.holds(value), "\(names)") }
    }
  }

  /// Texts in UTF-8 of scripts whose letters take several octets.
  @Test(arguments: ["Мария", "山田太郎", "Γιώργος", "דוד", "김민수"])
  func shortPeople(_ text: String) throws {
    let redacted = try redact([Array(text.utf8)])
    #expect(!redacted.holds(Array(text.utf8.prefix(6))))
    // Of ideographs in UTF-16, the ends of the value show that they are a text.
    let wide = Self.wide(text, isBigEndian: false)
    #expect(try !redact([wide]).holds([0x52, 0x12, 0] + wide.prefix(4)))
  }

  /// A short text is one if it is all of a value, if its length precedes it, or if it is between control characters.
  @Test func shortTexts() throws {
    let values: [[UInt8]] = [
      Array("Zoë".utf8), Array("4711".utf8), [0x0A, 4] + Array("Mara".utf8) + [0x12, 0x83],
      [0x0A, 0x83, 0] + Array("Lind".utf8) + [0, 0, 0], [0x90] + Array("Bodo".utf8),
      [0xA1, 0x01, 0x64] + Array("Jara".utf8) + [0xFF], [0x81, 0xA3] + Array("Kim".utf8) + [0xC0],
      Array(#"{"n":"Gera"}"#.utf8), Array("52.516275,13.377704".utf8),
      Array("192.168.178.23".utf8), Array("015155566677".utf8), Array("3c5ab4334261".utf8),
    ]
    let redacted = try redact(values)
    let parts = [
      "Zoë", "4711", "Mara", "Lind", "Bodo", "Jara", "Kim", "Gera", "52.516", "13.377", "192.168",
      "155566", "3c5ab4", "334261",
    ]
    for part in parts {
      // In the events of the vendor, other bytes precede and follow a value that only its ends show.
      let before: [UInt8] =
        switch part {
        case "Zoë": [0x52, 0x12, 0]
        case "Bodo": [0x52, 0x12, 0, 0x90]
        default: []
        }
      #expect(!redacted.holds(before + Array(part.utf8)), "\(part)")
    }
    // The heads of texts in CBOR and MessagePack stay.
    #expect(redacted.holds([0xA1, 0x01, 0x64]) && redacted.holds([0x81, 0xA3]))
  }

  /// Texts in Base64, in Base32, in hexadecimal digits, and compressed with zlib and gzip. RFC 4648, RFC 1950, RFC 1952
  @Test func encodedTexts() throws {
    let text = Array("Mara Lindqvist, Hauptstrasse 7, 10115 Berlin".utf8)
    let base64 = Base64.characters(text, isURL: false)
    let hex = Array(Hex.text(text).utf8)
    let gzip = try Deflater.pack(text, .gzip)
    let zlib = [0x78, 0x9C] + (try Deflater.pack(text, .raw))
    let base32 = "JVQXEYJAJRUW4ZDROZUXG5BMEBEGC5LQORZXI4TBONZWKIBXFQQDCMBRGE2SAQTFOJWGS3Q="
    for value in [
      base64, Array(base32.utf8), Array(base32.lowercased().utf8), hex, gzip, zlib,
    ] {
      let redacted = try redact([value])
      for start in stride(from: 0, to: value.count - 8, by: 4) where start >= 12 || value.count > 54
      {
        #expect(!redacted.holds(Array(value[start..<(start + 8)])), "\(value) from \(start)")
      }
    }
  }

  /// Measurements of two octets that increase slowly are no letters of a script.
  @Test func measurements() throws {
    func octets(_ values: [UInt16]) -> [UInt8] {
      values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    let kept = [
      octets([3_010, 2_990, 2_970, 3_005]), octets([200, 210, 205, 220, 190]),
      octets([1_080, 1_041, 1_077, 1_039]),
    ]
    let redacted = try redact(kept.map { [0x81, 0xFE] + $0 + [0xFE] })
    for value in kept { #expect(redacted.holds(value), "\(value)") }
  }

  /// Words that programs use, keys in Base64, Base32 and hexadecimal digits, and bytes that are no text.
  @Test func othersStay() throws {
    let bytes: [UInt8] = (0..<32).map { UInt8($0 * 7 & 0x1F | 0x80) }
    let kept: [[UInt8]] = [
      Array("connection complete".utf8),
      Array("MCowBQYDK2VuAyEAhSDwCYkwp1R0i33ctD73Wg2".utf8),
      Array("ERPR4F34KFU4WKNWMXPTUXVIO2BBNOWGVHB6QAUJ".utf8),
      Array("8520f0098930a754748b7ddcb43ef75a".utf8), bytes,
    ]
    let redacted = try redact(kept)
    for value in kept { #expect(redacted.holds(value), "\(value)") }
  }

  /// Words before and after a row of Base64 do not stay with it.
  @Test func wordsAroundRow() throws {
    let row = "MCowBQYDK2VuAyEA+hSDwCYkwp1R0i33ct/D73Wg2"
    let redacted = try redact([Array("Quasimodo \(row) Lindqvist".utf8)])
    #expect(redacted.holds(Array(row.utf8)))
    for part in ["Quasim", "Lindq"] { #expect(!redacted.holds(Array(part.utf8)), "\(part)") }
  }

  /// A long text is divided, between words if it has any, and nothing of it is left out.
  @Test func longText() {
    let name = "Quasimodo "
    let text = Array(String(repeating: name, count: 1_000).utf8) + Array("Ada".utf8)
    let found = UndecodedText.find(in: UndecodedBytes(text)) { _ in true }
    #expect(found.flatMap(\.places) == Array(text.indices))
    #expect(found.flatMap(\.bytes) == text)
    #expect(found.count > 1)
    #expect(found.dropLast().allSatisfy { $0.bytes.last == UInt8(ascii: " ") })
    #expect(found.allSatisfy { $0.bytes.count < 1_024 + name.utf8.count })
    let letters = [UInt8](repeating: UInt8(ascii: "q"), count: 10_000)
    let rows = UndecodedText.find(in: UndecodedBytes(letters)) { _ in true }
    #expect(rows.count > 1 && rows.flatMap(\.places) == Array(letters.indices))
  }
}
