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
    let kept = max(0, min(size, count * 8))
    return [UInt8](unsafeUninitializedCapacity: kept) { octets, initialized in
      for place in 0..<kept {
        unsafe octets.initializeElement(
          at: place, to: UInt8(truncatingIfNeeded: words[place / 8] >> UInt64(place % 8 * 8)))
      }
      initialized = kept
    }
  }
}
