/// What a packet from the air is read with, and its own bytes do not say: what its sniffer says about it
/// in front, and what is known about the connection it belongs to.
public struct LinkLayerContext: Equatable, Sendable {
  /// What kind of physical channel a packet is on, which decides its header.
  /// Core Specification, Vol 6, Part B, 1.4 and 2.
  public enum Channel: UInt8, Sendable {
    /// By its Access Address: advertising, or else a connection.
    case unknown
    /// Of extended advertising: not one of the three primary channels.
    case secondary
    /// AUX_SYNC_IND of a periodic advertising train, and those chained to it.
    case periodic
    case data
    /// A Connected Isochronous Stream.
    case connected
    /// A Broadcast Isochronous Stream, or the control of its group.
    case broadcast
  }

  /// Which PDU a common extended advertising PDU is. Vol 6, Part B, 2.3.4.
  public enum Auxiliary: UInt8, Sendable {
    case unknown, advertising, chain, sync, scanResponse
  }

  /// What a PDU of periodic advertising with responses is. Vol 6, Part B, 2.3.4, 4.4.2.14
  public enum Subevent: UInt8, Sendable {
    /// Without responses, or not known to have any.
    case none
    case indication, response
  }

  /// The BIG of a packet, by its Seed Access Address, and the number of the BIS; 0 for the control of the group.
  /// Vol 6, Part B, 2.1.2
  public struct Broadcast: Equatable, Sendable {
    public let seedAccessAddress: UInt32
    public let stream: UInt8

    public init(seedAccessAddress: UInt32, stream: UInt8) {
      (self.seedAccessAddress, self.stream) = (seedAccessAddress, stream)
    }
  }

  public enum Check: UInt8, Sendable {
    case unknown, right, wrong
  }

  public var channel = Channel.unknown
  public var auxiliary = Auxiliary.unknown
  public var subevent = Subevent.none
  public var crc = Check.unknown
  /// The BIG that the packet belongs to; nil if that is unknown.
  public var broadcast: Broadcast?
  /// What the CRC of the connection begins with: its CONNECT_IND gives it. Vol 6, Part B, 2.3.3.1.
  public var crcInit: UInt32?
  // One word: a context is copied for each packet.
  private var flags: UInt16 = 0

  /// Whether an advertising PDU is not on one of the three primary channels.
  var isOffPrimary: Bool {
    get { has(0) }
    set { set(0, newValue) }
  }
  /// Whether CTEInfo stands after the header. Vol 6, Part B, 2.4 and 2.5.2
  var hasCTEInfo: Bool {
    get { has(1) }
    set { set(1, newValue) }
  }
  /// Whether the PDU is on the LE Coded PHY: then a Coding Indicator precedes its header.
  public var isCoded: Bool {
    get { has(2) }
    set { set(2, newValue) }
  }
  /// Whether what fills the PDU is encrypted here.
  public var isEncrypted: Bool {
    get { has(3) }
    set { set(3, newValue) }
  }
  /// Whether the packet is most likely one of advertising whose Access Address was not received correctly.
  public var isDoubtful: Bool {
    get { has(4) }
    set { set(4, newValue) }
  }
  /// Whether it belongs to no connection that is known, and nothing shows if it was received correctly, or is
  /// noise.
  public var isUnfollowed: Bool {
    get { has(5) }
    set { set(5, newValue) }
  }
  /// Whether the sniffer put the plaintext in place of what was sent.
  public var isDecrypted: Bool {
    get { has(6) }
    set { set(6, newValue) }
  }
  /// Whether the advertising data of the PDU continues that of the PDU that points to it.
  public var continuesData: Bool {
    get { has(7) }
    set { set(7, newValue) }
  }
  /// Whether the PDU is one that was sent before and not acknowledged.
  public var isRetransmission: Bool {
    get { has(8) }
    set { set(8, newValue) }
  }

  private func has(_ bit: UInt16) -> Bool { flags >> bit & 1 == 1 }

  private mutating func set(_ bit: UInt16, _ isOn: Bool) {
    if isOn { flags |= 1 << bit } else { flags &= ~(1 << bit) }
  }

  public init() {}
}
