import HarkCore

/// The framing of the nRF Sniffer's serial line: what SLIP is, with other bytes.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol.
struct NordicFraming {
  enum Outcome: Equatable {
    /// A frame is complete: `frame` holds it until the next byte.
    case frame
    case flaw(SnifferFlaw)
  }

  private enum Mark {
    static let start: UInt8 = 0xAB
    static let end: UInt8 = 0xBC
    static let escape: UInt8 = 0xCD
  }

  /// Header, a header of the packet, and the longest LE packet: with room for those that are not known yet.
  static let longestFrame = 1_024

  private(set) var frame: [UInt8] = []
  /// Whether a frame has begun and not ended.
  private(set) var isInFrame = false
  private var isEscaped = false

  /// Takes one byte off the line; bytes between frames are skipped.
  mutating func take(_ byte: UInt8) -> Outcome? {
    if byte == Mark.start {
      let count = frame.count
      let wasInFrame = isInFrame
      (isInFrame, isEscaped) = (true, false)
      frame.removeAll(keepingCapacity: true)
      return wasInFrame ? .flaw(.cut(count)) : nil
    }
    guard isInFrame else { return nil }
    if byte == Mark.end {
      isInFrame = false
      return .frame
    }
    if isEscaped {
      isEscaped = false
      // The escape and its byte differ by one.
      guard [Mark.start, Mark.end, Mark.escape].contains(byte &- 1) else {
        isInFrame = false
        return .flaw(.escape(byte))
      }
      return append(byte &- 1)
    }
    guard byte != Mark.escape else {
      isEscaped = true
      return nil
    }
    return append(byte)
  }

  private mutating func append(_ byte: UInt8) -> Outcome? {
    guard frame.count < Self.longestFrame else {
      isInFrame = false
      return .flaw(.endless(Self.longestFrame))
    }
    frame.append(byte)
    return nil
  }

  /// The frame of a message.
  static func encode(_ message: [UInt8]) -> [UInt8] {
    var bytes = [Mark.start]
    for byte in message {
      if [Mark.start, Mark.end, Mark.escape].contains(byte) {
        bytes += [Mark.escape, byte &+ 1]
      } else {
        bytes.append(byte)
      }
    }
    return bytes + [Mark.end]
  }
}

/// The commands that start the nRF Sniffer.
/// Nordic Semiconductor, nRF Sniffer for Bluetooth LE, Sniffer protocol.
enum NordicCommands {
  private enum Identifier {
    static let follow: UInt8 = 0x00
    static let scan: UInt8 = 0x07
    static let channels: UInt8 = 0x17
    static let timestamp: UInt8 = 0x1D
  }

  /// Starts it: its clock, the channels it hops on, and what it listens to.
  static func start(_ sniffer: Sniffer) -> [UInt8] {
    let hop = sniffer.channels.isEmpty ? [37, 38, 39] : sniffer.channels
    var messages: [(UInt8, [UInt8])] = [
      (Identifier.timestamp, []),
      // Always three: those after the number do not count.
      (
        Identifier.channels,
        [UInt8(hop.count)] + hop + [UInt8](repeating: 37, count: 3 - hop.count)
      ),
    ]
    if let address = sniffer.follow {
      // Bit 0 would leave out connections, bit 1 extended advertising.
      let flags: UInt8 = sniffer.isCoded ? 4 : 0
      messages.append((Identifier.follow, address.octets + [address.kind.rawValue, flags]))
    } else {
      // Bit 0: scan responses. Bit 1: secondary channels. Bit 2: LE Coded.
      let flags = 1 | (sniffer.isExtended ? 2 : 0) | (sniffer.isCoded ? 4 : 0)
      messages.append((Identifier.scan, [UInt8(flags)]))
    }
    return messages.enumerated().flatMap { number, message in
      // The lengths of header and payload, version 1, the number of the message, its identifier.
      NordicFraming.encode(
        [6, UInt8(message.1.count), 1, UInt8(number), 0, message.0] + message.1)
    }
  }
}
