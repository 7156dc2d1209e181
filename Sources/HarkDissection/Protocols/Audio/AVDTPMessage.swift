import HarkCore

/// A packet of AVDTP's signaling channel, with a signal or a part of one. AVDTP 1.3, 8.
package struct AVDTPMessage: Message {
  package static let psm: UInt16 = 0x0019

  /// 8.4.2
  package enum PacketType: UInt8, Sendable {
    case single, start, `continue`, end
  }

  /// 8.4.3
  package enum MessageType: UInt8, Sendable {
    case command, generalReject, accept, reject
  }

  /// 8.5
  package enum Signal: UInt8, Sendable {
    case discover = 0x01
    case getCapabilities = 0x02
    case setConfiguration = 0x03
    case getConfiguration = 0x04
    case reconfigure = 0x05
    case open = 0x06
    case start = 0x07
    case close = 0x08
    case suspend = 0x09
    case abort = 0x0A
    case securityControl = 0x0B
    case getAllCapabilities = 0x0C
    case delayReport = 0x0D
  }

  /// A stream end point. 8.6.2
  package struct Endpoint: Sendable {
    package internal(set) var seid: UInt8 = 0
    package internal(set) var isInUse = false
    package internal(set) var isSink = false
  }

  /// 8.21
  package struct Capabilities: Sendable {
    package internal(set) var codec: AudioCodec?
    /// Whether there is content protection.
    package internal(set) var isProtected = false
  }

  /// The Transaction Label, which a command and the answer to it have in common.
  package internal(set) var transaction: UInt8 = 0
  package internal(set) var packetType = PacketType.single
  package internal(set) var type = MessageType.command
  /// How many packets the signal takes, where this is the first of them.
  package internal(set) var packets: UInt8 = 0
  /// Of a packet that continues a signal, where the part is in it.
  package internal(set) var fragment = 0..<0
  /// The Signal Identifier; nil if the packet has none.
  package internal(set) var identifier: UInt8?
  /// The stream endpoints of who receives a command.
  package internal(set) var acpSEIDs: [UInt8] = []
  /// That of who sends it, where a stream is configured; otherwise 0.
  package internal(set) var intSEID: UInt8 = 0
  package internal(set) var endpoints: [Endpoint] = []
  package internal(set) var capabilities = Capabilities()
  /// In 0.1 ms.
  package internal(set) var delay: UInt16 = 0
  /// The Service Category that a configuration was rejected for.
  package internal(set) var failedCategory: UInt8?
  /// 8.20.6.2; nil if the receiver does not know the signal.
  package internal(set) var error: UInt8?

  /// Whether the endpoint is used or configured already: SEP_IN_USE, BAD_STATE. 8.20.6.2
  package var isEndpointTaken: Bool { error == 0x13 || error == 0x31 }

  /// Nil if no signal has that identifier.
  package var signal: Signal? { identifier.flatMap { Signal(rawValue: $0) } }

  package init() {}

  /// - Parameters:
  ///   - isCut: Whether the recorder did not keep the packet to its end.
  ///   - isReassembled: Whether these are all parts of a signal, after the header of the first.
  package init(_ bytes: RawSpan, isCut: Bool, isReassembled: Bool = false) {
    self =
      isReassembled
      ? AVDTPSignal.message(bytes, isCut: isCut).message
      : AVDTP.message(bytes, isCut: isCut).message
  }
}

// Channels of which the capture does not have the beginning: their PSM is not known, and the form of a
// command and its response must show it.
extension AVDTPMessage {
  /// Whether the bytes are a stream end point of a command: SEID 1 to 62, above two reserved bits.
  private static func isSEID(_ octet: UInt8) -> Bool { octet & 3 == 0 && 4...248 ~= octet }

  /// Whether the bytes are a command in one packet that nothing is wrong with.
  package static func resemblesCommand(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 2, bytes.byte(at: 0) & 0x0F == 0,
      let signal = Signal(rawValue: bytes.byte(at: 1))
    else { return false }
    guard signal != .discover else { return count == 2 }
    guard count >= 3, isSEID(bytes.byte(at: 2)) else { return false }
    switch signal {
    case .getCapabilities, .getConfiguration, .open, .close, .abort, .getAllCapabilities:
      return count == 3
    case .setConfiguration: return count >= 6 && isSEID(bytes.byte(at: 3))
    case .reconfigure: return count >= 5
    case .start, .suspend: return (2..<count).allSatisfy { isSEID(bytes.byte(at: $0)) }
    case .delayReport: return count == 5
    case .discover, .securityControl: return false
    }
  }

  /// Whether the bytes accept or reject `command`, in one packet.
  package static func resemblesResponse(_ bytes: RawSpan, to command: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 2, bytes.byte(at: 0) >> 4 == command.byte(at: 0) >> 4,
      bytes.byte(at: 1) == command.byte(at: 1)
    else { return false }
    switch bytes.byte(at: 0) & 0x0F {
    case 2:
      switch Signal(rawValue: bytes.byte(at: 1)) {
      case .discover: return count >= 4 && count % 2 == 0
      case .getCapabilities, .getConfiguration, .getAllCapabilities: return count >= 4
      default: return count == 2
      }
    case 3: return 3...4 ~= count
    default: return false
    }
  }
}
