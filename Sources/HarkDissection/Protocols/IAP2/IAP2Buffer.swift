import HarkCore

/// The bytes of one direction of a stream of iAP, from which its frames are taken: they begin and
/// end anywhere in the packets that carry them.
package struct IAP2Buffer: Sendable {
  package enum Frame: Sendable {
    case detection
    case link
    case iap1
  }

  package struct Found: Sendable {
    package let frame: Frame
    /// In `bytes`.
    package let range: Range<Int>
    /// How many bytes before it belong to no frame.
    package let skipped: Int
    /// Whether any of them is not zero.
    package let skipsData: Bool
    /// Whether they begin like a link packet, whose header is wrong.
    package let skipsHeader: Bool
    /// Frames before it whose rest is missing.
    package let incomplete: [Incomplete]
  }

  /// A frame whose rest is missing.
  package struct Incomplete: Equatable, Sendable {
    /// How many bytes of it are there.
    package let present: Int
    /// How many are missing; nil if its header is not complete.
    package let missing: Int?
    package let packets: [UInt32]
  }

  /// Emptied and used again.
  package private(set) var bytes: [UInt8] = []
  /// The sum of all bytes before each place and those that were there earlier, modulo 256: the
  /// checksum of what only looks like a long frame costs no more than that of a short one.
  private var sums: [UInt8] = [0]
  /// Where the next frame is looked for.
  private var start = 0
  package private(set) var skipped = 0
  /// Kept apart from the bytes: `compact` forgets those that were skipped.
  private var skipsData = false
  private var skipsHeader = false
  private var incomplete: [Incomplete] = []
  /// How many of the bytes that come next belong to a packet of which the recorder cut a part.
  private var skips = 0
  /// Which bytes came in each packet. Several packets may hold the fragments of one piece.
  private var pieces: [(start: Int, end: Int, packet: UInt32)] = []

  package init() {}

  /// What is left of a frame whose end has not come.
  package var rest: Range<Int> { start..<bytes.count }

  /// Whether the bytes that come next belong to a packet that was cut.
  package var isSkipping: Bool { skips > 0 }

  package mutating func append(_ piece: RawSpan, _ packet: UInt32) {
    let first = min(skips, piece.byteCount)
    skips -= first
    let piece = piece.extracting(first..<piece.byteCount)
    for index in 0..<piece.byteCount {
      let byte = piece.byte(at: index)
      sums.append(sums[bytes.count] &+ byte)
      bytes.append(byte)
    }
    pieces.append((bytes.count - piece.byteCount, bytes.count, packet))
  }

  /// As above, where the piece came in several packets.
  package mutating func append(_ piece: RawSpan, _ packets: [UInt32]) {
    for packet in packets.dropLast() {
      pieces.append((bytes.count, bytes.count + piece.byteCount, packet))
    }
    append(piece, packets.last ?? 0)
  }

  /// Forgets the frames that were taken.
  package mutating func compact() {
    guard start > 0 else { return }
    bytes.removeSubrange(..<start)
    sums.removeSubrange(..<start)
    pieces.removeAll { $0.end <= start }
    for index in pieces.indices {
      pieces[index].start -= start
      pieces[index].end -= start
    }
    start = 0
  }

  /// How long the link packet is whose end has not come, where its header has.
  package var begunLength: Int? {
    guard rest.count >= 9, bytes[start] == 0xFF, bytes[start + 1] == 0x5A else { return nil }
    return Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
  }

  /// Whether bytes at the beginning of a stream are of iAP2: the detection, or a link packet.
  package static func resembles(_ bytes: RawSpan) -> Bool {
    var buffer = IAP2Buffer()
    buffer.append(bytes, 0)
    guard let found = buffer.next(isIAP1: false) else {
      // The header of a longer packet.
      return bytes.byteCount >= 9 && buffer.rest.lowerBound == 0
    }
    return found.skipped == 0
  }

  /// Forgets all, and passes over the next `count` bytes.
  package mutating func skip(_ count: Int) {
    removeAll()
    skips = max(0, count)
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sums.removeSubrange(1...)
    pieces.removeAll(keepingCapacity: true)
    (start, skipped, skipsData, skipsHeader, incomplete) = (0, 0, false, false, [])
  }

  /// The next bytes are not those of the frame whose end has not come: bytes in between are missing.
  package mutating func abandonRest() {
    guard !rest.isEmpty else { return }
    noteIncomplete(until: bytes.count)
  }

  /// What is there of frames whose rest did not come, at the end of the stream.
  package func incompleteAtEnd() -> [Incomplete] {
    guard !rest.isEmpty else { return incomplete }
    return incomplete + [incomplete(until: bytes.count)]
  }

  private func incomplete(until end: Int) -> Incomplete {
    Incomplete(
      present: end - start, missing: begunLength.map { max(0, $0 - (end - start)) },
      packets: packets(of: start..<end))
  }

  /// The frame at `start` ends before its time.
  private mutating func noteIncomplete(until end: Int) {
    incomplete.append(incomplete(until: end))
    start = end
  }

  /// The packets that hold the bytes of `range`, in order.
  package func packets(of range: Range<Int>) -> [UInt32] {
    var result: [UInt32] = []
    for piece in pieces where piece.start < range.upperBound && piece.end > range.lowerBound {
      if result.last != piece.packet { result.append(piece.packet) }
    }
    return result
  }

  // MARK: Frames

  private enum Length {
    case known(Frame, Int)
    case needsMore
    case none
  }

  /// The next frame that is there to its end.
  /// - Parameter isIAP1: Whether frames of iAP1 are looked for: they begin with a common byte.
  package mutating func next(isIAP1: Bool) -> Found? {
    while start < bytes.count {
      switch length(at: start, isIAP1: isIAP1) {
      case .needsMore: return nil
      case .none:
        if bytes[start] != 0 { skipsData = true }
        if skipped == 0, bytes[start...].starts(with: [0xFF, 0x5A]) { skipsHeader = true }
        start += 1
        skipped += 1
      case .known(let frame, let count):
        let range = start..<(start + count)
        // The rest of this packet never arrived, and the next one fell into it.
        if case .link = frame, let inside = lost(range) {
          noteIncomplete(until: inside)
          continue
        }
        defer {
          (start, skipped, incomplete) = (range.upperBound, 0, [])
          (skipsData, skipsHeader) = (false, false)
        }
        return Found(
          frame: frame, range: range, skipped: skipped, skipsData: skipsData,
          skipsHeader: skipsHeader, incomplete: incomplete)
      }
    }
    return nil
  }

  private func length(at index: Int, isIAP1: Bool) -> Length {
    let count = bytes.count - index
    if bytes[index] == 0x55, isIAP1 { return iap1(at: index, sync: 0) }
    guard bytes[index] == 0xFF else { return .none }
    guard count >= 2 else { return .needsMore }
    switch bytes[index + 1] {
    case 0x5A:
      guard count >= 9 else { return .needsMore }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      guard sum(index..<(index + 9)) == 0, length >= 9 else { return .none }
      return count >= length ? .known(.link, length) : .needsMore
    case 0x55:
      let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]
      if bytes[index...].prefix(6).elementsEqual(detection.prefix(count)) {
        return count >= 6 ? .known(.detection, 6) : .needsMore
      }
      return isIAP1 ? iap1(at: index + 1, sync: 1) : .none
    default: return .none
    }
  }

  /// A frame of iAP1 whose checksum fits.
  private func iap1(at index: Int, sync: Int) -> Length {
    let count = bytes.count - index
    guard count >= 2 else { return .needsMore }
    var (length, header) = (Int(bytes[index + 1]), 2)
    if length == 0 {
      guard count >= 4 else { return .needsMore }
      (length, header) = (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]), 4)
    }
    guard length >= 2 else { return .none }
    let whole = header + length + 1
    guard count >= whole else { return .needsMore }
    return sum((index + 1)..<(index + whole)) == 0 ? .known(.iap1, sync + whole) : .none
  }

  /// Where inside a link packet whose payload checksum is wrong another one begins.
  private func lost(_ range: Range<Int>) -> Int? {
    guard range.count > 9, sum((range.lowerBound + 9)..<range.upperBound) != 0 else { return nil }
    return (range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 9)).first {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0x5A && sum($0..<($0 + 9)) == 0
    }
  }

  private func sum(_ range: Range<Int>) -> UInt8 {
    sums[range.upperBound] &- sums[range.lowerBound]
  }
}
