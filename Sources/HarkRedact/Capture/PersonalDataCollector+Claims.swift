/// What becomes of bytes of a PDU, wherever its parts are in the capture.
extension PersonalDataCollector {
  mutating func claim(_ range: Range<Int>, _ pieces: PDUPieces, _ claim: ByteLedger.Claim) {
    for piece in pieces.pieces {
      let part = range.clamped(to: piece.range)
      guard !part.isEmpty else { continue }
      let start = piece.place + part.lowerBound - piece.range.lowerBound
      ledger.claim(start..<(start + part.count), claim)
    }
  }

  func bytes(_ range: Range<Int>, _ pieces: PDUPieces) -> [UInt8] {
    if pieces.pieces.count == 1, let piece = pieces.pieces.first, piece.range.contains(range) {
      let start = piece.place + range.lowerBound - piece.range.lowerBound
      return Array(capture[start..<(start + range.count)])
    }
    var bytes: [UInt8] = []
    pieces.forEach(of: range) { place, count, from in
      if from == bytes.count { bytes += capture[place..<(place + count)] }
    }
    return bytes
  }

  mutating func keep(
    _ value: PersonalTable.Index, _ range: Range<Int>, _ pieces: PDUPieces,
    spelling: Spelling = .plain
  ) {
    for piece in pieces.pieces {
      let part = range.clamped(to: piece.range)
      guard !part.isEmpty else { continue }
      places.append(
        Place(
          place: UInt32(truncatingIfNeeded: piece.place + part.lowerBound - piece.range.lowerBound),
          count: UInt32(part.count), value: UInt32(value),
          from: UInt32(part.lowerBound - range.lowerBound), spelling: spelling))
    }
    claim(range, pieces, .replaced)
  }
}
