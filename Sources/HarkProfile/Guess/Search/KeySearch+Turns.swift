// Which messages are tried, and in which order.
extension KeySearch {
  /// Some of each place: the first of all places, then the second. Short ones cost least, but other messages of the
  /// place may be shorter, so that they are of all sizes that it has.
  static func inTurn(_ pieces: [SearchedBytes]) -> [SearchedBytes] {
    let places = byPlace(pieces).map(someOfAllSizes)
    return (0..<mostTried).flatMap { turn in
      places.compactMap { turn < $0.count ? $0[turn] : nil }
    }
  }

  static func someOfAllSizes(_ pieces: [SearchedBytes]) -> [SearchedBytes] {
    let sorted = pieces.sorted { $0.bytes.count < $1.bytes.count }
    guard sorted.count > mostTried else { return sorted }
    return (0..<mostTried).map { sorted[$0 * (sorted.count - 1) / (mostTried - 1)] }
  }

  /// Whether no key and nothing sealed is in it: random bytes of that size are no text.
  static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F || (0x09...0x0D).contains($0) }
  }

  /// In the order of the places' first ones.
  static func byPlace(_ pieces: [SearchedBytes]) -> [[SearchedBytes]] {
    var indexes: [SearchedBytes.Place: Int] = [:]
    var found: [[SearchedBytes]] = []
    for piece in pieces {
      if let index = indexes[piece.place] {
        found[index].append(piece)
      } else {
        indexes[piece.place] = found.count
        found.append([piece])
      }
    }
    return found
  }
}
