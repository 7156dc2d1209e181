import HarkCore

/// What the sniffer says about a packet from the air, in front of it, whatever the link type: for the
/// index, and for reading what follows.
public struct AirHeader: Sendable {
  /// Where the packet begins: its Access Address.
  public private(set) var start = 0
  /// The channel index, 0 to 39, of which 37 to 39 are the primary advertising channels.
  /// Core Specification, Vol 6, Part B, 1.4.1.
  public private(set) var channel: UInt8?
  /// Whether it is one of those three, as far as the channel is known.
  package var isOnPrimaryChannel: Bool { channel.map { $0 >= 37 } ?? false }
  /// Whether the sniffer wrote the channel index where the RF channel belongs.
  private(set) var hasIndexForRF = false
  /// Of an LE connection, where the sniffer followed it: from the Central's side.
  public private(set) var direction: Direction?
  /// When the packet came by the sniffer's own clock, in units of 100 ns that go round with 32 bits: some
  /// sniffers write times into their captures that are not.
  public private(set) var clock: UInt32?
  /// connEventCount of the packet's connection event, as the sniffer counts it.
  public private(set) var eventCount: UInt16?
  /// How many nanoseconds an octet takes on the packet's PHY; nil if that is unknown or, on LE Coded, not the same
  /// for all octets.
  private var octetTime: Int64?
  /// The packet's PHY as HCI numbers it, from 1 for LE 1M to 3 for LE Coded; nil if the sniffer does not say it.
  public private(set) var phy: UInt8?
  private var kind = LinkLayerContext.Channel.unknown
  private var auxiliary = LinkLayerContext.Auxiliary.unknown
  private var crc = LinkLayerContext.Check.unknown
  private var isCoded = false
  private var isDecrypted = false
  private var isEncrypted = false

  /// Nil if the record is too short for it, or holds no LE packet.
  public init?(_ bytes: RawSpan, _ kind: PacketKind) {
    switch kind {
    case .leLinkLayer: break
    case .leRadio: readRadio(bytes)
    case .nordicBLE: if !readNordic(bytes) { return nil }
    case .ppi: if !readPPI(bytes) { return nil }
    default: return nil
    }
    // Access Address and header.
    guard bytes.byteCount >= start + 6 else { return nil }
  }

  public func accessAddress(_ bytes: RawSpan) -> UInt32 {
    UInt32(truncatingIfNeeded: bytes.unsigned(at: start, 4))
  }

  /// Where the PDU is: from its header on, without the CRC.
  public func pdu(_ bytes: RawSpan, _ context: LinkLayerContext) -> Range<Int> {
    let header = start + (context.isCoded ? 5 : 4)
    return header..<header + context.size(of: bytes, at: header)
  }

  /// How many nanoseconds a packet takes, from its preamble to its CRC, whose PDU has `count` octets; nil if that is
  /// unknown. Vol 6, Part B, 2.1
  package func airTime(_ count: Int) -> Int64? {
    octetTime.map { Int64(($0 == Self.octetTime2M ? 2 : 1) + 4 + count + 3) * $0 }
  }

  private static let octetTime1M: Int64 = 8_000
  private static let octetTime2M: Int64 = 4_000

  /// - Parameter number: 0 for LE 1M, 1 for LE 2M, 2 for LE Coded.
  private mutating func setPHY(_ number: UInt16) {
    isCoded = number == 2
    phy = number < 3 ? UInt8(number) + 1 : nil
    octetTime = number == 0 ? Self.octetTime1M : number == 1 ? Self.octetTime2M : nil
  }

  /// Adds what the sniffer says to what is known otherwise.
  public func add(to context: inout LinkLayerContext) {
    // Some sniffers state only that it is not an advertising PDU.
    let isKnownStream = context.channel == .connected || context.channel == .broadcast
    if kind != .unknown, !(kind == .data && isKnownStream) { context.channel = kind }
    if auxiliary != .unknown { context.auxiliary = auxiliary }
    if crc != .unknown { context.crc = crc }
    if isCoded { context.isCoded = true }
    if isEncrypted { context.isEncrypted = true }
    if isDecrypted { (context.isDecrypted, context.isEncrypted) = (true, false) }
    if context.channel == .unknown, channel != nil, !isOnPrimaryChannel {
      context.isOffPrimary = true
    }
  }

  // MARK: Link type 256

  private mutating func readRadio(_ bytes: RawSpan) {
    start = 10
    channel = Self.channel(ofRF: bytes.byte(at: 0))
    let flags = UInt16(truncatingIfNeeded: bytes.unsigned(at: 8, 2))
    if flags & 0x0400 != 0 { crc = flags & 0x0800 != 0 ? .right : .wrong }
    // What was decrypted with another key is still not readable.
    let isMICWrong = flags >> 7 & 7 != 1 && flags & 0x3000 == 0x1000
    if flags & 0x0008 != 0 { (isDecrypted, isEncrypted) = (!isMICWrong, isMICWrong) }
    setPHY(flags >> 14)
    // Connections have another Access Address, whatever type is given. Vol 6, Part B, 2.1.2
    let isAdvertising = bytes.unsigned(at: start, 4) == LinkLayer.advertisingAddress
    switch flags >> 7 & 7 {
    case 2...6 where isAdvertising: readIndex(bytes)
    case 1:
      kind = .secondary
      auxiliary = [.advertising, .chain, .sync, .scanResponse][Int(flags >> 12 & 3)]
      if auxiliary == .sync { kind = .periodic }
    case 2: (kind, direction) = (.data, .hostToController)
    case 3: (kind, direction) = (.data, .controllerToHost)
    case 4: (kind, direction) = (.connected, .hostToController)
    case 5: (kind, direction) = (.connected, .controllerToHost)
    case 6: kind = .broadcast
    default: readIndex(bytes)
    }
  }

  /// What came before extended advertising is sent on the primary channels only (Vol 6, Part B, 2.3,
  /// table 2.3): of such PDUs 37 and 38 are no RF channels, which would be two of the secondary ones, but
  /// the channel index, as WHAD writes it. What knows auxiliary PDUs marks them as such.
  private mutating func readIndex(_ bytes: RawSpan) {
    let number = bytes.byte(at: 0)
    let header = start + (isCoded ? 5 : 4)
    guard number == 37 || number == 38, bytes.byteCount > header,
      bytes.unsigned(at: start, 4) == LinkLayer.advertisingAddress,
      bytes.byte(at: header) & 0x0F < 7 || Self.isPointer(bytes, at: header)
    else { return }
    (channel, hasIndexForRF) = (number, true)
  }

  /// Whether the PDU whose header is at `header` has an AuxPtr and no AdvData, nor SyncInfo: so does
  /// ADV_EXT_IND, which is sent on the primary channels, send others to where the data is. Vol 6, Part B,
  /// 2.3.1.5 and 2.3.4.
  private static func isPointer(_ bytes: RawSpan, at header: Int) -> Bool {
    guard bytes.byteCount > header + 3, bytes.byte(at: header) & 0x0F == 7 else { return false }
    let length = bytes.byte(at: header + 2) & 0x3F
    return length > 0 && bytes.byte(at: header + 1) == length + 1
      && bytes.byte(at: header + 3) & 0x30 == 0x10
  }

  /// RF channels are 2 MHz apart, from 2402 MHz on. Vol 6, Part B, 1.4.1, table 1.2.
  static func channel(ofRF number: UInt8) -> UInt8? {
    switch number {
    case 0: 37
    case 1...11: number - 1
    case 12: 38
    case 13...38: number - 2
    case 39: 39
    default: nil
    }
  }

  // MARK: Link type 272

  private mutating func readNordic(_ bytes: RawSpan) -> Bool {
    guard let header = NordicHeader(bytes), header.isPacket else { return false }
    start = header.start
    let flags = bytes.byte(at: header.flags)
    let channel = bytes.byte(at: header.flags + 1)
    self.channel = channel < 40 ? channel : nil
    crc = flags & 1 == 1 ? .right : .wrong
    setPHY(UInt16(flags >> 4 & 7))
    if header.isAdvertising(bytes) {
      if channel < 37 {
        kind = .secondary
        auxiliary = [.advertising, .chain, .sync, .scanResponse][Int(flags >> 1 & 3)]
        if auxiliary == .sync { kind = .periodic }
      } else {
        kind = bytes.unsigned(at: start, 4) == LinkLayer.advertisingAddress ? .unknown : .periodic
      }
    } else {
      kind = .data
      eventCount = UInt16(truncatingIfNeeded: bytes.unsigned(at: header.flags + 3, 2))
      direction = flags & 2 != 0 ? .hostToController : .controllerToHost
      if flags & 4 != 0 { (isEncrypted, isDecrypted) = (flags & 8 == 0, flags & 8 != 0) }
    }
    return true
  }

  // MARK: Link type 192

  private mutating func readPPI(_ bytes: RawSpan) -> Bool {
    let length = Int(bytes.unsigned(at: 2, 2))
    let link = bytes.unsigned(at: 4, 4)
    // Ubertooth's first versions took a number for private use.
    guard length >= 8, link == 147 || link == 251 else { return false }
    start = length
    var field = 8
    while field + 4 <= length {
      let (type, count) = (bytes.unsigned(at: field, 2), Int(bytes.unsigned(at: field + 2, 2)))
      if type == UInt64(PPI.fieldOfBLE), count >= 3 {
        if count >= 8 { clock = UInt32(truncatingIfNeeded: bytes.unsigned(at: field + 8, 4)) }
        let frequency = Int(bytes.unsigned(at: field + 5, 2))
        if frequency >= 2402, frequency <= 2480, frequency % 2 == 0 {
          channel = Self.channel(ofRF: UInt8((frequency - 2402) / 2))
        }
      }
      field += 4 + count
    }
    return true
  }
}

extension LinkLayerContext {
  /// How many octets the PDU has whose header is at `position`. Vol 6, Part B, 2.3, 2.4, 2.6.
  func size(of bytes: RawSpan, at position: Int) -> Int {
    let first = bytes.byte(at: position)
    let length = Int(bytes.byte(at: position + 1))
    // A PDU of a connection has CTEInfo after its header if CP says so; before Core 5.1 that bit was
    // reserved, and where packets were not received correctly it may be anything.
    let hasCTE =
      channel == .data && first & 0x20 != 0 && position + 2 + 1 + length + 3 <= bytes.byteCount
    return 2 + (hasCTE ? 1 : 0) + length
  }

  /// What the CRC of the packet `bytes`, whose PDU is `pdu`, says about it. That a sniffer calls it right is
  /// believed; that it is wrong only where the bits do not fit either.
  public func check(_ bytes: RawSpan, _ pdu: Range<Int>) -> Check {
    guard crc != .right, let found = Self.crc(bytes, behind: pdu) else { return crc }
    let isAdvertising = channel == .unknown || channel == .secondary
    let initial = crcInit ?? (isAdvertising ? LinkLayerCRC.advertising : nil)
    if let initial, LinkLayerCRC.compute(bytes, pdu, initial: initial) == found { return .right }
    // Without the CRCInit of the connection, that may be chance.
    if usesAdvertisingCRC(bytes, pdu, found) { return initial == nil ? .unknown : .right }
    if crc == .wrong { return .wrong }
    // Of what was decrypted it is that of what was sent.
    return initial == nil || isDecrypted || found == 0 ? .unknown : .wrong
  }

  /// Whether a PDU of a connection has the CRC of advertising: programs that make up packets write it.
  func usesAdvertisingCRC(_ bytes: RawSpan, _ pdu: Range<Int>, _ found: UInt32) -> Bool {
    channel == .data && crcInit != LinkLayerCRC.advertising
      && LinkLayerCRC.compute(bytes, pdu, initial: LinkLayerCRC.advertising) == found
  }

  /// The three octets after a PDU; nil if the record ends before.
  public static func crc(_ bytes: RawSpan, behind pdu: Range<Int>) -> UInt32? {
    guard pdu.upperBound + 3 <= bytes.byteCount else { return nil }
    return UInt32(truncatingIfNeeded: bytes.unsigned(at: pdu.upperBound, 3))
  }
}
