/// Where in the capture the bytes of a PDU are that came in several packets, or in a part of one.
struct PDUPieces {
  struct Piece {
    /// In the capture.
    let place: Int
    /// Of the PDU.
    let range: Range<Int>
  }

  private(set) var pieces: [Piece] = []

  /// All bytes of a packet, or of the capture, from `place` on.
  init(at place: Int, count: Int) {
    pieces = [Piece(place: place, range: 0..<count)]
  }

  /// Parts that are known.
  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// The parts of `range`, as those of a PDU in which it begins at `start`.
  func part(_ range: Range<Int>, at start: Int) -> [Piece] {
    var part: [Piece] = []
    forEach(of: range) { place, count, from in
      part.append(Piece(place: place, range: (start + from)..<(start + from + count)))
    }
    return part
  }

  /// Finds the parts of `pdu` in the packets that it came in: each has one, mostly at its end. Where
  /// one of them has the same bytes twice, both are meant.
  /// - Returns: Nil if that is not how it was made: bytes were unescaped, or decoded.
  init?(of pdu: [UInt8], in packets: [Range<Int>], _ capture: [UInt8]) {
    var done = 0
    for (number, packet) in packets.enumerated() where done < pdu.count {
      guard packet.upperBound <= capture.count else { return nil }
      let isLast = number == packets.count - 1
      guard let (places, count) = Self.part(of: pdu[done...], in: packet, isLast, capture) else {
        continue
      }
      pieces += places.map { Piece(place: $0, range: done..<(done + count)) }
      done += count
    }
    guard done == pdu.count, !pieces.isEmpty else { return nil }
  }

  /// How much may stand after a part in its packet: frame check sequences and checksums.
  private static let mostBehind = 4

  private static func part(
    of rest: ArraySlice<UInt8>, in packet: Range<Int>, _ isLast: Bool, _ capture: [UInt8]
  ) -> ([Int], Int)? {
    let span = capture.span
    func holds(_ place: Int, _ count: Int) -> Bool {
      var index = 0
      while index < count, span[place &+ index] == rest[rest.startIndex &+ index] { index &+= 1 }
      return index == count
    }
    if rest.count <= packet.count {
      let places = (packet.lowerBound...(packet.upperBound - rest.count)).filter {
        holds($0, rest.count)
      }
      if !places.isEmpty { return (places, rest.count) }
    }
    guard !isLast else { return nil }
    var count = min(rest.count, packet.count)
    while count > 0 {
      for behind in 0...mostBehind where count + behind <= packet.count {
        let place = packet.upperBound - behind - count
        if holds(place, count) { return ([place], count) }
      }
      count -= 1
    }
    return nil
  }

  /// Calls `body` with the places of the bytes in `range`: of each part the place in the capture, how
  /// many bytes, and where in `range` it begins.
  func forEach(of range: Range<Int>, _ body: (_ place: Int, _ count: Int, _ from: Int) -> Void) {
    for piece in pieces {
      let part = range.clamped(to: piece.range)
      guard !part.isEmpty else { continue }
      body(
        piece.place + part.lowerBound - piece.range.lowerBound, part.count,
        part.lowerBound - range.lowerBound)
    }
  }
}
