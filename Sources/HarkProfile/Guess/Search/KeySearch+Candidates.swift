import HarkCrypto

// Where an encapsulated key may be.
extension KeySearch {
  /// Bytes that may be an encapsulated key.
  struct Candidate {
    let piece: SearchedBytes
    let shape: KeyShape
    let offset: Int

    var bytes: ArraySlice<UInt8> { piece.bytes[offset..<offset + shape.size] }

    func part(before identifier: Source) -> Part {
      // Only the first octet of an uncompressed point distinguishes it from data of that size.
      let prefix =
        offset == 0 && shape == .p256Uncompressed
        ? [piece.bytes[0]] : KeySearch.prefix(of: piece.bytes, before: offset, identifier)
      return Part(
        place: piece.place, offset: offset, count: shape.size, prefix: prefix, lead: piece.lead,
        marks: piece.marks)
    }
  }

  /// Those that are most likely come first.
  static func candidates(
    _ pieces: [SearchedBytes], _ own: [(suite: CipherSuite, bytes: [UInt8])],
    _ suites: Set<CipherSuite>
  ) -> [Candidate] {
    var found: [(candidate: Candidate, rank: Int)] = []
    var tried: Set<[UInt8]> = []
    var counts: [CipherSuite: Int] = [:]
    for piece in pieces {
      for shape in [KeyShape.p256Uncompressed, .p256, .xWingEncapsulated]
      where suites.contains(shape.suite) {
        let most = shape.isProvable ? mostCandidates : mostLooked
        for (rank, offset) in offsets(of: shape, in: piece.bytes).enumerated() {
          guard counts[shape.suite, default: 0] < most else { break }
          let bytes = Array(piece.bytes[offset..<offset + shape.size])
          guard !own.contains(where: { bytes.suffix($0.bytes.count).elementsEqual($0.bytes) }),
            tried.insert(bytes).inserted
          else { continue }
          counts[shape.suite, default: 0] += 1
          // A member of exactly that size is most likely.
          let isAlone = piece.bytes.count == shape.size
          found.append(
            (Candidate(piece: piece, shape: shape, offset: offset), isAlone ? -1 : rank))
        }
      }
    }
    // The most likely ones of each message, so that other messages of that size do not take all attempts.
    var unproved = 0
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.candidate).filter {
        if $0.shape.isProvable { return true }
        unproved += 1
        return unproved <= mostUnproved
      }
  }

  /// Places that are tried where only the size suggests a key.
  private static let mostUnproved = 2 * (reach + 1)
  /// Those of which they are the most likely.
  private static let mostLooked = 32 * mostUnproved

  /// Where the bytes may be a key: a point is on the curve; for X-Wing, only the size is known.
  private static func offsets(of shape: KeyShape, in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= shape.size else { return [] }
    let last = min(reach, bytes.count - shape.size)
    switch shape {
    case .p256Uncompressed:
      return (0...last).filter { bytes[$0] == 4 && shape.fits(bytes[$0..<$0 + shape.size]) }
    case .p256:
      guard bytes.count <= shape.size + reach else { return [] }
      return (0...last).filter { offset in
        (offset == 0 || bytes[offset - 1] != 4) && shape.fits(bytes[offset..<offset + shape.size])
      }
    default:
      guard bytes.count <= shape.size + reach, !isText(bytes) else { return [] }
      // After its own length, at the end or the beginning, next to a UUID; then anywhere.
      let measured = (0...last).filter { isLength(shape.size, before: $0, in: bytes) }
      let end = bytes.count - shape.size
      let likely = [end, 0, 1, 2, end - 16, end - 36].filter { (0...last).contains($0) }
      var seen: Set<Int> = []
      return (measured + likely + Array(0...last)).filter { seen.insert($0).inserted }
    }
  }

  /// Whether the two bytes before `offset` are `size`: in either order, or as a varint of Protocol Buffers.
  private static func isLength(_ size: Int, before offset: Int, in bytes: [UInt8]) -> Bool {
    guard offset >= 2 else { return false }
    let (first, second) = (Int(bytes[offset - 2]), Int(bytes[offset - 1]))
    return first << 8 | second == size || second << 8 | first == size
      || first & 0x80 != 0 && second & 0x80 == 0 && second << 7 | first & 0x7F == size
  }
}
