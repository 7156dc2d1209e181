import HarkCore

/// A packet of iAP2's link. What it is read by, `IAP2` cites.
package struct IAP2LinkPacket: Message {
  package struct Control: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// SYN
    package static let synchronize = Control(rawValue: 0x80)
    /// ACK
    package static let acknowledgement = Control(rawValue: 0x40)
    /// EAK
    package static let extendedAcknowledgement = Control(rawValue: 0x20)
    /// RST
    package static let reset = Control(rawValue: 0x10)
    /// SLP
    package static let sleep = Control(rawValue: 0x08)
  }

  /// What a session carries. A SYN may name others.
  package struct SessionType: RawRepresentable, Equatable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let control = SessionType(rawValue: 0)
    package static let fileTransfer = SessionType(rawValue: 1)
    package static let externalAccessory = SessionType(rawValue: 2)
  }

  package struct Session: Sendable {
    package let identifier: UInt8
    package let type: SessionType
    package let version: UInt8
  }

  /// What the sender of a SYN asks the other side to observe.
  package struct Synchronization: Sendable {
    /// How many packets may be under way without an acknowledgement.
    package internal(set) var maxOutstanding: UInt8 = 0
    /// In bytes.
    package internal(set) var maxLength: UInt16 = 0
    /// In milliseconds, like the next one.
    package internal(set) var retransmissionTimeout: UInt16 = 0
    package internal(set) var acknowledgementTimeout: UInt16 = 0
    package internal(set) var maxRetransmissions: UInt8 = 0
    package internal(set) var maxAcknowledgements: UInt8 = 0
    package internal(set) var sessions: [Session] = []
  }

  /// Of the accessory.
  package static let service = BluetoothUUID(
    high: 0x0000_0000_DECA_FADE, low: 0xDECA_DEAF_DECA_CAFF)

  /// How many bytes come before the payload.
  package static let headerCount = 9

  package internal(set) var control: Control = []
  package internal(set) var sequence: UInt8 = 0
  /// The last packet that its sender has, where `control` says that this counts.
  package internal(set) var acknowledgement: UInt8 = 0
  /// The identifier of the session.
  package internal(set) var session: UInt8 = 0
  /// Where the payload is in the packet: of an extended acknowledgement, the sequence numbers of packets that
  /// are wanted again.
  package internal(set) var payload = 0..<0
  /// Of a SYN that could be read.
  package internal(set) var synchronization: Synchronization?
  /// Whether the checksum of the payload fits it.
  package internal(set) var isIntact = true

  /// Whether the payload is data of the session.
  package var isData: Bool {
    control.isDisjoint(with: [.synchronize, .extendedAcknowledgement]) && !payload.isEmpty
  }

  package init() {}

  /// - Parameter isCut: Whether these are only the first bytes of the packet, with its header.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = IAP2.message(bytes, isCut: isCut).message
  }
}
