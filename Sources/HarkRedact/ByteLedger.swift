/// What becomes of each byte of a capture. A byte that nothing claims is removed: strict redaction is an
/// allow-list.
struct ByteLedger {
  /// A claim on a byte. Several views may read it, as a fragment and as a part of what is put together of
  /// it: then the highest counts.
  enum Claim: UInt8 {
    /// No protocol explains it, but `share` keeps it.
    case kept = 1
    /// Its field reveals nothing about a person or a device.
    case structural
    /// It shares its octets with bits that may reveal something.
    case withheld
    case replaced
    case recomputed
  }

  enum Fate: Int, CaseIterable {
    case removed, kept, structural, replaced, recomputed

    var word: StaticString {
      switch self {
      case .removed: "removed"
      case .kept: "kept"
      case .structural: "structural"
      case .replaced: "replaced"
      case .recomputed: "recomputed"
      }
    }
  }

  /// The claims on 64 bytes. The ledger of a large capture is large, too, and most claims are on some bytes in
  /// a row: each of the three bits of a claim has a word of its own, with a bit for each byte.
  private struct Part {
    var bits = (low: UInt64(0), middle: UInt64(0), high: UInt64(0))

    /// Those on which there is no claim, or that is withheld.
    var removed: UInt64 { ~bits.high & ~(bits.low ^ bits.middle) }
    var kept: UInt64 { ~bits.high & ~bits.middle & bits.low }
    var structural: UInt64 { ~bits.high & bits.middle & ~bits.low }
    var replaced: UInt64 { bits.high & ~bits.low }
    var recomputed: UInt64 { bits.high & bits.low }
    /// Those that are as they were.
    var unchanged: UInt64 { ~bits.high & (bits.low ^ bits.middle) }

    mutating func claim(_ mask: UInt64, _ claim: Claim) {
      let (low, middle, high) = bits
      let isLower: UInt64 =
        switch claim {
        case .kept: ~(low | middle | high)
        case .structural: ~(middle | high)
        case .withheld: ~high & ~(low & middle)
        case .replaced: ~high
        case .recomputed: ~(high & low)
        }
      let set = mask & isLower
      let number = claim.rawValue
      bits.low = low & ~set | (number & 1 == 0 ? 0 : set)
      bits.middle = middle & ~set | (number & 2 == 0 ? 0 : set)
      bits.high = high & ~set | (number & 4 == 0 ? 0 : set)
    }

    mutating func withdraw(_ mask: UInt64) {
      bits = (bits.low & ~mask, bits.middle & ~mask, bits.high & ~mask)
    }

    /// Calls `body` with each run of bits that are set.
    static func forEachRun(of mask: UInt64, _ body: (Range<Int>) -> Void) {
      var rest = mask
      while rest != 0 {
        let start = rest.trailingZeroBitCount
        let count = (~(rest >> UInt64(start))).trailingZeroBitCount
        body(start..<(start + count))
        if start + count == 64 { return }
        rest &= ~0 << UInt64(start + count)
      }
    }
  }

  let count: Int
  private var parts: [Part]

  init(count: Int) {
    self.count = count
    parts = [Part](repeating: Part(), count: (count + 63) / 64)
  }

  subscript(place: Int) -> Fate {
    let (part, bit) = (parts[place >> 6], UInt64(1) << UInt64(place & 63))
    if part.removed & bit != 0 { return .removed }
    if part.structural & bit != 0 { return .structural }
    if part.kept & bit != 0 { return .kept }
    return part.replaced & bit != 0 ? .replaced : .recomputed
  }

  /// Calls `body` with each part that has bytes of `range`, and a bit for each of them.
  private mutating func forEachPart(of range: Range<Int>, _ body: (inout Part, UInt64) -> Void) {
    let range = range.clamped(to: 0..<count)
    var place = range.lowerBound
    while place < range.upperBound {
      let end = min(place | 63, range.upperBound - 1)
      let mask = (~UInt64(0) >> UInt64(63 - (end - place))) << UInt64(place & 63)
      body(&parts[place >> 6], mask)
      place = end + 1
    }
  }

  mutating func claim(_ range: Range<Int>, _ claim: Claim) {
    forEachPart(of: range) { part, mask in part.claim(mask, claim) }
  }

  /// Takes all claims back.
  mutating func withdraw(_ range: Range<Int>) {
    forEachPart(of: range) { part, mask in part.withdraw(mask) }
  }

  /// Calls `body` with runs of bytes that are removed, or else of those that are as they were, in order.
  private func forEachRun(areRemoved: Bool, _ body: (Range<Int>) -> Void) {
    for index in parts.indices {
      let start = index * 64
      Part.forEachRun(of: areRemoved ? parts[index].removed : parts[index].unchanged) { run in
        body((start + run.lowerBound)..<min(start + run.upperBound, count))
      }
    }
  }

  /// Overwrites what nothing claims.
  func blank(_ bytes: inout [UInt8]) {
    var span = bytes.mutableSpan
    forEachRun(areRemoved: true) { run in for place in run { span[place] = 0 } }
  }

  /// Whether all that nothing claims is overwritten.
  func isBlank(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var isBlank = true
    forEachRun(areRemoved: true) { run in
      for place in run where span[place] != 0 { isBlank = false }
    }
    return isBlank
  }

  /// What is not changed of `bytes`.
  func sums(_ bytes: [UInt8]) -> UnchangedSums {
    let span = bytes.span
    var sums = UnchangedSums(count: count)
    forEachRun(areRemoved: false) { run in
      for place in run { sums.add(span[place], at: place) }
    }
    return sums
  }

  func isUnchanged(_ place: Int) -> Bool {
    parts[place >> 6].unchanged >> UInt64(place & 63) & 1 == 1
  }

  /// How many bytes have each fate. A byte that was zero before and is removed counts as removed.
  var account: [Fate: Int] {
    var (kept, structural, replaced, recomputed) = (0, 0, 0, 0)
    for part in parts {
      kept += part.kept.nonzeroBitCount
      structural += part.structural.nonzeroBitCount
      replaced += part.replaced.nonzeroBitCount
      recomputed += part.recomputed.nonzeroBitCount
    }
    return [
      .kept: kept, .structural: structural, .replaced: replaced, .recomputed: recomputed,
      .removed: count - kept - structural - replaced - recomputed,
    ]
  }
}

/// Sums over the bytes that a redaction leaves as they are, with which the proof compares them: the capture itself
/// need not be held any more.
struct UnchangedSums: Equatable {
  /// So many bytes have one sum.
  static let size = 1 << 12

  private var sums: [UInt64]

  init(count: Int) {
    sums = [UInt64](repeating: 0, count: count / Self.size + 1)
  }

  mutating func add(_ byte: UInt8, at place: Int) {
    sums[place / Self.size] &+= Self.summand(byte, at: place)
  }

  mutating func remove(_ byte: UInt8, at place: Int) {
    sums[place / Self.size] &-= Self.summand(byte, at: place)
  }

  /// The first bytes that have another sum.
  func difference(to other: UnchangedSums) -> Range<Int>? {
    guard let index = zip(sums, other.sums).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return nil }
    return (index * Self.size)..<((index + 1) * Self.size)
  }

  /// Another for each byte and place: SplitMix64.
  private static func summand(_ byte: UInt8, at place: Int) -> UInt64 {
    var mixed = (UInt64(truncatingIfNeeded: place) << 8 | UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 27
  }
}
