/// Looks for a value in the packets that a message came in: it may be cut anywhere, and the pieces
/// have headers of a vendor's own.
struct LocalPlaces {
  let capture: [UInt8]
  /// Where the packets of the message are, in order.
  let packets: [Range<Int>]

  /// How long a header in front of a piece may be.
  private static let longestHeader = 48
  /// The fewest bytes at a packet's end that are taken for the beginning of a value.
  private static let fewest = 1

  /// The places of `text` in order, and how many bytes of it are at each; empty where it is not there.
  func find(_ text: [UInt8]) -> [(place: Int, count: Int)] {
    guard !text.isEmpty else { return [] }
    var found: [(Int, Int)] = []
    let span = capture.span
    for (number, packet) in packets.enumerated() where packet.upperBound <= capture.count {
      for place in packet where span[place] == text[0] {
        if let rest = pieces(of: text, from: 0, at: place, in: number) { found += rest }
      }
    }
    return found
  }

  /// The pieces of `text` behind its first `done` bytes, the first at `place`; nil where it does not
  /// go on there.
  private func pieces(
    of text: [UInt8], from done: Int, at place: Int, in number: Int
  ) -> [(Int, Int)]? {
    let span = capture.span
    let end = packets[number].upperBound
    var count = 0
    while done + count < text.count, place + count < end,
      span[place + count] == text[done + count]
    {
      count += 1
    }
    if done + count == text.count { return [(place, count)] }
    guard place + count == end, count >= Self.fewest, number + 1 < packets.count else {
      return nil
    }
    let next = packets[number + 1]
    guard next.upperBound <= capture.count else { return nil }
    for start in next.prefix(Self.longestHeader)
    where span[start] == text[done + count] {
      if let rest = pieces(of: text, from: done + count, at: start, in: number + 1) {
        return [(place, count)] + rest
      }
    }
    return nil
  }
}
