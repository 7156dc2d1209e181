/// What becomes of each byte of a capture. A byte that nothing claims is removed: strict redaction is an
/// allow-list.
struct ByteLedger {
  /// Claims on a byte, by bits: several views may read it, as a fragment and as a part of what is put
  /// together of it.
  struct Claims: OptionSet {
    let rawValue: UInt8

    /// No protocol explains it, but `share` keeps it.
    static let kept = Claims(rawValue: 1)
    /// Its field tells nothing of a person or a device.
    static let structural = Claims(rawValue: 2)
    /// It shares its octets with bits that may tell something.
    static let withheld = Claims(rawValue: 4)
    static let replaced = Claims(rawValue: 8)
    static let recomputed = Claims(rawValue: 16)
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

  private var claims: [UInt8]

  init(count: Int) { claims = [UInt8](repeating: 0, count: count) }

  var count: Int { claims.count }

  subscript(place: Int) -> Fate { Self.fates[Int(claims[place])] }

  /// By the claims on a byte.
  private static let fates = (0..<UInt8(32)).map { fate(of: Claims(rawValue: $0)) }

  private static func fate(of claim: Claims) -> Fate {
    if claim.contains(.recomputed) { return .recomputed }
    if claim.contains(.replaced) { return .replaced }
    if claim.contains(.withheld) { return .removed }
    if claim.contains(.structural) { return .structural }
    return claim.contains(.kept) ? .kept : .removed
  }

  mutating func claim(_ range: Range<Int>, _ claim: Claims) {
    for place in range.clamped(to: 0..<claims.count) { claims[place] |= claim.rawValue }
  }

  /// Takes all claims back.
  mutating func withdraw(_ range: Range<Int>) {
    for place in range.clamped(to: 0..<claims.count) { claims[place] = 0 }
  }

  func holds(_ place: Int, _ claim: Claims) -> Bool { claims[place] & claim.rawValue != 0 }

  /// Overwrites what nothing claims.
  func blank(_ bytes: inout [UInt8]) {
    let isRemoved = Self.fates.map { $0 == .removed }
    for place in claims.indices where isRemoved[Int(claims[place])] { bytes[place] = 0 }
  }

  /// How many bytes have each fate. A byte that was zero before and is removed counts as removed.
  var account: [Fate: Int] {
    var counts = [Int](repeating: 0, count: Self.fates.count)
    for claim in claims { counts[Int(claim)] += 1 }
    return zip(Self.fates, counts).reduce(into: [:]) { $0[$1.0, default: 0] += $1.1 }
  }
}
