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

  /// Words that programs use, keys in Base64 and hexadecimal digits, and bytes that are no text.
  @Test func othersStay() throws {
    let bytes: [UInt8] = (0..<32).map { UInt8($0 * 7 & 0x1F | 0x80) }
    let kept: [[UInt8]] = [
      Array("connection complete".utf8),
      Array("MCowBQYDK2VuAyEAhSDwCYkwp1R0i33ctD73Wg2".utf8),
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
    let found = UndecodedText.find(in: text) { _ in true }
    #expect(found.flatMap(\.places) == Array(text.indices))
    #expect(found.flatMap(\.bytes) == text)
    #expect(found.count > 1)
    #expect(found.dropLast().allSatisfy { $0.bytes.last == UInt8(ascii: " ") })
    #expect(found.allSatisfy { $0.bytes.count < 1_024 + name.utf8.count })
    let letters = [UInt8](repeating: UInt8(ascii: "q"), count: 10_000)
    let rows = UndecodedText.find(in: letters) { _ in true }
    #expect(rows.count > 1 && rows.flatMap(\.places) == Array(letters.indices))
  }
}
