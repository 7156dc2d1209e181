import HarkCore

/// Makes packets of link type 256 of what Sniffle hears. It sends neither Access Address nor CRC: the first follows from
/// the packets before, and the second was right, so that it follows from the packet.
/// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
struct SniffleRadio {
  /// One packet, as Sniffle sends it.
  struct Packet {
    /// In microseconds, of its clock.
    let time: UInt32
    let isFromPeripheral: Bool
    let isCRCWrong: Bool
    let rssi: UInt8
    let channel: UInt8
    /// 0 LE 1M, 1 LE 2M, 2 LE Coded with S=8, 3 with S=2.
    let phy: UInt8
    /// Header, length, payload.
    let pdu: [UInt8]

    private static let headerSize = 12

    /// - Returns: Nil if the message is not as long as it says.
    init?(_ message: [UInt8]) {
      guard message.count >= Self.headerSize + 2 else { return nil }
      let length: UInt16 = message.little(at: 6)
      guard message.count == Self.headerSize + Int(length & 0x3FFF) else { return nil }
      time = message.little(at: 2)
      isFromPeripheral = length & 0x8000 != 0
      isCRCWrong = length & 0x4000 != 0
      rssi = message[10]
      channel = message[11] & 0x3F
      phy = message[11] >> 6
      pdu = Array(message[Self.headerSize...])
    }

    var isPrimary: Bool { channel >= 37 }
    /// Of advertising physical channel PDUs. Core Specification, Vol 6, Part B, 2.3.
    var type: UInt8 { pdu[0] & 0x0F }
  }

  /// A connection that AUX_CONNECT_REQ asks for.
  private struct Connection {
    let accessAddress: UInt32
    let crcInit: UInt32
  }

  private var accessAddress = LLAccessAddress.advertising
  private var crcInit = LinkLayerCRC.advertising
  private var requested: Connection?
  /// Until when an AUX_SCAN_RSP may come, and until when on which channel an AUX_CHAIN_IND, by the sniffer's clock.
  private var response: UInt32?
  private var chain: (channel: UInt8, end: UInt32)?

  /// The packet with the header of link type 256.
  mutating func take(_ packet: Packet) -> [UInt8] {
    if packet.isPrimary {
      (accessAddress, crcInit) = (LLAccessAddress.advertising, LinkLayerCRC.advertising)
    }
    let isAdvertising = accessAddress == LLAccessAddress.advertising
    let auxiliary = isAdvertising && !packet.isPrimary ? self.auxiliary(packet) : 0
    // Dewhitened, with signal power and reference access address, CRC checked.
    var flags: UInt16 = 0x0413
    if !packet.isCRCWrong { flags |= 0x0800 }
    flags |= UInt16(min(packet.phy, 2)) << 14
    let type: UInt16 = isAdvertising ? (packet.isPrimary ? 0 : 1) : packet.isFromPeripheral ? 3 : 2
    flags |= type << 7 | auxiliary << 12
    var bytes = [Self.frequency(packet.channel), packet.rssi, 0x80, 0]
    bytes.append(little: accessAddress)
    bytes.append(little: flags)
    bytes.append(little: accessAddress)
    // The Coding Indicator. Vol 6, Part B, 2.2.3.
    if packet.phy >= 2 { bytes.append(packet.phy - 2) }
    bytes += packet.pdu
    let crc =
      packet.isCRCWrong
      ? 0 : LinkLayerCRC.compute(packet.pdu.raw, 0..<packet.pdu.count, initial: crcInit)
    bytes += (0..<3).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) }
    if isAdvertising, !packet.isCRCWrong { follow(packet) }
    return bytes
  }

  /// The RF channel of a channel index. Vol 6, Part B, 1.4.1.
  private static func frequency(_ channel: UInt8) -> UInt8 {
    switch channel {
    case 37: 0
    case 38: 12
    case 39...: 39
    case ...10: channel + 1
    default: channel + 2
    }
  }

  // MARK: Connections and extended advertising

  /// Of 2.3: CONNECT_IND and AUX_CONNECT_REQ, AUX_SCAN_REQ, what all extended advertising has, AUX_CONNECT_RSP.
  private enum PDUType {
    static let scanRequest: UInt8 = 3
    static let connect: UInt8 = 5
    static let extended: UInt8 = 7
    static let connectResponse: UInt8 = 8
  }

  private mutating func follow(_ packet: Packet) {
    switch packet.type {
    case PDUType.connect where packet.pdu.count >= 36:
      // After two addresses. 2.3.3.1
      let connection = Connection(
        accessAddress: packet.pdu.little(at: 14), crcInit: packet.pdu.little(at: 18) & 0xFF_FFFF)
      if packet.isPrimary { connect(connection) } else { requested = connection }
    case PDUType.connectResponse:
      if let requested { connect(requested) }
      requested = nil
    case PDUType.scanRequest where !packet.isPrimary:
      response = packet.time &+ Self.waitLimit
    default: break
    }
  }

  private mutating func connect(_ connection: Connection) {
    (accessAddress, crcInit) = (connection.accessAddress, connection.crcInit)
  }

  /// How long after its time a packet may still come, in microseconds.
  private static let waitLimit: UInt32 = 500

  /// Which auxiliary PDU it is, as the header numbers them: AUX_ADV_IND 0, AUX_CHAIN_IND 1, AUX_SCAN_RSP 3. All have one
  /// PDU type.
  private mutating func auxiliary(_ packet: Packet) -> UInt16 {
    guard packet.type == PDUType.extended else { return 0 }
    let isResponse = response.map { Self.isBefore(packet.time, $0) } ?? false
    let isChain =
      chain.map { $0.channel == packet.channel && Self.isBefore(packet.time, $0.end) } ?? false
    response = nil
    chain = next(after: packet)
    return isResponse ? 3 : isChain ? 1 : 0
  }

  private static func isBefore(_ time: UInt32, _ end: UInt32) -> Bool {
    (end &- time) & (1 << 30 - 1) < 1 << 29
  }

  /// Where its AuxPtr leads to: after AdvA, TargetA, CTEInfo and ADI. 2.3.4
  private func next(after packet: Packet) -> (channel: UInt8, end: UInt32)? {
    let pdu = packet.pdu
    guard pdu.count > 3, pdu[2] & 0x3F > 0, pdu[3] & 0x10 != 0 else { return nil }
    let sizes: [(flag: UInt8, size: Int)] = [(0x01, 6), (0x02, 6), (0x04, 1), (0x08, 2)]
    let place = sizes.reduce(4) { $0 + (pdu[3] & $1.flag != 0 ? $1.size : 0) }
    guard place + 3 <= pdu.count else { return nil }
    let offset = UInt32(pdu[place + 1]) | UInt32(pdu[place + 2] & 0x1F) << 8
    let unit: UInt32 = pdu[place] & 0x80 != 0 ? 300 : 30
    return (pdu[place] & 0x3F, packet.time &+ offset * unit &+ Self.waitLimit)
  }
}
