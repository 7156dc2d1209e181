import HarkCore

/// Looks for the texts and addresses of events in bytes: as packets have them, in either order, as UTF-16, and of
/// addresses also the hexadecimal digits.
struct EventValueSearch: Sendable {
  private enum Form: UInt8, CaseIterable {
    case plain, reversed, utf16, utf16BigEndian
  }

  /// A text in one of its forms.
  private struct Pattern {
    /// In `octets`.
    let range: Range<Int>
    /// The longest other pattern that it begins with; less than 0 for none.
    let beginning: Int
  }

  private var octets: [UInt8] = []
  /// In the order of their bytes: many texts begin alike, and comparing each of them at each place would be slow.
  private var patterns: [Pattern] = []
  /// By the first four bytes, the patterns that begin so.
  private var heads: [UInt32: Range<Int>] = [:]
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
    addresses = values.flatMap { [$0, Self.reversed($0)] }.sorted()
    let count = (Form.allCases.count * texts.count + addresses.count) * 32
    let bits = min(max(Int.bitWidth - count.leadingZeroBitCount, 15), 23)
    shift = UInt64(64 - bits)
    sieve = [UInt64](repeating: 0, count: 1 << (bits - 6))
    for address in addresses { mark(UInt32(truncatingIfNeeded: address >> 16)) }
    var all: [UInt8] = []
    var ranges: [Range<Int>] = []
    for text in texts {
      for form in Form.allCases {
        let bytes = Self.bytes(of: text, form)
        guard bytes.count >= EventValues.shortest else { continue }
        ranges.append(all.count..<(all.count + bytes.count))
        all += bytes
      }
    }
    ranges.sort { all[$0].lexicographicallyPrecedes(all[$1]) }
    octets = all
    take(ranges)
  }

  /// - Parameter ranges: Of all forms of texts, in the order of their bytes.
  private mutating func take(_ ranges: [Range<Int>]) {
    // Those that the last one begins with, and itself.
    var nested: [Int] = []
    for range in ranges {
      let bytes = octets[range]
      while let last = nested.last, !bytes.starts(with: octets[patterns[last].range]) {
        nested.removeLast()
      }
      // Of some texts, two forms are the same.
      if let last = nested.last, patterns[last].range.count == range.count { continue }
      let index = patterns.count
      patterns.append(Pattern(range: range, beginning: nested.last ?? -1))
      nested.append(index)
      let head = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      mark(head)
      heads[head] = (heads[head]?.lowerBound ?? index)..<(index + 1)
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
    guard !(patterns.isEmpty && addresses.isEmpty) else { return [] }
    var found: [Range<Int>] = []
    let (span, sieve, shift) = (bytes.span, sieve.span, shift)
    var head: UInt32 = 0
    for end in span.indices {
      head = head << 8 | UInt32(span[end])
      let slot = Self.slot(head, shift)
      guard sieve[slot >> 6] >> UInt64(slot & 63) & 1 == 1, end >= 3 else { continue }
      if let text = text(head, at: end - 3, in: span) { found.append(text) }
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
    let index = addresses.partitioningIndex { $0 >= value }
    return index < addresses.count && addresses[index] == value
  }

  /// The longest text at `place`. All others there are ones that it begins with.
  private func text(_ head: UInt32, at place: Int, in span: Span<UInt8>) -> Range<Int>? {
    guard let candidates = heads[head] else { return nil }
    // What the bytes begin with precedes them, and only patterns that begin with it, too, are between.
    var index = candidates.partitioningIndex { !precedes(patterns[$0], at: place, in: span) } - 1
    while index >= candidates.lowerBound {
      let count = patterns[index].range.count
      if isEqual(patterns[index], at: place, in: span) { return place..<(place + count) }
      index = patterns[index].beginning
    }
    return nil
  }

  /// Whether a pattern is before the bytes from `place` on, or is what they begin with.
  private func precedes(_ pattern: Pattern, at place: Int, in span: Span<UInt8>) -> Bool {
    var next = place
    for index in pattern.range {
      guard next < span.count else { return false }
      if octets[index] != span[next] { return octets[index] < span[next] }
      next += 1
    }
    return true
  }

  private func isEqual(_ pattern: Pattern, at place: Int, in span: Span<UInt8>) -> Bool {
    let (start, count) = (pattern.range.lowerBound, pattern.range.count)
    guard place + count <= span.count else { return false }
    return (0..<count).allSatisfy { octets[start + $0] == span[place + $0] }
  }
}
