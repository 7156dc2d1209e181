import HarkCore
import HarkCrypto
import HarkSession

/// A message, or what there is of it, with where it came from.
struct WholeMessage: Sendable {
  /// In bytes: the largest envelope any known framing allows.
  static let byteLimit = 8 << 20
  /// No message has this many values: hostile captures send empty ones.
  static let valueLimit = 1 << 18

  private(set) var origin: MessageOrigin
  private(set) var bytes: [UInt8]
  /// Bytes that the recorder did not keep.
  private(set) var missingBytes: Int
  /// Whether what it says is wanted value by value.
  let keepsValues: Bool
  /// Packets whose messages are wanted as trees.
  private let treePackets: ClosedRange<UInt32>?

  /// Whether it is wanted as a tree.
  var keepsTree: Bool {
    guard let treePackets else { return false }
    return origin.frames.contains { treePackets.contains($0.number) }
  }

  init(_ value: VendorValue, _ direction: MessageDirection) {
    keepsValues = value.keepsMessage
    treePackets = value.treePackets
    origin = MessageOrigin(value, direction)
    bytes = value.bytes
    missingBytes = min(max(0, value.missingBytes), 0xFFFF_FFFF)
  }

  /// What is inside of it.
  func with(_ body: [UInt8]) -> WholeMessage {
    var inner = self
    inner.bytes = body
    inner.origin.size = body.count
    return inner
  }

  /// A part of it.
  /// - Parameter missing: How many bytes of the part the recorder did not keep.
  func with(_ body: [UInt8], missing: Int) -> WholeMessage {
    var part = with(body)
    part.missingBytes = missing
    part.origin.isTruncated = missing > 0
    return part
  }

  /// Appends what follows. False, and nothing is appended, when it would be too large.
  mutating func append(_ next: WholeMessage) -> Bool {
    guard bytes.count + next.bytes.count <= Self.byteLimit,
      origin.values + next.origin.values <= Self.valueLimit
    else { return false }
    bytes += next.bytes
    for frame in next.origin.frames {
      // Fragments may overtake each other.
      var place = origin.frames.endIndex
      while place > 0, origin.frames[place - 1] > frame { place -= 1 }
      origin.frames.insert(frame, at: place)
    }
    origin.started = min(origin.started, next.origin.started)
    origin.ended = max(origin.ended, next.origin.ended)
    origin.clockStep = max(origin.clockStep, next.origin.clockStep)
    origin.values += next.origin.values
    origin.writeCommands += next.origin.writeCommands
    origin.size = bytes.count
    origin.isTruncated = origin.isTruncated || next.origin.isTruncated
    missingBytes += next.missingBytes
    return true
  }
}
