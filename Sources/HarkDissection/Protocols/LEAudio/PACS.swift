import HarkCore

/// Published Audio Capabilities Service: which codecs a device has, for which uses. PACS 1.0.1, 3.
enum PACS: MessageDissector {
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

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    let type = (pdu.context.attributeType ?? pdu.context.requestedType)?.short
    switch type {
    case 0x2BC9, 0x2BCB: message = .capabilities(try capabilities(&pdu), isSink: type == 0x2BC9)
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
  static func capabilities(_ pdu: inout PDU<some Sink>) throws(Malformed) -> [LEAudioCodec] {
    var codecs: [LEAudioCodec] = []
    for _ in 0..<(try pdu.u8(fields.recordCount)) {
      try pdu.group(fields.records) { pdu throws(Malformed) in
        let codec = try fields.audio.codecID(&pdu)
        var values = LEAudioParameters.Values(codec: codec)
        try fields.audio.list(.capabilities, isLTV: codec.isLTV, &pdu, &values)
        try fields.audio.list(.metadata, &pdu)
        codecs.append(values.codec ?? codec)
      }
    }
    return codecs
  }
}
