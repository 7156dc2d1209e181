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

  /// - Parameters:
  ///   - node: The CRC of an over-the-air LE packet; other CRCs have fewer octets.
  ///   - start: The offset of the packet's Access Address.
  mutating func takeCRC(
    _ node: Tree.Node, of tree: Tree, from start: Int, _ pieces: PDUPieces
  ) {
    // A Coding Indicator may be between the Access Address and the PDU.
    let pdu = start + (tree.nodes.contains { Self.coding.contains($0.field) } ? 5 : 4)
    guard node.count == 3, pieces.pieces.count == 1, let piece = pieces.pieces.first,
      piece.range.lowerBound <= start, pdu < Int(node.offset)
    else { return }
    let place = piece.place - piece.range.lowerBound
    let address = (0..<4).reduce(UInt32(0)) {
      $0 | UInt32(capture[place + start + $1]) << (UInt32($1) * 8)
    }
    let check = AirCheck(
      (place + pdu)..<(place + Int(node.offset)), accessAddress: address, in: capture)
    if let check { airChecks.add(check, in: capture) }
  }

  private static let coding = Set(Catalog.shared.fields(at: "ll.coding"))

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
