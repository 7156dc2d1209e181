/// Whether a byte has few different values, as the kind of a message has.
enum CodeTrial {
  private static let most = 16

  /// Each value and how often it is there; nil if there are too many for the number of samples.
  static func find(_ samples: Samples) -> [(value: UInt8, count: Int)]? {
    guard samples.shortest > 0, samples.distinct.count >= Least.codes else { return nil }
    var counts: [UInt8: Int] = [:]
    for byte in samples.column(0) { counts[byte, default: 0] += 1 }
    guard (2...most).contains(counts.count), counts.count * 3 <= samples.distinct.count else {
      return nil
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
