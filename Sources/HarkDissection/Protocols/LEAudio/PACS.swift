import HarkCore

/// Published Audio Capabilities Service: which codecs a device has, for which uses. PACS 1.0.1, 3.
enum PACS: Dissector {
  static let name: StaticString = "PACS"
  static let path: StaticString = "pacs"
  static let specification: StaticString = "Published Audio Capabilities Service 1.0.1, 3"
  static let places: [AttachmentPoint] = (0x2BC9...0x2BCE).map {
    .attribute(BluetoothUUID(UInt16($0)))
  }

  struct Fields: Sendable {
    let recordCount = Field("Number_of_PAC_records")
    let records = Field("PAC Record", .list)
    let locations = Field(
      "Audio Locations", .hex, flags: LEAudioNames.locations, special: LEAudioNames.noLocation,
      inLine: true)
    let availableSink = Field(
      "Available_Sink_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"], inLine: true)
    let availableSource = Field(
      "Available_Source_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"], inLine: true)
    let supportedSink = Field(
      "Supported_Sink_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"], inLine: true)
    let supportedSource = Field(
      "Supported_Source_Contexts", .hex, flags: LEAudioNames.contexts,
      special: [0: "none"], inLine: true)
    let audio = LEAudioParameters.shared
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.capabilities, .metadata])

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2BC9, 0x2BCB: try capabilities(&pdu)
    case 0x2BCA, 0x2BCC: try pdu.u32(fields.locations)
    case 0x2BCD:
      try pdu.u16(fields.availableSink)
      try pdu.u16(fields.availableSource)
    case 0x2BCE:
      try pdu.u16(fields.supportedSink)
      try pdu.u16(fields.supportedSource)
    default: break
    }
  }

  /// 3.1, 3.3
  static func capabilities(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    for _ in 0..<(try pdu.u8(fields.recordCount)) {
      try pdu.group(fields.records) { pdu throws(Malformed) in
        let isLTV = try fields.audio.codecID(&pdu)
        try fields.audio.list(.capabilities, isLTV: isLTV, &pdu)
        try fields.audio.list(.metadata, &pdu)
      }
    }
  }
}
