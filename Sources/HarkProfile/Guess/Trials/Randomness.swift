import HarkPlatform

/// Whether bytes look as if drawn evenly from all 256: ciphertext, keys, compressed data.
///
/// It counts the pairs of equal bytes. Of evenly drawn bytes each pair is equal with probability
/// 1/256, and pairs are independent two by two, so that the count is all but Poisson-distributed at
/// any size of the sample. An estimate of the entropy would say about any short sample that it is not
/// random.
struct Randomness {
  let bytes: Int
  let pairs: Int
  let equalPairs: Int

  /// Of fewer bytes nothing is said: counts of even and of uneven bytes are too near.
  static let fewest = 64
  /// More add nothing.
  static let most = 4_096
  /// Of what looks even, the chance that bytes of at most 6 bits of entropy (Rényi's, of order 2;
  /// Base64 has 6) would: one in a thousand. And the chance to miss evenly drawn bytes.
  private static let missed = 0.001, refused = 0.0005

  init(_ pieces: some Sequence<some Sequence<UInt8>>) {
    var counts = [Int](repeating: 0, count: 256)
    var taken = 0
    for piece in pieces {
      for byte in piece where taken < Self.most {
        counts[Int(byte)] += 1
        taken += 1
      }
    }
    bytes = taken
    pairs = taken * (taken - 1) / 2
    equalPairs = counts.reduce(0) { $0 + $1 * ($1 - 1) / 2 }
  }

  var isEven: Bool {
    guard bytes >= Self.fewest else { return false }
    let expected = Double(pairs) / 256
    let low = Self.atMost(equalPairs, expected)
    let high = 1 - Self.atMost(equalPairs - 1, expected)
    return low > Self.refused && high > Self.refused
      && Self.atMost(equalPairs, Double(pairs) / 64) < Self.missed
  }

  /// The probability that a Poisson variable is at most `count`.
  static func atMost(_ count: Int, _ mean: Double) -> Double {
    guard count >= 0 else { return 0 }
    // Terms in logarithms: of great means the first ones are too small for a Double.
    var (logarithm, sum) = (-mean, 0.0)
    for k in 0...count {
      if k > 0 { logarithm += log(mean) - log(Double(k)) }
      sum += exp(logarithm)
    }
    return min(1, sum)
  }
}
