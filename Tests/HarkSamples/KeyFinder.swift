import Foundation
import HarkCore

/// Finds any 8 bytes of a key in a text: as hexadecimal digits of either case and byte order, with
/// or without blanks between, as base64, and as the digits of base64.
package struct KeyFinder {
  private var words: Set<UInt64> = []
  private var texts: Set<UInt64> = []
  /// Spares most look-ups.
  private var maybe = [Bool](repeating: false, count: 1 << 16)

  package var isEmpty: Bool { words.isEmpty }

  /// - Parameter secrets: Keys besides those of the sample's files.
  package init(_ name: String, _ secrets: [[UInt8]]) throws {
    for member in ["pairing", "addresses"] {
      add(try Sample.truth(name)[member] as Any, isKey: false)
    }
    for file in try Sample.truth(name)["keyFiles"] as? [String] ?? [] {
      let data = try Data(contentsOf: URL(filePath: Sample.path(name, file)))
      add(try JSONSerialization.jsonObject(with: data), isKey: false)
    }
    for secret in secrets { add(secret) }
  }

  private static let members: Set<String> = [
    "irk", "ltk", "csrk", "link_key", "key", "privateKey",
  ]

  private mutating func add(_ value: Any, isKey: Bool) {
    if let object = value as? [String: Any] {
      for (name, member) in object {
        add(member, isKey: Self.members.contains(name) || isKey && name == "value")
      }
    } else if let array = value as? [Any] {
      for element in array { add(element, isKey: false) }
    } else if isKey, let text = value as? String {
      let digits = text.compactMap(\.hexDigitValue)
      guard digits.count == text.count, digits.count >= 32 else { return }
      add(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }
  }

  package init(_ key: [UInt8]) { add(key) }

  private mutating func add(_ key: [UInt8]) {
    let base64 = Array(Data(key).base64EncodedString().utf8)
    for bytes in [key, key.reversed(), base64] {
      for start in 0...(bytes.count - 8) {
        let word = bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        if bytes == base64 { texts.insert(word) }
        words.insert(word)
        maybe[Int(word & 0xFFFF)] = true
      }
    }
  }

  /// The values of hexadecimal digits. -2: one blank or colon may stand between bytes.
  private static let values: [Int8] = (0...255).map { (byte: Int) -> Int8 in
    switch byte {
    case 0x30...0x39: Int8(byte - 0x30)
    case 0x41...0x46: Int8(byte - 0x37)
    case 0x61...0x66: Int8(byte - 0x57)
    case 0x20, 0x3A: -2
    default: -1
    }
  }

  /// What stands where the first key is. Megabytes go through this without an optimizer: it is
  /// written for that.
  package mutating func find(_ text: TextBuffer) -> String? {
    let (bytes, values, maybe) = (text.bytes, Self.values, maybe)
    var (digits, count, raw, previous) = (UInt64(0), 0, UInt64(0), UInt8(0))
    var index = 0
    let end = bytes.count
    while index < end {
      let byte = bytes[index]
      let value = values[Int(truncatingIfNeeded: byte)]
      var isFound = false
      if value >= 0 {
        digits = digits &<< 4 | UInt64(truncatingIfNeeded: value)
        count &+= 1
        isFound =
          count >= 16 && maybe[Int(truncatingIfNeeded: digits & 0xFFFF)] && words.contains(digits)
      } else if value == -1 || byte == previous {
        count = 0
      }
      raw = raw &<< 8 | UInt64(truncatingIfNeeded: byte)
      if isFound || maybe[Int(truncatingIfNeeded: raw & 0xFFFF)] && texts.contains(raw) {
        return String(decoding: bytes[max(0, index - 80)...index], as: UTF8.self)
      }
      previous = byte
      index &+= 1
    }
    return nil
  }
}
