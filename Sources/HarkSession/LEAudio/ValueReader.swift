import HarkCore

/// Reads the value of a characteristic from the front. Past its end there is nothing.
struct ValueReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  /// Little-endian, of `count` (1 to 4) octets.
  mutating func number(_ count: Int) -> UInt32? {
    guard remaining >= count else { return nil }
    defer { position += count }
    return (0..<count).reduce(0) { $0 | UInt32(bytes[position + $1]) << UInt32($1 * 8) }
  }

  mutating func u8() -> UInt8? { number(1).map { UInt8(truncatingIfNeeded: $0) } }

  mutating func u16() -> UInt16? { number(2).map { UInt16(truncatingIfNeeded: $0) } }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, remaining >= count else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// As many octets as the one in front says.
  mutating func counted() -> [UInt8]? {
    guard let count = u8() else { return nil }
    return take(Int(count))
  }

  /// All that is left, as UTF-8 up to a NUL.
  mutating func text() -> String {
    String(decoding: (take(remaining) ?? []).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The LTV structures of a list that are whole, by their types. Assigned Numbers, 6.12.4.
  static func structures(_ list: [UInt8]) -> [UInt8: [UInt8]] {
    var reader = ValueReader(list)
    var found: [UInt8: [UInt8]] = [:]
    while var structure = reader.counted().map(ValueReader.init) {
      guard let type = structure.u8() else { continue }
      found[type] = structure.take(structure.remaining)
    }
    return found
  }
}
