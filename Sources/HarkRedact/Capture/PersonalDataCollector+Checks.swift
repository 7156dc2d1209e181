import HarkDissection

/// Checksums over what changes.
extension PersonalDataCollector {
  mutating func takeCheck(
    _ checksum: @escaping Field.Checksum, _ node: Tree.Node, from start: Int, _ pieces: PDUPieces
  ) {
    guard let places = checkedPlaces(node, from: start, pieces) else { return }
    let check = PayloadCheck(
      checksum, count: Int(node.count), of: places.map { capture[$0] }, at: places,
      wasBigEndian: orders[node.field])
    guard let check else { return }
    orders[node.field] = check.isBigEndian
    checks.append(check)
  }

  mutating func takeCRC(_ node: Tree.Node, from start: Int, _ pieces: PDUPieces) {
    guard pieces.pieces.count == 1, let piece = pieces.pieces.first,
      piece.range.lowerBound <= start, start < Int(node.offset)
    else { return }
    let place = piece.place - piece.range.lowerBound
    if let check = AirCheck((place + start)..<(place + Int(node.offset)), in: capture) {
      airChecks.append(check)
    }
  }

  mutating func takeHeaderCheck(_ node: Tree.Node, _ pieces: PDUPieces) {
    pieces.forEach(of: node.range) { place, count, _ in
      if count == HeaderCheck.count { headerChecks.append(HeaderCheck(start: place)) }
    }
  }

  /// Where each byte of a layer is up to a checksum, and with it.
  private func checkedPlaces(
    _ node: Tree.Node, from start: Int, _ pieces: PDUPieces
  ) -> [Int]? {
    guard start < node.range.upperBound else { return nil }
    var places: [Int] = []
    pieces.forEach(of: start..<node.range.upperBound) { place, count, from in
      // Not where a part is there twice.
      if from == places.count { places += place..<(place + count) }
    }
    return places.count == node.range.upperBound - start ? places : nil
  }
}
