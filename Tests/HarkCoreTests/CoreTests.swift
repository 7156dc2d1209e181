import HarkCore
import Testing

@Suite struct CoreTests {
  func text(_ write: (inout TextBuffer) -> Void) -> String {
    var buffer = TextBuffer()
    write(&buffer)
    return buffer.string
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00.000000"), (951_827_696_789_012_345, "2000-02-29 12:34:56.789012"),
    (1_795_082_462_000_001_000, "2026-11-19 10:01:02.000001"),
    (-1, "1969-12-31 23:59:59.999999"), (4_107_542_399_999_999_999, "2100-02-28 23:59:59.999999"),
  ])
  func datesMatchTheCalendar(nanoseconds: Int, expected: String) {
    #expect(text { $0.dateTime(Timestamp(nanoseconds: Int64(nanoseconds))) } == expected)
  }

  @Test func timesSaturate() {
    #expect(Timestamp(microseconds: .max).nanoseconds == .max)
    #expect(Timestamp(seconds: .min, nanoseconds: 0).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: .max).since(Timestamp(nanoseconds: -1)) == .max)
    #expect(Timestamp(nanoseconds: .max).adding(1).nanoseconds == .max)
    #expect(Timestamp(nanoseconds: .min).adding(-1).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: 5).adding(-7).nanoseconds == -2)
  }

  @Test func numbers() {
    #expect(text { $0.decimal(UInt64.max) } == "18446744073709551615")
    #expect(text { $0.decimal(Int64.min) } == "-9223372036854775808")
    #expect(text { $0.decimal(UInt64(7), width: 3) } == "007")
    #expect(text { $0.hex(UInt64(0x1B), digits: 2) } == "0x1b")
    #expect(text { $0.hex(UInt64(0x12345), digits: 4) } == "0x12345")
    #expect(text { $0.seconds(-1_234_567_890, decimals: 3) } == "-1.234")
  }

  @Test func jsonStringsEscape() {
    #expect(text { $0.json("a\"\\\n\u{1}é") } == #""a\"\\\n\u0001é""#)
  }

  /// Every character that the Unicode Character Database calls a control character, a mark of direction or the
  /// end of a line or paragraph is escaped, in JSON and on terminals, and no other but quote and backslash.
  @Test func whatReadersMustNotMeetIsEscaped() throws {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isHazard =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
      let character = String(Character(scalar))
      let digits = String(value, radix: 16)
      let escaped = "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let short = ["\n": "\\n", "\r": "\\r", "\t": "\\t"][character] ?? escaped
      let quoted = ["\"": "\\\"", "\\": "\\\\"][character] ?? character
      #expect(text { $0.json("a\(character)b") } == "\"a\(isHazard ? short : quoted)b\"")
      #expect(text { $0.printable("a\(character)b") } == "a\(isHazard ? short : character)b")
    }
  }

  @Test func terminalTextHasNoControlCharacters() {
    #expect(text { $0.printable("a\u{1B}[31m\n\u{9B}é") } == #"a\u001b[31m\n\u009bé"#)
  }

  @Test func terminalTextHasNoMarksOfDirection() {
    let marks: [UInt32] = [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
      0x2069,
    ]
    for mark in marks {
      let scalar = Unicode.Scalar(mark).map { String(Character($0)) } ?? ""
      let digits = String(mark, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      #expect(text { $0.printable("a\(scalar)b") } == "a\(escape)b")
    }
    #expect(
      text { $0.printable("\u{5D0}\u{200D}\u{2065}\u{206A}\u{2010}…") }
        == "\u{5D0}\u{200D}\u{2065}\u{206A}\u{2010}…")
  }

  /// Random octets are no text; a name in another encoding, or one cut inside a character, is.
  @Test(
    arguments: [
      ([0x41, 0x63, 0x6D, 0x65], true), ([0x41, 0x63, 0x6D, 0x65, 0, 0, 0, 0, 0], true), ([], true),
      (Array("Caf".utf8) + [0xE9] + Array(" Paris".utf8), true),
      (Array("Zoe".utf8) + [0xC3], true), (Array("a\tb\n".utf8), true),
      (Array("\u{1B}[2Jabcdefgh".utf8), true),
      ([0x44, 0x20, 0x82, 0x3C, 0xFD, 0xE6, 0xF1, 0xC2, 0x6B, 0x30, 0xF9, 0x0E], false),
      ([1, 2, 3], false), ([0x41, 0, 0x63, 0, 0x6D, 0], false), ([0xFF], false),
    ] as [([UInt8], Bool)])
  func likelyText(_ bytes: [UInt8], _ isText: Bool) {
    #expect(String(decoding: bytes, as: UTF8.self).isLikelyText == isText)
    #expect((String(spelling: bytes) == Hex.text(bytes)) == (!isText || bytes.isEmpty))
  }

  @Test func writtenNumbers() {
    for text in ["129", "0129", "0x81", "0X0081", "0x000081"] {
      #expect(UInt16(written: text) == 129, "\(text)")
    }
    for text in ["", "0x", "81h", "-1", "+1", "0x10000", "65536", " 1", "1.5"] {
      #expect(UInt16(written: text) == nil, "\(text)")
    }
    for text in ["0x180f", "0X180F", "180F", "0x0000180f", "0000180f-0000-1000-8000-00805f9b34fb"] {
      #expect(BluetoothUUID(written: text)?.short == 0x180F, "\(text)")
    }
    #expect(BluetoothUUID(written: "0x") == nil && BluetoothUUID(written: "18") == nil)
  }

  @Test func uuids() throws {
    let short = try #require(BluetoothUUID("180f"))
    #expect(short.short == 0x180F)
    #expect(short == BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB"))
    #expect(short.description == "0x180F")
    let long = try #require(BluetoothUUID("d5e12b7a-7d8e-4f12-9b5c-3f0a1e6d8c44"))
    #expect(long.short == nil)
    #expect(long.description == "D5E12B7A-7D8E-4F12-9B5C-3F0A1E6D8C44")
    let bytes: [UInt8] = [
      0x44, 0x8C, 0x6D, 0x1E, 0x0A, 0x3F, 0x5C, 0x9B, 0x12, 0x4F, 0x8E, 0x7D, 0x7A, 0x2B, 0xE1,
      0xD5,
    ]
    #expect(BluetoothUUID(littleEndian: bytes.raw) == long)
    #expect(BluetoothUUID("18") == nil)
    #expect(BluetoothUUID("18zz") == nil)
  }

  @Test func addresses() {
    let address = BluetoothAddress(0x4AF3_1122_3344, .random)
    #expect(address.description == "4A:F3:11:22:33:44")
    #expect(address.isResolvablePrivate)
    #expect(BluetoothAddress(0xC0DE_0000_0001, hciType: 0).kind == .public)
  }

  @Test func hex() {
    #expect(Hex.bytes("0a:0B 0c-0d") == [10, 11, 12, 13])
    #expect(Hex.bytes("0") == nil)
    #expect(Hex.bytes("0g") == nil)
    #expect(Hex.text([0, 255]) == "00ff")
  }

  /// Of equally near names, the one that was begun.
  @Test(
    arguments: [
      ("gat", "gatt"), ("gapp", "gap"), ("timelin", "timeline"), ("xyz", nil), ("", nil),
    ] as [(String, String?)])
  func nearest(_ word: String, _ name: String?) {
    #expect(word.nearest(among: ["gap", "gatt", "timeline"]) == name)
  }

  @Test func readingPastTheEndGivesZero() {
    let bytes: [UInt8] = [1, 2]
    #expect(bytes.raw.unsigned(at: 1, 4) == 2)
    #expect(bytes.raw.byte(at: 9) == 0)
    #expect(bytes.raw.array(1..<9) == [2])
  }
}
