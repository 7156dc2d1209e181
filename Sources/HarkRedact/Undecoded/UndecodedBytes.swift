/// Bytes that nothing decodes, in the order in which they were sent.
struct UndecodedBytes {
  let all: [UInt8]
  /// Where values begin.
  private let starts: Set<Int>

  init(_ all: [UInt8], starts: Set<Int> = []) { (self.all, self.starts) = (all, starts) }

  /// Whether a value begins at a place, or the last one ends there.
  func isEdge(_ place: Int) -> Bool {
    place <= 0 || place >= all.count || starts.contains(place)
  }

  /// Whether a range is a value of its own.
  func isValue(_ range: Range<Int>) -> Bool {
    isEdge(range.lowerBound) && isEdge(range.upperBound)
      && !range.dropFirst().contains(where: starts.contains)
  }

  /// The end of the value that has a place.
  func end(ofValueAt place: Int) -> Int {
    var end = place + 1
    while !isEdge(end) { end += 1 }
    return end
  }

  /// Whether a number before a range is its length: in octets or in `units` of them, in one octet or in two, or in the head
  /// of a text of CBOR or MessagePack. RFC 8949, 3.1
  func isStated(_ range: Range<Int>, units: Int = 1) -> Bool {
    let start = range.lowerBound
    guard !isEdge(start) else { return false }
    let counts = units > 1 ? [range.count, range.count / units] : [range.count]
    let last = Int(all[start - 1])
    if counts.contains(last) { return true }
    if range.count < 32, last == 0xA0 | range.count { return true }
    guard !isEdge(start - 1) else { return false }
    let before = Int(all[start - 2])
    return counts.contains(before << 8 | last) || counts.contains(last << 8 | before)
  }

  /// The parts of a range that lie in one value each.
  func parts(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for place in range.dropFirst() where starts.contains(place) {
      parts.append(start..<place)
      start = place
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}
