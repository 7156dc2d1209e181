import HarkCore

/// Advertising physical channel PDUs. Core Specification, Vol 6, Part B, 2.3.
struct LinkLayerAdvertising: Sendable {
  static let types: [UInt64: StaticString] = [
    0: "ADV_IND", 1: "ADV_DIRECT_IND", 2: "ADV_NONCONN_IND", 3: "SCAN_REQ", 4: "SCAN_RSP",
    5: "CONNECT_IND", 6: "ADV_SCAN_IND", 7: "ADV_EXT_IND", 9: "ADV_DECISION_IND",
  ]
  static let addressTypes: [UInt64: StaticString] = [0: "public", 1: "random"]
  static let algorithms: [UInt64: StaticString] = [
    0: "#1", 1: "#2 supported",
  ]
  // 2.3.3.1
  static let accuracies: [UInt64: StaticString] = [
    0: "251 ppm to 500 ppm", 1: "151 ppm to 250 ppm", 2: "101 ppm to 150 ppm",
    3: "76 ppm to 100 ppm", 4: "51 ppm to 75 ppm", 5: "31 ppm to 50 ppm", 6: "21 ppm to 30 ppm",
    7: "0 ppm to 20 ppm",
  ]

  /// The names of the same numbers on other physical channels: 2.3, table 2.3.
  struct Secondary: Sendable {
    let type: Field

    init(_ extended: StaticString) {
      type = Field(
        "PDU Type", .hex,
        names: [3: "AUX_SCAN_REQ", 5: "AUX_CONNECT_REQ", 7: extended, 8: "AUX_CONNECT_RSP"],
        inLine: true, title: true)
    }
  }

  let type = Field("PDU Type", .hex, names: types, inLine: true, title: true)
  let auxiliary = Secondary("AUX_ADV_IND, AUX_CHAIN_IND, AUX_SYNC_IND or AUX_SCAN_RSP")
  let auxAdvertising = Secondary("AUX_ADV_IND")
  let auxChain = Secondary("AUX_CHAIN_IND")
  let auxSync = Secondary("AUX_SYNC_IND")
  let auxScanResponse = Secondary("AUX_SCAN_RSP")
  let subeventIndication = Secondary("AUX_SYNC_SUBEVENT_IND")
  let subeventResponse = Secondary("AUX_SYNC_SUBEVENT_RSP")
  let reserved = Field("RFU", .hex, role: .reserved)
  let chSel = Field("ChSel", names: algorithms)
  let txAdd = Field("TxAdd", names: addressTypes, role: .addressType)
  let rxAdd = Field("RxAdd", names: addressTypes, role: .secondAddressType)
  let advA = Field("AdvA", .address, inLine: true)
  let targetA = Field("TargetA", .address, inLine: true)
  let scanA = Field("ScanA", .address, inLine: true)
  let initA = Field("InitA", .address, inLine: true)
  let advData = Field("AdvData", .group)
  let scanRspData = Field("ScanRspData", .group)
  let data = Field("Data", .bytes)
  let dataFragment = Field("Fragment of advertising data", .bytes, inLine: true, role: .fragment)
  let secret = Secret()

  /// Where secrets pass in advertising.
  struct Secret: Sendable {
    let dataFragment = Field(
      "Fragment of advertising data", .bytes, inLine: true, secret: true, personal: .opaque,
      role: .fragment)
  }

  let aa = Field("AA", .hex, inLine: true, structural: true)
  let crcInit = Field("CRCInit", .hex, structural: true, role: .crcInit)
  let winSize = Field("WinSize", unit: "1.25 ms")
  let winOffset = Field("WinOffset", unit: "1.25 ms")
  let interval = Field("Interval", unit: "1.25 ms", inLine: true)
  let latency = Field("Latency")
  let timeout = Field("Timeout", unit: "10 ms")
  let channelMap = Field("ChM", .hex, structural: true)
  let hop = Field("Hop")
  let sleepClockAccuracy = Field("SCA", names: accuracies)
  let decisionFlags = Field(
    "Decision Type Flags", .hex, flags: [0: "Resolvable Tag present"])
  let tagHash = Field("Resolvable Tag hash", .hex, personal: .identifier)
  let tagPrand = Field("Resolvable Tag prand", .hex, personal: .identifier)
  let decision = Field("Decision data", .bytes)
  let extended = LinkLayerExtendedAdvertising()

  /// The first octet, and what it says.
  func header(_ pdu: inout PDU<some Sink>) throws(Malformed) -> Int {
    let header = try pdu.word(1, of: type)
    let number = header & 0x0F
    let field = typeField(number, pdu.context.linkLayer)
    pdu.part(field, number, of: 1)
    pdu.part(reserved, header >> 4 & 1, of: 1)
    pdu.part(chSel, header >> 5 & 1, of: 1)
    pdu.part(txAdd, header >> 6 & 1, of: 1)
    pdu.part(rxAdd, header >> 7, of: 1)
    return Int(header)
  }

  /// A bit for each type that is sent on the primary channels only. 2.3, table 2.3
  private static let primaryTypes: UInt64 = 0b10_0101_0111

  /// Sniffers differ in how they write channels, so that of those types is not asked for.
  private func typeField(_ number: UInt64, _ context: LinkLayerContext) -> Field {
    guard context.channel != .unknown, Self.primaryTypes >> number & 1 == 0 else { return type }
    switch context.subevent {
    case .indication where context.auxiliary != .chain: return subeventIndication.type
    case .response: return subeventResponse.type
    case .none, .indication: break
    }
    switch context.auxiliary {
    case .unknown: return context.channel == .periodic ? auxSync.type : auxiliary.type
    case .advertising: return auxAdvertising.type
    case .chain: return auxChain.type
    case .sync: return auxSync.type
    case .scanResponse: return auxScanResponse.type
    }
  }

  func payload(
    _ header: Int, _ pdu: inout PDU<some Sink>, _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    // What cannot be decoded may be part of a secret.
    if pdu.hidesAdvertising { pdu.context.isSecret = true }
    let random = UInt8(header >> 6 & 1)
    message.type = LLAdvertisingPDU.PDUType(rawValue: UInt8(header & 0x0F))
    switch message.type {
    case .advInd, .advNonconnInd, .advScanInd:
      try advertiser(random, &pdu, &message)
      message.data = try structures(advData, &pdu)
    case .scanRsp:
      try advertiser(random, &pdu, &message)
      message.data = try structures(scanRspData, &pdu)
    case .advDirectInd:
      try advertiser(random, &pdu, &message)
      try pdu.address(targetA)
    case .scanReq:
      try pdu.address(scanA)
      try pdu.address(advA)
    case .connectInd:
      let central = try pdu.address(initA)
      let peripheral = try pdu.address(advA)
      message.connection = LLAdvertisingPDU.Connection(
        central: BluetoothAddress(central, hciType: random),
        peripheral: BluetoothAddress(peripheral, hciType: UInt8(header >> 7 & 1)),
        parameters: try connection(&pdu))
    case .advExtInd, .auxConnectRsp: try extended.read(random, self, &pdu, &message)
    case .advDecisionInd: try extended.readDecision(random, self, &pdu, &message)
    case nil: pdu.rest(data)
    }
  }

  func advertiser(
    _ random: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    pdu.facts.address = try pdu.address(advA)
    pdu.facts.addressType = random
    message.advertiser = BluetoothAddress(pdu.facts.address, hciType: random)
  }

  /// Everything that is left, as advertising data; gives where it is.
  @discardableResult
  func structures(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Range<Int> {
    let range = pdu.position..<pdu.end
    guard !range.isEmpty else { return range }
    try pdu.within(pdu.remaining, field) { pdu throws(Malformed) in
      pdu.hand(to: .advertisingData, orElse: data)
    }
    return range
  }

  /// LLData of CONNECT_IND and AUX_CONNECT_REQ. 2.3.3.1
  private func connection(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LLAdvertisingPDU.ConnectionParameters {
    let accessAddress = try pdu.u32(aa)
    let crcInit = try pdu.unsigned(3, self.crcInit)
    let winSize = try pdu.u8(self.winSize)
    let winOffset = try pdu.u16(self.winOffset)
    let interval = try pdu.u16(self.interval)
    let latency = try pdu.u16(self.latency)
    let timeout = try pdu.u16(self.timeout)
    let channelMap = try pdu.unsigned(5, self.channelMap)
    let last = try pdu.word(1, of: hop)
    pdu.part(hop, last & 0x1F, of: 1)
    pdu.part(sleepClockAccuracy, last >> 5, of: 1)
    return LLAdvertisingPDU.ConnectionParameters(
      accessAddress: accessAddress, crcInit: UInt32(truncatingIfNeeded: crcInit),
      interval: interval, latency: latency, timeout: timeout,
      channelMap: channelMap & 0x1F_FFFF_FFFF, hop: UInt8(truncatingIfNeeded: last & 0x1F),
      winSize: winSize, winOffset: winOffset,
      sleepClockAccuracy: UInt8(truncatingIfNeeded: last >> 5))
  }
}
