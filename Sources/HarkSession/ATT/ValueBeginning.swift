import HarkCore

/// The first octets of a value, in place: keeping a value must not allocate.
struct ValueBeginning<let count: Int>: Sendable {
  private var words = InlineArray<count, UInt64>(repeating: 0)

  init() {}

  init(_ value: RawSpan) {
    // Most values are short: words after their end stay zero.
    for index in 0..<min(count, (value.byteCount + 7) / 8) {
      words[index] = value.unsigned(at: index * 8, 8)
    }
  }

  /// The octets that are kept of a value with `size` octets.
  func octets(_ size: Int) -> [UInt8] {
    (0..<max(0, min(size, count * 8))).map { place in
      UInt8(truncatingIfNeeded: words[place / 8] >> UInt64(place % 8 * 8))
    }
  }
}
