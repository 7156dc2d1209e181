/// What sniffers put in front of LE packets: link type 256.
/// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
enum LERadio: Dissector {
  static let name: StaticString = "LE radio"
  static let path: StaticString = "radio"
  static let specification: StaticString = "tcpdump.org, LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR"
  static let places: [AttachmentPoint] = [.record(.leRadio)]

  static let flags: [UInt64: StaticString] = [
    0: "dewhitened", 1: "signal power valid", 2: "noise power valid", 3: "decrypted",
    4: "reference access address valid", 5: "access address offenses valid", 6: "channel aliased",
    10: "CRC checked", 11: "CRC valid",
  ]
  static let types: [UInt64: StaticString] = [
    0: "advertising or data, direction not given", 1: "auxiliary advertising",
    2: "data, Central to Peripheral", 3: "data, Peripheral to Central",
    4: "Connected Isochronous Stream, Central to Peripheral",
    5: "Connected Isochronous Stream, Peripheral to Central", 6: "Broadcast Isochronous Stream",
  ]
  static let auxiliaries: [UInt64: StaticString] = [
    0: "AUX_ADV_IND", 1: "AUX_CHAIN_IND", 2: "AUX_SYNC_IND", 3: "AUX_SCAN_RSP",
  ]
  static let phys: [UInt64: StaticString] = [0: "LE 1M", 1: "LE 2M", 2: "LE Coded"]

  struct Fields: Sendable {
    let rfChannel = Field("RF channel", lookup: LERadio.channel)
    let signal = Field("Signal power", .signed, unit: "dBm")
    let noise = Field("Noise power", .signed, unit: "dBm")
    let offenses = Field("Access address offenses")
    let reference = Field("Reference access address", .hex, structural: true)
    let flags = Field("Flags", .hex, flags: LERadio.flags)
    let type = Field("PDU type", names: types)
    let auxiliary = Field("Auxiliary PDU type", names: auxiliaries)
    let micChecked = Field("MIC checked")
    let micValid = Field("MIC valid")
    let phy = Field("PHY", names: phys)
    let unused = Field("Not valid", .hex)
    let index = Index()
  }

  /// In place of the field of the same name, where the sniffer wrote something else.
  struct Index: Sendable {
    let rfChannel = Field("RF channel", lookup: LERadio.index)
  }
  static let fields = Fields()

  @Sendable static func channel(_ number: UInt64) -> String? {
    AirHeader.channel(ofRF: UInt8(truncatingIfNeeded: number)).map {
      "\(2402 + 2 * number) MHz, channel index \($0)"
    }
  }

  /// Of 37 and 38, where they are channel indexes.
  @Sendable static func index(_ number: UInt64) -> String? {
    "not an RF channel but the channel index, \(number == 37 ? 2402 : 2426) MHz"
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let header = AirHeader(pdu.bytes, .leRadio)
    // What their flags do not call valid means nothing.
    let valid = pdu.peek(8)
    let hasIndex = header?.hasIndexForRF ?? false
    try pdu.u8(hasIndex ? fields.index.rfChannel : fields.rfChannel)
    try pdu.u8(valid & 0x02 != 0 ? fields.signal : fields.unused)
    try pdu.u8(valid & 0x04 != 0 ? fields.noise : fields.unused)
    try pdu.u8(valid & 0x20 != 0 ? fields.offenses : fields.unused)
    try pdu.u32(valid & 0x10 != 0 ? fields.reference : fields.unused)
    let flags = try pdu.word(2, of: fields.flags)
    pdu.part(fields.flags, flags & 0x0C7F, of: 2)
    let type = flags >> 7 & 7
    pdu.part(fields.type, type, of: 2)
    if type == 1 {
      pdu.part(fields.auxiliary, flags >> 12 & 3, of: 2)
    } else {
      pdu.part(fields.micChecked, flags >> 12 & 1, of: 2)
      pdu.part(fields.micValid, flags >> 13 & 1, of: 2)
    }
    pdu.part(fields.phy, flags >> 14, of: 2)
    header?.add(to: &pdu.context.linkLayer)
    pdu.hand(to: .record(.leLinkLayer), orElse: Tree.undecodedField)
  }
}
