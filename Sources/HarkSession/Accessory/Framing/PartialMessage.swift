import HarkCore
import HarkCrypto

/// An unfinished message.
struct PartialMessage: Sendable {
  /// The limit in bytes; no answer comes near it.
  static let byteLimit = 8 << 20
  /// No message has this many values, but hostile captures send empty ones.
  static let valueLimit = 1 << 18

  private(set) var origin: MessageOrigin
  private(set) var bytes: [UInt8] = []
  /// The number of bytes that the recorder cut.
  private(set) var missingBytes: Int

  /// Begins with `value`, whose first `header` bytes belong to the framing.
  init(_ value: VendorValue, _ direction: MessageDirection, header: Int) {
    origin = MessageOrigin(value, direction)
    bytes = Array(value.bytes.dropFirst(header))
    origin.size = bytes.count
    missingBytes = min(max(0, value.missingBytes), 0xFFFF_FFFF)
  }

  /// Appends a value. Returns false and appends nothing if the message would be too large.
  mutating func append(_ value: VendorValue, header: Int) -> Bool {
    let count = max(0, value.bytes.count - header)
    guard bytes.count + count <= Self.byteLimit, origin.values < Self.valueLimit else {
      return false
    }
    bytes.append(contentsOf: value.bytes.dropFirst(header))
    origin.frames.append(contentsOf: value.frames)
    origin.ended = value.time
    origin.clockStep = max(origin.clockStep, value.clockStep)
    origin.values += 1
    if value.operation == .writeCommand { origin.writeCommands += 1 }
    origin.size = bytes.count
    origin.isTruncated = origin.isTruncated || value.missingBytes > 0
    missingBytes += min(max(0, value.missingBytes), 0xFFFF_FFFF)
    return true
  }
}
