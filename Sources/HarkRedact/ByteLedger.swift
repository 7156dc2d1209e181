/// What becomes of each byte of a capture. A byte that nothing claims is removed: strict redaction is an
/// allow-list.
struct ByteLedger {
  /// A claim on a byte. Several views may read it, as a fragment and as a part of what is put together of
  /// it: then the highest counts.
  enum Claim: UInt8 {
    /// No protocol explains it, but `share` keeps it.
    case kept = 1
    /// Its field tells nothing of a person or a device.
    case structural
    /// It shares its octets with bits that may tell something.
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

  let count: Int
  /// The highest claim on each byte, 0 for none; in the lower half of an octet that on one with an even
  /// place: the ledger of a large capture is large, too.
  private var claims: [UInt8]

  init(count: Int) {
    self.count = count
    claims = [UInt8](repeating: 0, count: (count + 1) / 2)
  }

  subscript(place: Int) -> Fate { Self.fates[Int(rank(place))] }

  /// By the highest claim on a byte.
  private static let fates = (0..<UInt8(16)).map { rank -> Fate in
    switch Claim(rawValue: rank) {
    case nil, .withheld: .removed
    case .kept: .kept
    case .structural: .structural
    case .replaced: .replaced
    case .recomputed: .recomputed
    }
  }

  private func rank(_ place: Int) -> UInt8 { claims[place >> 1] >> (UInt8(place & 1) << 2) & 15 }

  private mutating func set(_ place: Int, _ rank: UInt8) {
    let shift = UInt8(place & 1) << 2
    claims[place >> 1] = claims[place >> 1] & ~(15 << shift) | rank << shift
  }

  mutating func claim(_ range: Range<Int>, _ claim: Claim) {
    for place in range.clamped(to: 0..<count) where rank(place) < claim.rawValue {
      set(place, claim.rawValue)
    }
  }

  /// Takes all claims back.
  mutating func withdraw(_ range: Range<Int>) {
    for place in range.clamped(to: 0..<count) { set(place, 0) }
  }

  /// Overwrites what nothing claims.
  func blank(_ bytes: inout [UInt8]) {
    let isRemoved = Self.fates.map { $0 == .removed }
    for place in 0..<count where isRemoved[Int(rank(place))] { bytes[place] = 0 }
  }

  /// How many bytes have each fate. A byte that was zero before and is removed counts as removed.
  var account: [Fate: Int] {
    var counts = [Int](repeating: 0, count: Self.fates.count)
    for place in 0..<count { counts[Int(rank(place))] += 1 }
    return zip(Self.fates, counts).reduce(into: [:]) { $0[$1.0, default: 0] += $1.1 }
  }
}
