/// SLIP (RFC 1055) as the Bluetooth UART transports use it: frames between 0xC0 bytes, 0xDB as
/// escape. One decoder per direction; a frame may continue over any number of chunks.
/// Core Specification, Vol 4, Part D, 3.
struct SLIP {
  enum Outcome: Equatable {
    /// A frame is complete: `frame` holds it until the next byte.
    case frame
    case badEscape(UInt8)
    /// A frame is longer than any can be; it is passed over.
    case tooLong
  }

  /// Header, 4,095 bytes of payload, CRC.
  static let longestFrame = 4 + 4_095 + 2

  private(set) var frame: [UInt8] = []
  /// Whether the next byte is what is left of an escape.
  private(set) var isEscaped = false
  private var isComplete = false
  /// Whether the bytes up to the next delimiter belong to no frame.
  private(set) var isSkipping = true

  init() { frame.reserveCapacity(Self.longestFrame) }

  /// Whether a frame has begun and not ended.
  var isInFrame: Bool { !isSkipping && !isComplete && !frame.isEmpty }

  /// Takes one byte off the wire.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Outcome? {
    if isComplete {
      frame.removeAll(keepingCapacity: true)
      isComplete = false
    }
    if byte == 0xC0 {
      // Two delimiters in a row end one frame and begin the next.
      isComplete = !isSkipping && !frame.isEmpty
      isSkipping = false
      isEscaped = false
      return isComplete ? .frame : nil
    }
    if isSkipping { return nil }
    if isEscaped {
      isEscaped = false
      guard let plain = Self.unescape(byte) else {
        reset()
        return .badEscape(byte)
      }
      return append(plain)
    }
    if byte == 0xDB {
      isEscaped = true
      return nil
    }
    return append(byte)
  }

  private mutating func append(_ byte: UInt8) -> Outcome? {
    guard frame.count < Self.longestFrame else {
      reset()
      return .tooLong
    }
    frame.append(byte)
    return nil
  }

  private mutating func reset() {
    frame.removeAll(keepingCapacity: true)
    isSkipping = true
  }

  /// What stands after 0xDB for a byte; nil for one that no escape stands for.
  static func escape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0xC0: 0xDC
    case 0xDB: 0xDD
    case 0x11: 0xDE
    case 0x13: 0xDF
    default: nil
    }
  }

  /// The byte that an escape stands for; the last two are for software flow control.
  private static func unescape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0xDC: 0xC0
    case 0xDD: 0xDB
    case 0xDE: 0x11
    case 0xDF: 0x13
    default: nil
    }
  }
}
