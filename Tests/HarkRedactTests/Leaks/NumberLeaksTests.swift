import Foundation
import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// Texts, addresses and keys that are read as numbers.
@Suite struct NumberLeaksTests {
  private static let address: [UInt8] = [0x7C, 0x2E, 0xBD, 0x11, 0x27, 0x35]

  private static func latin(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
  }

  /// Twenty-two octets each.
  static let texts: [[UInt8]] = [
    Array("Jane Ottilie Lindqvist".utf8), Array("Мария Петро!".utf8), Array("ΜαρίαΓεωργί".utf8),
    Array("田中花子さんの1".utf8), latin("Jürgen Müller Höß, Öl."),
    Array("Мария Петро".data(using: .utf16LittleEndian) ?? Data()),
    Array("Мария Петро".data(using: .utf16BigEndian) ?? Data()),
    Array("Lindqvist J".data(using: .utf16LittleEndian) ?? Data()),
    Array("田中花子山田太郎一二三".data(using: .utf16BigEndian) ?? Data()),
  ]

  @Test(arguments: texts, RedactionLevel.allCases)
  func quality(_ text: [UInt8], _ level: RedactionLevel) throws {
    var capture = MadeCapture()
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    // A Quality of Service option: 22 octets of numbers. Core Specification, Vol 3, Part A, 5.3
    let count = UInt8(text.count)
    try #require(count == 22)
    capture.l2cap(1, [4, 1, count + 6, 0, 0x41, 0, 0, 0, 3, count] + text)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "numbers"), level)
    for start in 0...(text.count - 6) {
      #expect(!redacted.bytes.holds(Array(text[start..<(start + 6)])))
    }
  }

  /// A 32-bit UUID that is not assigned may be a text of four letters. Supplement to the Core Specification, Part A, 1.11
  @Test func singleUUIDs() throws {
    func advertisement(_ uuid: [UInt8]) -> [UInt8] {
      let data = [7, 0x20] + uuid + [0x01, 0x02]
      return [2, 1, 0, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0]
    }
    var capture = MadeCapture()
    capture.event(0x3E, advertisement(Array("Qwzx".utf8)))
    // Battery Service, which is assigned.
    capture.event(0x3E, advertisement([0x0F, 0x18, 0, 0]))
    let redacted = try redact(CaptureBytes(capture.bytes, name: "numbers"), .strict)
    #expect(!redacted.bytes.holds(Array("Qwzx".utf8)))
    #expect(redacted.bytes.holds([7, 0x20, 0x0F, 0x18, 0, 0]))
  }

  /// Numbers that programs and devices have in such fields are none.
  @Test(
    arguments: [
      [0, 2, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xA0, 0x86, 1, 0, 0x70, 0x11, 1, 0, 0x10, 0x27],
      [0x18, 0, 0x28, 0, 0, 0, 0xF4, 1, 0x18, 0, 0x28, 0, 0, 0, 0xF4, 1],
      [0x37, 0x38, 0x39, 0x37, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0xE0, 0xF0],
    ] as [[UInt8]])
  func noTexts(_ numbers: [UInt8]) {
    #expect(NumberTexts(numbers, shortest: 5).ranges.isEmpty)
  }

  /// An answer of SDP: the attributes of a serial port. Core Specification, Vol 3, Part B, 4.7 and 3.
  private static func records(_ attributes: [UInt8]) -> MadeCapture {
    var capture = MadeCapture()
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    capture.l2cap(1, [2, 1, 4, 0, 1, 0, 0x40, 0], isReceived: false)
    capture.l2cap(1, [3, 1, 8, 0, 0x41, 0, 0x40, 0, 0, 0, 0, 0])
    func sequence(_ body: [UInt8]) -> [UInt8] { [0x35, UInt8(body.count)] + body }
    capture.l2cap(
      0x41, [6, 0, 1, 0, 15, 0x35, 3, 0x19, 1, 0, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF, 0],
      isReceived: false)
    let lists = sequence(sequence([9, 0, 1] + sequence([0x19, 0x11, 1]) + attributes))
    let count = [UInt8(lists.count)]
    capture.l2cap(0x40, [7, 0, 1, 0] + [UInt8(lists.count + 3), 0] + count + lists + [0])
    return capture
  }

  @Test(arguments: RedactionLevel.allCases) func services(_ level: RedactionLevel) throws {
    let octets = Self.address.flatMap { octet -> [UInt8] in [8, octet] }
    let words = [0, 2, 4].flatMap { at -> [UInt8] in [9] + Self.address[at...(at + 1)] }
    let spelt = Array("Ottilie L".utf8).flatMap { octet -> [UInt8] in [8, octet] }
    var apart: [UInt8] = [9, 2, 0] + words[..<3]
    apart += [9, 2, 1] + words[3..<6]
    apart += [9, 2, 2] + words[6...]
    let cases: [(attributes: [UInt8], secret: [UInt8])] = [
      ([9, 2, 1, 0x35, 12] + octets, Array(octets[..<8])),
      ([9, 0xF0, 0x0D, 0x35, 9] + words, Array(words[..<6])),
      ([9, 2, 0, 0x35, UInt8(spelt.count)] + spelt, Array(spelt[..<8])),
      (apart, [9] + Self.address[2...3]),
    ]
    for (attributes, secret) in cases {
      let capture = Self.records(attributes)
      let redacted = try redact(CaptureBytes(capture.bytes, name: "services"), level)
      #expect(capture.bytes.holds(secret) && !redacted.bytes.holds(secret))
    }
  }

  /// A value of the Report Map, and UUIDs that nobody assigned. HID 1.11, 6.2.2; Core Specification, Vol 3, Part F, 3.4.3.2
  @Test(arguments: RedactionLevel.allCases) func attributes(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    capture.event(
      0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
    capture.l2cap(4, [8, 1, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
    capture.l2cap(4, [9, 7, 0x20, 0, 2, 0x21, 0, 0x4B, 0x2A])
    let limits = [0, 2, 4].flatMap { at -> [UInt8] in [0x26] + Self.address[at...(at + 1)] }
    let counts = Array("Ottilie".utf8).flatMap { octet -> [UInt8] in [0x95, octet] }
    capture.l2cap(4, [0x0A, 0x21, 0], isReceived: false)
    capture.l2cap(4, [0x0B, 5, 1, 9, 6, 0xA1, 1] + limits + counts + [0xC0])
    // Handles from 0x30 on.
    let types = [0, 2, 4].flatMap { at -> [UInt8] in
      [0x30 + UInt8(at), 0] + Self.address[at...(at + 1)]
    }
    capture.l2cap(4, [4, 0x30, 0, 0xFF, 0xFF], isReceived: false)
    capture.l2cap(4, [5, 1] + types)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "attributes"), level)
    for secret in [Array(limits[..<6]), Array(counts[..<8])]
      + (level == .strict ? [Array(types[..<8])] : [])
    {
      #expect(capture.bytes.holds(secret) && !redacted.bytes.holds(secret))
    }
  }
}
