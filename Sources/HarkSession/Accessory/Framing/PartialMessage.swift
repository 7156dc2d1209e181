import HarkCore
import HarkCrypto

/// A message in the making.
struct PartialMessage: Sendable {
  /// In bytes; no answer is near it.
  static let byteLimit = 8 << 20
  /// No message has this many values: hostile captures send empty ones.
  static let valueLimit = 1 << 18

  private(set) var origin: MessageOrigin
  private(set) var bytes: [UInt8] = []
  /// Bytes that the recorder did not keep.
  private(set) var missingBytes: Int

  /// Begins with `value`, of which the first `header` bytes belong to the framing.
  init(_ value: VendorValue, _ direction: MessageDirection, header: Int) {
    origin = MessageOrigin(value, direction)
    bytes = Array(value.bytes.dropFirst(header))
    origin.size = bytes.count
    missingBytes = min(max(0, value.missingBytes), 0xFFFF_FFFF)
  }

  /// Appends a value. False, and nothing is appended, when the message would be too large.
  mutating func append(_ value: VendorValue, header: Int) -> Bool {
    let count = max(0, value.bytes.count - header)
    guard bytes.count + count <= Self.byteLimit, origin.values < Self.valueLimit else {
      return false
    }
    bytes.append(contentsOf: value.bytes.dropFirst(header))
    origin.frames.append(contentsOf: value.frames)
    origin.ended = value.time
    origin.values += 1
    if value.operation == .writeCommand { origin.writeCommands += 1 }
    origin.size = bytes.count
    missingBytes += min(max(0, value.missingBytes), 0xFFFF_FFFF)
    return true
  }
}
