/// Looks for a value in the packets that a message came in: it may be cut anywhere, and the pieces
/// have headers of a vendor's own.
struct LocalPlaces {
  let capture: [UInt8]
  /// Where the packets of the message are, in order.
  let packets: [Range<Int>]

  /// How long a header in front of a piece may be.
  private static let longestHeader = 48
  /// How many packets without a piece may be between two: the execution of queued writes.
  private static let mostBetween = 2
  /// How much may stand after a piece in its packet: checksums.
  private static let mostBehind = 4
  /// In how many pieces a value may be.
  private static let mostPieces = 300
  /// How often it is tried to continue in the next packet: captures may be made to have no end of it.
  private static let mostTries = 200_000

  init(capture: [UInt8], packets: [Range<Int>]) {
    self.capture = capture
    self.packets = packets.filter { $0.upperBound <= capture.count }
  }

  /// The places of `text`, and how many bytes of it are at each; empty if it is not there.
  func find(_ text: [UInt8]) -> [(place: Int, count: Int)] {
    guard let first = text.first else { return [] }
    var found: [[(place: Int, count: Int)]] = []
    var tries = Self.mostTries
    let span = capture.span
    for (number, packet) in packets.enumerated() {
      for place in packet where span[place] == first {
        if let pieces = pieces(of: text, from: 0, at: place, in: number, Self.mostPieces, &tries) {
          found.append(pieces)
        }
      }
    }
    return Self.apart(found).flatMap { $0 }
  }

  /// Those that share no byte. What is equal by chance at the end of a packet, and continues in the next one, shares bytes
  /// with what is there in fewer pieces.
  private static func apart(
    _ found: [[(place: Int, count: Int)]]
  ) -> [[(place: Int, count: Int)]] {
    guard found.count > 1 else { return found }
    var taken: Set<Int> = []
    return found.enumerated()
      .sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
      .map(\.element)
      .filter { pieces in
        let places = pieces.flatMap { $0.place..<($0.place + $0.count) }
        guard taken.isDisjoint(with: places) else { return false }
        taken.formUnion(places)
        return true
      }
  }

  /// The pieces of `text` after its first `done` bytes, the first at `place`; nil if it does not
  /// continue there.
  private func pieces(
    of text: [UInt8], from done: Int, at place: Int, in number: Int, _ most: Int, _ tries: inout Int
  ) -> [(place: Int, count: Int)]? {
    let span = capture.span
    let end = packets[number].upperBound
    var count = 0
    while done + count < text.count, place + count < end,
      span[place + count] == text[done + count]
    {
      count += 1
    }
    if done + count == text.count { return [(place, count)] }
    // What is equal may continue by chance in what stands after the piece.
    let shortest = max(end - Self.mostBehind - place, 1)
    guard most > 1, shortest <= count else { return nil }
    for part in (shortest...count).reversed() {
      for next in packets.indices[(number + 1)...].prefix(Self.mostBetween + 1) {
        for start in packets[next].prefix(Self.longestHeader)
        where span[start] == text[done + part] && tries > 0 {
          tries -= 1
          let rest = pieces(of: text, from: done + part, at: start, in: next, most - 1, &tries)
          if let rest { return [(place, part)] + rest }
        }
      }
    }
    return nil
  }
}
