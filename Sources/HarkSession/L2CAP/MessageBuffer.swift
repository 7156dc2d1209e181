import HarkCore
import HarkDissection

/// The bytes in one direction of a stream that do not form a complete message yet.
struct MessageBuffer: Sendable {
  enum Next {
    case message(Range<Int>)
    case needsMore
    /// The bytes are not the beginning of a message.
    case outOfStep
  }

  /// A message with a greater length is invalid.
  static let longest = 1 << 20

  /// The bytes of messages that were taken remain at the front until `append`.
  private(set) var bytes: [UInt8] = []
  private var start = 0
  /// How many of the next bytes belong to a message that was partly cut.
  private var skips = 0
  /// The length of the message at `start`, once its header is there.
  private var expected: Int?
  /// How many of its bytes determine the length, as far as is known.
  private var header = 0
  /// The packets of the message at `start`.
  private(set) var packets: [UInt32] = []
  /// The packets of the last appended piece.
  private var lastPackets: [UInt32] = []
  /// Whether it was reported that the stream is out of sync.
  var isReportedOutOfStep = false

  var isEmpty: Bool { start == bytes.count }
  var have: Int { bytes.count - start }
  /// How many bytes the unfinished message still needs; 0 if that is unknown.
  var missing: Int { max(0, (expected ?? 0) - have) }

  mutating func append(_ piece: RawSpan, _ packets: [UInt32]) {
    bytes.removeSubrange(..<start)
    start = 0
    let first = min(skips, piece.byteCount)
    skips -= first
    for index in first..<piece.byteCount { bytes.append(piece.byte(at: index)) }
    if bytes.count == piece.byteCount - first { self.packets = [] }
    // A packet may contain several pieces.
    self.packets += packets.drop { $0 == self.packets.last }
    lastPackets = packets
  }

  mutating func next(_ cutter: any MessageCutter) -> Next {
    while expected == nil, have >= max(header, cutter.headerCount) {
      header = max(header, cutter.headerCount)
      switch Self.length(bytes.raw.extracting(start..<start + header), cutter) {
      case .known(let count): expected = count
      case .needs(let count): header = count
      case nil: return .outOfStep
      }
    }
    guard let count = expected, have >= count else { return .needsMore }
    (expected, header) = (nil, 0)
    start += count
    return .message(start - count..<start)
  }

  private enum Length {
    case known(Int)
    /// This many bytes are needed to decide.
    case needs(Int)
  }

  /// Nil if no message begins like this.
  private static func length(_ begun: RawSpan, _ cutter: any MessageCutter) -> Length? {
    if let needed = cutter.needed(begun) {
      return needed > begun.byteCount && needed <= longest ? .needs(needed) : nil
    }
    guard let count = cutter.count(begun), count >= begun.byteCount, count <= longest else {
      return nil
    }
    return .known(count)
  }

  /// The bytes after the last message came with the last piece.
  mutating func moveOn() { packets = lastPackets }

  /// The recorder cut the next `count` bytes: the unfinished message is lost, including its later bytes.
  mutating func lose(_ count: Int) {
    let rest = missing - count
    removeAll()
    skips = max(0, rest)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
    (start, expected, header, skips) = (0, nil, 0, 0)
  }
}
