import HarkCore

/// The Common Extended Advertising Payload Format. Core Specification, Vol 6, Part B, 2.3.4.
struct LinkLayerExtendedAdvertising: Sendable {
  static let modes: [UInt64: StaticString] = [
    0: "non-connectable, non-scannable", 1: "connectable, non-scannable",
    2: "non-connectable, scannable",
  ]
  static let flags: [UInt64: StaticString] = [
    0: "AdvA", 1: "TargetA", 2: "CTEInfo", 3: "ADI", 4: "AuxPtr", 5: "SyncInfo", 6: "TxPower",
  ]
  static let offsetUnits: [UInt64: StaticString] = [0: "30 µs", 1: "300 µs"]
  static let clocks: [UInt64: StaticString] = [0: "51 ppm to 500 ppm", 1: "0 ppm to 50 ppm"]
  static let cteTypes: [UInt64: StaticString] = [
    0: "AoA", 1: "AoD with 1 µs slots", 2: "AoD with 2 µs slots",
  ]

  let headerLength = Field("Extended Header Length")
  let mode = Field("AdvMode", names: modes)
  let flags = Field("Extended Header Flags", .hex, flags: Self.flags)
  let cteTime = Field("CTETime", unit: "8 µs")
  let cteReserved = Field("CTEInfo RFU", role: .reserved)
  let cteType = Field("CTEType", names: cteTypes)
  let did = Field("Advertising DID", .hex)
  let sid = Field("Advertising SID", inLine: true)
  let auxPtr = Field("AuxPtr", .group)
  let auxChannel = Field("Channel Index", inLine: true)
  let auxClock = Field("CA", names: clocks)
  let auxUnits = Field("Offset Units", names: offsetUnits)
  let auxOffset = Field("AUX Offset")
  let auxPHY = Field("AUX PHY", names: LERadio.phys)
  let syncInfo = LinkLayerSyncInfo.shared
  let txPower = Field("TxPower", .signed, unit: "dBm")
  let acad = Field("ACAD", .group)

  func read(
    _ random: UInt8, _ outer: LinkLayerAdvertising, _ pdu: inout PDU<some Sink>,
    _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    let first = try pdu.word(1, of: headerLength)
    pdu.part(headerLength, first & 0x3F, of: 1)
    pdu.part(mode, first >> 6, of: 1)
    let length = Int(first & 0x3F)
    if length > 0 {
      try pdu.inside(length, by: headerLength) { pdu throws(Malformed) in
        try header(random, outer, &pdu, &message)
      }
    }
    let context = pdu.context.linkLayer
    // A PDU that points to another one with data has only a part of it, and so has AUX_CHAIN_IND.
    if message.pointer != nil || context.continuesData || context.auxiliary == .chain {
      message.isPart = true
      let fragment = pdu.hidesAdvertising ? outer.secret.dataFragment : outer.dataFragment
      message.data = pdu.rest(fragment)
    } else {
      message.data = try outer.structures(outer.advData, &pdu)
    }
  }

  /// 2.3.1.8: as above, with flags where the length would be, and without unrequested data in
  /// front of the decision.
  func readDecision(
    _ random: UInt8, _ outer: LinkLayerAdvertising, _ pdu: inout PDU<some Sink>,
    _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    let first = try pdu.word(1, of: outer.decisionFlags)
    pdu.part(outer.decisionFlags, first & 0x3F, of: 1)
    pdu.part(mode, first >> 6, of: 1)
    let present = try pdu.u8(flags)
    if present & 0x01 != 0 { try outer.advertiser(random, &pdu, &message) }
    if present & 0x08 != 0 { _ = try dataInfo(&pdu) }
    if present & 0x10 != 0 {
      try pdu.group(auxPtr) { pdu throws(Malformed) in _ = try pointer(&pdu) }
    }
    if present & 0x40 != 0 { try pdu.u8(txPower) }
    if first & 1 != 0 {
      try pdu.unsigned(3, outer.tagHash)
      try pdu.unsigned(3, outer.tagPrand)
    }
    if pdu.remaining > 0 { pdu.rest(outer.decision) }
  }

  /// 2.3.4.4
  private func dataInfo(_ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt16 {
    let info = try pdu.word(2, of: did)
    pdu.part(did, info & 0x0FFF, of: 2)
    pdu.part(sid, info >> 12, of: 2)
    return UInt16(truncatingIfNeeded: info)
  }

  private func header(
    _ random: UInt8, _ outer: LinkLayerAdvertising, _ pdu: inout PDU<some Sink>,
    _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    let present = try pdu.u8(flags)
    if present & 0x01 != 0 { try outer.advertiser(random, &pdu, &message) }
    if present & 0x02 != 0 { try pdu.address(outer.targetA) }
    if present & 0x04 != 0 { try cteInfo(&pdu) }
    if present & 0x08 != 0 { message.dataInfo = try dataInfo(&pdu) }
    if present & 0x10 != 0 {
      var found: LLAdvertisingPDU.Pointer?
      try pdu.group(auxPtr) { pdu throws(Malformed) in found = try pointer(&pdu) }
      message.pointer = found
    }
    if present & 0x20 != 0 { message.train = try syncInfo.read(&pdu) }
    if present & 0x40 != 0 { try pdu.u8(txPower) }
    message.acad = try outer.structures(acad, &pdu)
  }

  /// 2.5.2
  func cteInfo(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let info = try pdu.word(1, of: cteTime)
    pdu.part(cteTime, info & 0x1F, of: 1)
    pdu.part(cteReserved, info >> 5 & 1, of: 1)
    pdu.part(cteType, info >> 6, of: 1)
  }

  /// 2.3.4.5
  private func pointer(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LLAdvertisingPDU.Pointer {
    let word = try pdu.word(3, of: auxChannel)
    pdu.part(auxChannel, word & 0x3F, of: 3)
    pdu.part(auxClock, word >> 6 & 1, of: 3)
    pdu.part(auxUnits, word >> 7 & 1, of: 3)
    pdu.part(auxOffset, word >> 8 & 0x1FFF, of: 3)
    pdu.part(auxPHY, word >> 21, of: 3)
    let unit: Int64 = word >> 7 & 1 == 0 ? 30_000 : 300_000
    return LLAdvertisingPDU.Pointer(
      channel: UInt8(truncatingIfNeeded: word & 0x3F),
      offset: Int64(word >> 8 & 0x1FFF) * unit, unit: unit)
  }
}

/// Where a periodic advertising train is. Core Specification, Vol 6, Part B, 2.3.4.6.
struct LinkLayerSyncInfo: Sendable {
  static let shared = LinkLayerSyncInfo()

  let group = Field("SyncInfo", .group)
  let offset = Field("Sync Packet Window Offset")
  let units = Field("Offset Units", names: LinkLayerExtendedAdvertising.offsetUnits)
  let adjust = Field("Offset Adjust")
  let reserved = Field("RFU", role: .reserved)
  let interval = Field("Interval", unit: "1.25 ms", inLine: true)
  let channelMap = Field("ChM", .hex, structural: true)
  let accuracy = Field("SCA", names: LinkLayerAdvertising.accuracies)
  let aa = Field("AA", .hex, inLine: true, structural: true)
  let crcInit = Field("CRCInit", .hex, structural: true, role: .crcInit)
  let eventCounter = Field("paEventCounter")

  func read(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LLAdvertisingPDU.PeriodicTrain {
    var (accessAddress, crcInit) = (UInt32(0), UInt64(0))
    try pdu.group(group) { pdu throws(Malformed) in
      let word = try pdu.word(2, of: offset)
      pdu.part(offset, word & 0x1FFF, of: 2)
      pdu.part(units, word >> 13 & 1, of: 2)
      pdu.part(adjust, word >> 14 & 1, of: 2)
      pdu.part(reserved, word >> 15, of: 2)
      try pdu.u16(interval)
      let map = try pdu.word(5, of: channelMap)
      pdu.part(channelMap, map & 0x1F_FFFF_FFFF, of: 5)
      pdu.part(accuracy, map >> 37, of: 5)
      accessAddress = try pdu.u32(aa)
      crcInit = try pdu.unsigned(3, self.crcInit)
      try pdu.u16(eventCounter)
    }
    return LLAdvertisingPDU.PeriodicTrain(
      accessAddress: accessAddress, crcInit: UInt32(truncatingIfNeeded: crcInit))
  }
}
