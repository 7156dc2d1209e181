import HarkCore

/// The data that one side of a TCP connection sends, in order. RFC 9293, 3.4, 3.10.
/// A capture may lack segments that the other side received: they are given up once it acknowledges them.
struct TCPSide {
  /// The next bytes in order, or bytes known to be missing.
  enum Piece: Equatable {
    /// `missing`: How many bytes after these the recorder cut.
    case data([UInt8], missing: Int, packet: UInt32)
    /// Bytes that the capture does not have.
    case gap(Int)
    /// Bytes that came before.
    case repeated
  }

  private struct Segment {
    let sequence: UInt32
    let bytes: [UInt8]
    let missing: Int
    let packet: UInt32

    var count: Int { bytes.count + missing }
  }

  /// The sequence number of the next byte; nil before the first.
  private var next: UInt32?
  /// The sequence number up to which the other side has all bytes.
  private var acknowledged: UInt32?
  /// Segments that arrived early, in order.
  private var pending: [Segment] = []
  private var pendingCount = 0
  private(set) var hasFinished = false

  /// The most that is kept of early segments. A TCP window is usually smaller.
  private static let mostPending = 1 << 20
  private static let mostSegments = 1_024

  /// Whether segments wait for others.
  var isWaiting: Bool { !pending.isEmpty }

  /// The connection begins after `sequence`.
  mutating func begin(_ sequence: UInt32) { next = sequence &+ 1 }

  mutating func finish() { hasFinished = true }

  /// Takes a segment.
  mutating func take(
    _ bytes: RawSpan, missing: Int, at sequence: UInt32, packet: UInt32
  ) -> [Piece] {
    let count = bytes.byteCount + missing
    guard count > 0 else { return [] }
    guard let next else {
      self.next = sequence &+ UInt32(truncatingIfNeeded: count)
      return [.data(bytes.array, missing: missing, packet: packet)]
    }
    let offset = Self.distance(from: next, to: sequence)
    guard offset + count > 0 else {
      // A keep-alive probe repeats one byte. RFC 9293, 3.8.4
      return count == 1 ? [] : [.repeated]
    }
    let segment = Segment(sequence: sequence, bytes: bytes.array, missing: missing, packet: packet)
    let place = pending.firstIndex { Self.distance(from: sequence, to: $0.sequence) > 0 }
    pending.insert(segment, at: place ?? pending.count)
    pendingCount += segment.bytes.count
    var pieces = ready()
    while pendingCount > Self.mostPending || pending.count > Self.mostSegments {
      pieces += giveUp()
    }
    return pieces + giveUpAcknowledged()
  }

  /// The other side has all bytes up to `number`.
  mutating func acknowledge(_ number: UInt32) -> [Piece] {
    if let acknowledged, Self.distance(from: acknowledged, to: number) <= 0 { return [] }
    acknowledged = number
    return giveUpAcknowledged()
  }

  /// Nothing more arrives: returns what waits, and what the other side received but the capture lacks.
  mutating func end() -> [Piece] {
    var pieces: [Piece] = []
    while !pending.isEmpty { pieces += giveUp() }
    if let next, let acknowledged {
      // A FIN counts as one.
      let lost = Self.distance(from: next, to: acknowledged)
      if lost > 1, lost <= Self.mostPending { pieces.append(.gap(hasFinished ? lost - 1 : lost)) }
    }
    next = nil
    return pieces
  }

  /// How far `b` is after `a`: sequence numbers wrap around.
  private static func distance(from a: UInt32, to b: UInt32) -> Int {
    Int(Int32(bitPattern: b &- a))
  }

  private mutating func ready() -> [Piece] {
    var pieces: [Piece] = []
    while let first = pending.first, let next {
      let offset = Self.distance(from: next, to: first.sequence)
      guard offset <= 0 else { break }
      pending.removeFirst()
      pendingCount -= first.bytes.count
      guard offset + first.count > 0 else {
        pieces.append(.repeated)
        continue
      }
      self.next = first.sequence &+ UInt32(truncatingIfNeeded: first.count)
      let known = min(-offset, first.bytes.count)
      let missing = first.missing - max(0, -offset - first.bytes.count)
      pieces.append(
        .data(Array(first.bytes[known...]), missing: missing, packet: first.packet))
    }
    return pieces
  }

  private mutating func giveUpAcknowledged() -> [Piece] {
    var pieces: [Piece] = []
    while let first = pending.first, let acknowledged,
      Self.distance(from: first.sequence, to: acknowledged) >= 0
    {
      pieces += giveUp()
    }
    return pieces
  }

  /// Continues with the first waiting segment.
  private mutating func giveUp() -> [Piece] {
    guard let first = pending.first, let next else {
      pending.removeAll()
      pendingCount = 0
      return []
    }
    self.next = first.sequence
    return [.gap(Self.distance(from: next, to: first.sequence))] + ready()
  }
}
