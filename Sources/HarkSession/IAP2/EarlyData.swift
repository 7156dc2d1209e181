import HarkDissection

/// Data of one direction that arrived before packets with lower sequence numbers.
struct EarlyData: Sendable {
  struct Piece: Sendable {
    let sequence: UInt8
    /// What its session carries.
    let type: IAP2LinkPacket.SessionType
    let bytes: [UInt8]
    let packets: [UInt32]
    /// How many bytes after these the recorder cut.
    let cut: Int
  }

  /// The sequence numbers of the missing packets, in order.
  private(set) var awaited: [UInt8] = []
  /// In the order of their sequence numbers.
  private var pieces: [Piece] = []
  private var size = 0
  /// Whether packets are missing that no longer count as late.
  private var lacksData = false
  /// Whether waiting data of the control session may contain a part of a key.
  var mayHoldKey = false

  /// The most that waits, in packets and bytes. Most receivers allow a few packets to be outstanding.
  private static let mostPieces = 64
  private static let mostBytes = 1 << 20

  enum Next {
    case data(Piece)
    /// The capture lacks the data that would be next.
    case gap
  }

  /// Whether nothing is missing, so that data is in order.
  var isInOrder: Bool { awaited.isEmpty && pieces.isEmpty && !lacksData }

  /// Whether more waits than hark keeps.
  var isFull: Bool { pieces.count > Self.mostPieces || size > Self.mostBytes }

  /// Packets with these numbers were left out.
  /// - Parameter isKnownLost: Whether the recorder cut them.
  mutating func expect(_ numbers: [UInt8], isKnownLost: Bool) {
    if isKnownLost, awaited.isEmpty { lacksData = true } else { awaited += numbers }
  }

  /// So many packets were left out that numbers do not show what belongs before them.
  mutating func loseAll() {
    (awaited, pieces, size, lacksData) = ([], [], 0, true)
  }

  /// Takes data that is not next.
  mutating func add(_ piece: Piece) {
    let place = pieces.firstIndex { $0.sequence &- piece.sequence < 128 } ?? pieces.endIndex
    pieces.insert(piece, at: place)
    size += piece.bytes.count
  }

  /// Whether the first missing packet is so far before `newest` that numbers may repeat.
  func isStale(_ newest: UInt8) -> Bool { awaited.first.map { newest &- $0 >= 100 } ?? false }

  /// A missing packet arrived.
  mutating func arrived(_ sequence: UInt8) { awaited.removeAll { $0 == sequence } }

  /// Whether the receiver has everything up to `number`, so that the first missing packet will not arrive.
  func isGivenUp(by number: UInt8) -> Bool { awaited.first.map { number &- $0 < 128 } ?? false }

  /// Stops waiting for the first missing packet.
  mutating func giveUpFirst() {
    guard !awaited.isEmpty else { return }
    awaited.removeFirst()
    lacksData = true
  }

  /// What no missing packet precedes; nil if nothing does.
  mutating func next() -> Next? {
    // Packets that are missing one after the other are one gap.
    if let number = awaited.first, pieces.first.map({ $0.sequence &- number < 128 }) ?? true {
      return nil
    }
    if lacksData {
      lacksData = false
      return .gap
    }
    guard !pieces.isEmpty else { return nil }
    let piece = pieces.removeFirst()
    size -= piece.bytes.count
    return .data(piece)
  }
}
