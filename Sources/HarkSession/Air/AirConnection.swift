import HarkCore
import HarkCrypto
import HarkDissection

/// A connection that is followed over the air, by its Access Address.
struct AirConnection {
  let accessAddress: UInt32
  let link: LinkID
  /// Nil until it is known.
  var crcInit: UInt32?
  var isClosed = false
  var sides = [Side(), Side()]

  /// The time, channel and sender of the last packet.
  private(set) var lastTime = AirTime()
  private(set) var lastChannel: UInt8?
  /// In nanoseconds; nil if it is unknown.
  private(set) var lastDuration: Int64?
  var lastSide: Int?
  /// How long the connection has lasted, in nanoseconds, without jumps of the recorder's clock.
  private(set) var elapsed: Int64 = 0
  /// When the last connection event began that was received from its beginning. Vol 6, Part B, 4.5.1
  var anchor: AirTime?

  var events = AirEventCounter()
  /// Changes whose instant has not come.
  var changes: [AirChange] = []
  var encryption = AirEncryption()
  /// Requests that wait for an answer from the other Link Layer.
  var requests = LinkLayerRequests()
  /// What the last LL_CIS_REQ calls its stream, until LL_CIS_IND creates it.
  var requestedStream: IsochronousEvent.Name?
  /// What LL_CS_CONFIG_REQ and LL_CS_REQ of each side propose, until the other side accepts or rejects it.
  var proposedConfigurations: [LLControlPDU.SoundingConfiguration?] = [nil, nil]
  var proposedProcedures: [LLControlPDU.SoundingProcedures?] = [nil, nil]
  var clues = AirSenderClues()
  /// What was known before the last PDU: about the side that sent it, and about the other one.
  var before = (sender: Side(), other: AirSequence())
  /// The PHY of each side's last LL_POWER_CONTROL_REQ: the response does not name it.
  var powerPHY: [LLControlPDU.PowerPHY?] = [nil, nil]
  /// The lengths offered by LL_LENGTH_REQ, by sender: octets received, octets sent.
  var lengthRequest: (side: Int, rx: UInt16, tx: UInt16)?

  /// What one side has sent: 0 is the Central, 1 the Peripheral, as in `Direction`.
  struct Side {
    var sequence = AirSequence()
    /// When its last PDU came: connEventCount if that is known, and how long the connection had lasted.
    var last: (count: UInt16?, elapsed: Int64)?
    /// How many octets are still missing from its L2CAP PDU.
    var lacking = 0
    /// The plaintext of its last PDU if that was encrypted and a key opened it, for copies in the clear.
    var plaintext: [UInt8]?
  }

  /// A connection without a packet for this long has ended: 32 s in nanoseconds. Vol 6, Part B, 4.5.2
  private static let longestGap: Int64 = 32_000_000_000
  /// Whether the recorder's clock has jumped back.
  private var hasJumps = false

  /// Takes the time of a packet, and how long it lasted.
  mutating func goOn(at time: AirTime, _ channel: UInt8?, lasting duration: Int64?) {
    if lastSide != nil {
      if let gap = time.since(lastTime), gap >= 0 {
        if !hasJumps || gap <= Self.longestGap { elapsed &+= gap }
      } else {
        hasJumps = true
      }
    }
    (lastTime, lastChannel, lastDuration) = (time, channel, duration)
  }

  /// How many PDUs of both sides are missing by their sequence numbers, since `takeMissing`.
  var missing: Int { sides[0].sequence.missing + sides[1].sequence.missing }

  init(_ accessAddress: UInt32, _ link: LinkID, crcInit: UInt32?) {
    (self.accessAddress, self.link, self.crcInit) = (accessAddress, link, crcInit)
  }
}

/// The time of a packet, by the sniffer's own clock if it has one.
struct AirTime {
  private var time = Timestamp(nanoseconds: 0)
  private var clock: UInt32?
  /// The last packet until then at which the clock of the capture was set.
  private var clockStep = PacketID(0)

  init() {}

  init(_ moment: PacketContext, _ header: AirHeader, _ tables: borrowing Tables) {
    (time, clock, clockStep) = (moment.time, header.clock, tables.counts.clock.lastStep)
  }

  /// In nanoseconds; nil if the clock of the capture was set meanwhile, and the sniffer has none of its own.
  func since(_ other: AirTime) -> Int64? {
    guard let clock, let before = other.clock else {
      return clockStep == other.clockStep ? time.since(other.time) : nil
    }
    // Up to 214 s: the clock wraps around.
    return Int64(Int32(bitPattern: clock &- before)) * 100
  }
}

/// Everything that is followed over the air.
struct AirState {
  private(set) var connections: [AirConnection] = []
  private var connectionAt: [UInt64: Int] = [:]
  /// The last one looked up: packets of a connection event follow each other.
  private var last = (key: UInt64(0), index: -1)
  /// Access Addresses that belong to no known connection and of which one packet was received.
  private var strangers: [UInt64: Stranger] = [:]
  /// Periodic advertising trains and isochronous streams, by Access Address.
  private var others: [UInt64: Other] = [:]
  private var handles: [UInt16: UInt16] = [:]

  /// The first part of the CRC of such a packet, and the packet's number.
  struct Stranger: Equatable {
    /// Nil if the CRC is not recorded.
    var crcInit: UInt32?
    var digest: UInt64
    /// The header of a packet without sequence numbers, which may be of an isochronous stream.
    var unnumbered: UInt8?
  }

  struct Other {
    var channel: LinkLayerContext.Channel
    var crcInit: UInt32?
    /// The connection of a CIS, as its index.
    var connection: Int?
    /// That of a CIS or BIS.
    var link: LinkID?
    var subevent = LinkLayerContext.Subevent.none
    /// The sender of a periodic advertising train.
    var advertiser: BluetoothAddress?
    /// What a train says about its group.
    var group: BIGInfoMessage?
    /// The group of a BIS, and whether it is encrypted.
    var broadcast: LinkLayerContext.Broadcast?
    var isEncrypted = false
  }

  /// Noise contains any number of Access Addresses.
  private static let mostStrangers = 4_096

  private static func key(_ address: UInt32, _ sniffer: UInt16) -> UInt64 {
    UInt64(sniffer) << 32 | UInt64(address)
  }

  subscript(index: Int) -> AirConnection {
    _read { yield connections[index] }
    _modify { yield &connections[index] }
  }

  mutating func find(_ address: UInt32, _ sniffer: UInt16) -> Int? {
    let key = Self.key(address, sniffer)
    if last.index >= 0, last.key == key { return last.index }
    guard let index = connectionAt[key] else { return nil }
    last = (key, index)
    return index
  }

  mutating func follow(_ connection: AirConnection, _ sniffer: UInt16) -> Int {
    let key = Self.key(connection.accessAddress, sniffer)
    connectionAt[key] = connections.count
    connections.append(connection)
    strangers[key] = nil
    last = (key, connections.count - 1)
    return connections.count - 1
  }

  func other(_ address: UInt32, _ sniffer: UInt16) -> Other? {
    others.isEmpty ? nil : others[Self.key(address, sniffer)]
  }

  mutating func expect(_ other: Other, at address: UInt32, _ sniffer: UInt16) {
    if others.count >= Self.mostStrangers { others = [:] }
    others[Self.key(address, sniffer)] = other
  }

  /// A periodic advertising train, whose responses have an Access Address of their own, but the same CRCInit. 3.1.1
  mutating func expectTrain(
    at address: UInt32, crcInit: UInt32, of advertiser: BluetoothAddress?, responses: UInt32?,
    _ sniffer: UInt16
  ) {
    expect(
      Other(
        channel: .periodic, crcInit: crcInit, subevent: responses == nil ? .none : .indication,
        advertiser: advertiser), at: address, sniffer)
    guard let responses else { return }
    expect(
      Other(channel: .periodic, crcInit: crcInit, subevent: .response), at: responses, sniffer)
  }

  /// Whether a second, different packet with this Access Address has a CRC that begins with the same value. Then
  /// neither was noise, and the value is the CRCInit. If the same packet is received with the same errors twice, the
  /// value is the same, too. If CRCs are not recorded, the sniffer has checked them.
  mutating func isFamiliar(_ address: UInt32, _ sniffer: UInt16, _ stranger: Stranger) -> Bool {
    let key = Self.key(address, sniffer)
    if let known = strangers[key], known.crcInit == stranger.crcInit {
      if let header = stranger.unnumbered, header == known.unnumbered { return false }
      return known.digest != stranger.digest
    }
    if strangers.count >= Self.mostStrangers { strangers = [:] }
    strangers[key] = stranger
    return false
  }

  /// A number for a link without a Connection_Handle. The numbers wrap around.
  mutating func nextHandle(_ sniffer: UInt16) -> UInt16 {
    let handle = handles[sniffer, default: 0] % 0x0E00 + 1
    handles[sniffer] = handle
    return handle
  }
}

/// Packets from the air, counted.
public struct AirCounts: Sendable {
  /// By channel index, followed by those with an unknown channel.
  public internal(set) var channels = [Int](repeating: 0, count: 41)
  /// BR/EDR packets by RF channel, from 2402 MHz on in steps of 1 MHz. Core Specification, Vol 2, Part A, 2
  public internal(set) var brEDRChannels = [Int](repeating: 0, count: 79)
  /// LMP PDUs, with those that were sent again.
  public internal(set) var linkManagerPDUs = 0
  public internal(set) var wrongCRCs = 0
  public internal(set) var retransmissions = 0
  /// The minimum number of packets that were not received, according to the sequence numbers.
  public internal(set) var missing = 0
  /// Encrypted PDUs of connections, and how many of them were decrypted.
  public internal(set) var encrypted = 0
  public internal(set) var opened = 0
  /// PDUs that the key of their connection did not decrypt with any counter up to that of a later PDU that it did
  /// decrypt: their MIC is wrong.
  public internal(set) var wrongMICs = 0
  /// Packets with an Access Address that belongs to no known connection.
  public internal(set) var strange = 0
  /// Packets that the sniffer marks as those of isochronous streams, without the PDUs that begin these streams.
  public internal(set) var unannounced = 0
}
