import HarkCore

/// Looks for the texts and addresses of events in bytes: as packets have them, in either order, as UTF-16, and of
/// addresses also the hexadecimal digits.
struct EventValueSearch: Sendable {
  private enum Form: UInt8, CaseIterable {
    case plain, reversed, utf16, utf16BigEndian
  }

  private struct Pattern {
    let text: Int32
    let form: Form
    /// The pattern before it that begins with the same four bytes; less than 0 for none.
    let before: Int32
  }

  private let texts: [[UInt8]]
  private var patterns: [Pattern] = []
  /// By the first four bytes, the last pattern that begins so.
  private var heads: [UInt32: Int32] = [:]
  /// Addresses in either order of octets, in ascending order.
  private let addresses: [UInt64]
  /// A bit for each hash of the first four bytes of a pattern or an address: nearly all places are none.
  private var sieve: [UInt64]
  /// How many bits of a hash are not used.
  private let shift: UInt64

  init(_ values: EventValues) { self.init(texts: values.texts, addresses: values.addresses) }

  /// - Parameters:
  ///   - texts: In UTF-8.
  ///   - addresses: Their first octets are the most significant ones.
  init(texts: Set<[UInt8]>, addresses values: Set<UInt64>) {
    self.texts = Array(texts)
    addresses = values.flatMap { [$0, Self.reversed($0)] }.sorted()
    let count = (Form.allCases.count * texts.count + addresses.count) * 32
    let bits = min(max(Int.bitWidth - count.leadingZeroBitCount, 15), 23)
    shift = UInt64(64 - bits)
    sieve = [UInt64](repeating: 0, count: 1 << (bits - 6))
    for address in addresses { mark(UInt32(truncatingIfNeeded: address >> 16)) }
    for index in self.texts.indices {
      for form in Form.allCases {
        let bytes = Self.bytes(of: self.texts[index], form)
        guard bytes.count >= EventValues.shortest else { continue }
        let head = bytes[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let before = heads.updateValue(Int32(clamping: patterns.count), forKey: head) ?? -1
        mark(head)
        patterns.append(Pattern(text: Int32(clamping: index), form: form, before: before))
      }
    }
  }

  private mutating func mark(_ head: UInt32) {
    let slot = Self.slot(head, shift)
    sieve[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  private static func slot(_ head: UInt32, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (UInt64(head) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private static func reversed(_ address: UInt64) -> UInt64 { address.byteSwapped >> 16 }

  private static func bytes(of text: [UInt8], _ form: Form) -> [UInt8] {
    switch form {
    case .plain: return text
    case .reversed: return text.reversed()
    case .utf16: return units(of: text) { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BigEndian:
      return units(of: text) { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
  }

  /// No bytes of a text that is not UTF-8.
  private static func units(of text: [UInt8], _ octets: (UInt16) -> [UInt8]) -> [UInt8] {
    String(validating: text, as: UTF8.self)?.utf16.flatMap(octets) ?? []
  }

  // MARK: Search

  /// The places of values in `bytes`.
  func find(in bytes: [UInt8]) -> [Range<Int>] {
    guard !(texts.isEmpty && addresses.isEmpty) else { return [] }
    var found: [Range<Int>] = []
    let (span, sieve, shift) = (bytes.span, sieve.span, shift)
    var head: UInt32 = 0
    for end in span.indices {
      head = head << 8 | UInt32(span[end])
      let slot = Self.slot(head, shift)
      guard sieve[slot >> 6] >> UInt64(slot & 63) & 1 == 1, end >= 3 else { continue }
      find(head, at: end - 3, in: span, &found)
      guard end + 2 < span.count else { continue }
      let address = UInt64(head) << 16 | UInt64(span[end + 1]) << 8 | UInt64(span[end + 2])
      if isAddress(address) { found.append((end - 3)..<(end + 3)) }
    }
    if !addresses.isEmpty { findDigits(in: span, &found) }
    return found
  }

  /// The fewest digits of an address.
  private static let digitCount = 12

  /// Addresses in hexadecimal digits, also with a character after each two of them.
  private func findDigits(in span: Span<UInt8>, _ found: inout [Range<Int>]) {
    var place = Self.digitCount - 1
    while place < span.count {
      guard Self.isOfDigits(span[place]) else {
        // A row of so many digits has one at such a place.
        place += Self.digitCount
        continue
      }
      var (start, end) = (place, place + 1)
      while start > 0, Self.isOfDigits(span[start - 1]) { start -= 1 }
      while end < span.count, Self.isOfDigits(span[end]) { end += 1 }
      if end - start >= Self.digitCount { findDigits(in: span, start..<end, &found) }
      place = end + Self.digitCount - 1
    }
  }

  private func findDigits(
    in span: Span<UInt8>, _ row: Range<Int>, _ found: inout [Range<Int>]
  ) {
    for width in [2, 3] {
      let size = 6 * width - (width - 2)
      guard row.count >= size else { continue }
      for start in row.lowerBound...(row.upperBound - size) {
        var value: UInt64 = 0
        let isValid = (0..<size).allSatisfy { index in
          let byte = span[start + index]
          if index % width == 2 { return Self.isSeparator(byte) }
          guard let digit = Hex.value(of: byte) else { return false }
          value = value << 4 | UInt64(digit)
          return true
        }
        if isValid, isAddress(value) { found.append(start..<(start + size)) }
      }
    }
  }

  private static func isOfDigits(_ byte: UInt8) -> Bool {
    Hex.value(of: byte) != nil || isSeparator(byte)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
  }

  private func isAddress(_ value: UInt64) -> Bool {
    var (low, high) = (0, addresses.count)
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < addresses.count && addresses[low] == value
  }

  private func find(
    _ head: UInt32, at place: Int, in span: Span<UInt8>, _ found: inout [Range<Int>]
  ) {
    guard var candidate = heads[head] else { return }
    while candidate >= 0 {
      let pattern = patterns[Int(candidate)]
      candidate = pattern.before
      let text = Self.bytes(of: texts[Int(pattern.text)], pattern.form)
      guard place + text.count <= span.count,
        text.indices.allSatisfy({ span[place &+ $0] == text[$0] })
      else { continue }
      found.append(place..<(place + text.count))
    }
  }
}
