import HarkCore

/// A packet of AVCTP, with a message or a part of one. AVCTP 1.4, 6.1.
package struct AVCTPPacket: Message {
  package static let psm: UInt16 = 0x0017
  package static let browsingPSM: UInt16 = 0x001B

  /// 6.1.1
  package enum PacketType: UInt8, Sendable {
    case single, start, `continue`, end
  }

  /// What the packet is read as.
  package enum Form: Sendable {
    case control, browsing
    /// All parts of a message, after the header of the first.
    case reassembled
  }

  /// The transaction label, which a command and its responses have in common.
  package internal(set) var transaction: UInt8 = 0
  package internal(set) var type = PacketType.single
  package internal(set) var isResponse = false
  /// IPID: whether the receiver of the command does not know its profile.
  package internal(set) var hasUnknownProfile = false
  /// How many packets the message takes, where this is the first of them.
  package internal(set) var packets: UInt8 = 0
  /// The Profile Identifier of a whole message.
  package internal(set) var profile: UInt16?
  /// Where the message is in the packet; of a packet that continues one, the part of it.
  package internal(set) var information = 0..<0

  /// Whether the message is one of AVRCP. Assigned Numbers, 3.3
  package var isRemoteControl: Bool { profile == 0x110E || profile == 0x110C }

  package init() {}

  /// - Parameter isCut: Whether the recorder did not keep the packet to its end.
  package init(_ bytes: RawSpan, as form: Form, isCut: Bool) {
    self =
      switch form {
      case .control: AVCTP.message(bytes, isCut: isCut).message
      case .browsing: AVCTPBrowsing.message(bytes, isCut: isCut).message
      case .reassembled: AVCTPMessage.message(bytes, isCut: isCut).message
      }
  }

  /// Whether the bytes are a message of the remote control in one packet that nothing is wrong with: its
  /// profile, a type that fits who sends it, the panel, and a length that the operation demands. Where the
  /// capture does not have the beginning of a channel, the form of its messages must show it.
  /// AV/C of AVRCP 1.6, 6.
  package static func resemblesRemoteControl(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 8, bytes.byte(at: 0) & 0x0D == 0, bytes.byte(at: 1) == 0x11,
      bytes.byte(at: 2) == 0x0E
    else { return false }
    let isResponse = bytes.byte(at: 0) & 2 == 2
    guard (isResponse ? 0x8...0xF : 0x0...0x4).contains(bytes.byte(at: 3)) else { return false }
    let unit = bytes.byte(at: 4)
    switch (unit, AVRCPMessage.Opcode(rawValue: bytes.byte(at: 5))) {
    // Of the Bluetooth SIG. 6.3.1
    case (0x48, .vendorDependent):
      return count >= 13 && bytes.byte(at: 6) == 0x00 && bytes.byte(at: 7) == 0x19
        && bytes.byte(at: 8) == 0x58 && bytes.byte(at: 10) <= 3
        && count == 13 + (Int(bytes.byte(at: 11)) << 8 | Int(bytes.byte(at: 12)))
    // 4.4.1
    case (0x48, .passThrough): return count == 8 + Int(bytes.byte(at: 7))
    default: return false
    }
  }
}
