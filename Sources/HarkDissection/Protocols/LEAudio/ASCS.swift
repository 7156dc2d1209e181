import HarkCore

/// Audio Stream Control Service: audio stream endpoints (ASE) and what is done with them.
/// ASCS 1.0.1, 4 and 5.
enum ASCS: MessageDissector {
  static let name: StaticString = "ASCS"
  static let path: StaticString = "ascs"
  static let specification: StaticString = "Audio Stream Control Service 1.0.1, 4 and 5"
  static let sink = BluetoothUUID(AttributeType.sinkASE)
  static let controlPoint = BluetoothUUID(AttributeType.aseControlPoint)
  static let places: [AttachmentPoint] = [
    .attribute(sink), .attribute(BluetoothUUID(AttributeType.sourceASE)), .attribute(controlPoint),
  ]

  // 5, table 5.1
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Config Codec", 0x02: "Config QoS", 0x03: "Enable", 0x04: "Receiver Start Ready",
    0x05: "Disable", 0x06: "Receiver Stop Ready", 0x07: "Update Metadata", 0x08: "Release",
    0x09: "Released",
  ]
  // 4.1, table 4.1
  static let states: [UInt64: StaticString] = [
    0: "Idle", 1: "Codec Configured", 2: "QoS Configured", 3: "Enabling", 4: "Streaming",
    5: "Disabling", 6: "Releasing",
  ]
  // 5.1, table 5.2
  static let latencies: [UInt64: StaticString] = [
    1: "Target low latency", 2: "Target balanced latency and reliability",
    3: "Target high reliability",
  ]
  static let phys: [UInt64: StaticString] = [1: "LE 1M PHY", 2: "LE 2M PHY", 3: "LE Coded PHY"]
  // 5, table 5.1.2
  static let responses: [UInt64: StaticString] = [
    0x00: "Success", 0x01: "Unsupported Opcode", 0x02: "Invalid Length", 0x03: "Invalid ASE_ID",
    0x04: "Invalid ASE State Machine Transition", 0x05: "Invalid ASE Direction",
    0x06: "Unsupported Audio Capabilities", 0x07: "Unsupported Configuration Parameter Value",
    0x08: "Rejected Configuration Parameter Value",
    0x09: "Invalid Configuration Parameter Value", 0x0A: "Unsupported Metadata",
    0x0B: "Rejected Metadata", 0x0C: "Invalid Metadata", 0x0D: "Insufficient Resources",
    0x0E: "Unspecified Error",
  ]
  static let reasons: [UInt64: StaticString] = [
    0x00: "no reason", 0x01: "Codec_ID", 0x02: "Codec_Specific_Configuration",
    0x03: "SDU_Interval", 0x04: "Framing", 0x05: "PHY", 0x06: "Maximum_SDU_Size",
    0x07: "Retransmission_Number", 0x08: "Max_Transport_Latency", 0x09: "Presentation_Delay",
    0x0A: "Invalid ASE CIS mapping",
  ]

  struct Fields: Sendable {
    let ase = Field("ASE_ID", inLine: true)
    let state = Field("ASE_State", names: states, title: true)
    let opcode = Field("Opcode", .hex, names: opcodes, title: true)
    let aseCount = Field(
      "Number_of_ASEs", special: [0xFF: "the operation as a whole is answered"])
    let ases = Field("ASE", .list)
    let response = Field("Response_Code", .hex, names: responses, inLine: true)
    let reason = Field("Reason", .hex, names: reasons, inLine: true)
    let metadataReason = MetadataReason()
    let targetLatency = Field("Target_Latency", names: latencies)
    let targetPHY = Field("Target_PHY", names: phys)

    // 4.1, table 4.3
    let preferredPHY = Field(
      "Preferred_PHY", .hex, flags: LEAudioNames.phyBits, special: [0: "no preference"])
    let preferredRetransmissions = Field("Preferred_Retransmission_Number")
    let delayMin = Field("Presentation_Delay_Min", unit: "µs")
    let delayMax = Field("Presentation_Delay_Max", unit: "µs")
    let preferredDelayMin = Field(
      "Preferred_Presentation_Delay_Min", unit: "µs", special: [0: "no preference"])
    let preferredDelayMax = Field(
      "Preferred_Presentation_Delay_Max", unit: "µs", special: [0: "no preference"])
    // 4.1, tables 4.4 and 4.5; 5.2
    let cig = Field("CIG_ID", inLine: true)
    let cis = Field("CIS_ID", inLine: true)
    let sduInterval = Field("SDU_Interval", unit: "µs", inLine: true)
    let framing = Field("Framing", names: LEAudioNames.framings)
    let phy = Field("PHY", .hex, flags: LEAudioNames.phyBits)
    let maxSDU = Field("Max_SDU", inLine: true)
    let retransmissions = Field("Retransmission_Number")
    let maxTransportLatency = Field("Max_Transport_Latency", unit: "ms")
    let presentationDelay = Field("Presentation_Delay", unit: "µs")
    let audio = LEAudioParameters.shared

    /// In place of the field of the same name: of responses about metadata it names their type.
    struct MetadataReason: Sendable {
      let reason = Field("Reason", .hex, names: LEAudioNames.metadata, inLine: true)
    }
  }
  static let fields = Fields()
  static let fieldsOfOthers = fields.audio.fields(besides: [.configuration, .metadata])

  /// Of what a Codec_Specific_Configuration or metadata makes malformed, what is in front of that counts.
  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LEAudioValue) throws(Malformed) {
    let type = pdu.context.attributeType ?? pdu.context.requestedType
    guard type == controlPoint else { return try endpoint(&pdu, isSink: type == sink, &message) }
    // Notified is how the operation ended.
    let isResponse = pdu.facts.code == 0x1B
    let opcode = try pdu.u8(fields.opcode)
    let count = try pdu.u8(fields.aseCount)
    if isResponse {
      var responses: [LEAudioValue.EndpointResponse] = []
      defer { message = .endpointResult(opcode: opcode, responses) }
      while pdu.remaining > 0 {
        try pdu.group(fields.ases) { pdu throws(Malformed) in
          responses.append(try response(&pdu))
        }
      }
      return
    }
    var operations: [LEAudioValue.EndpointOperation] = []
    for _ in 0..<count {
      try pdu.group(fields.ases) { pdu throws(Malformed) in
        operations.append(try operation(opcode, &pdu))
      }
    }
    message = .endpointOperation(opcode: opcode, operations)
  }

  /// 4.1
  private static func endpoint(
    _ pdu: inout PDU<some Sink>, isSink: Bool, _ message: inout LEAudioValue
  ) throws(Malformed) {
    let id = try pdu.u8(fields.ase)
    let code = try pdu.u8(fields.state)
    guard let state = LEAudioValue.State(rawValue: code) else { return }
    var endpoint = LEAudioValue.Endpoint(id: id, state: state)
    var values = LEAudioParameters.Values()
    switch state {
    case .codecConfigured:
      try pdu.u8(fields.framing)
      try pdu.u8(fields.preferredPHY)
      try pdu.u8(fields.preferredRetransmissions)
      try pdu.u16(fields.maxTransportLatency)
      try pdu.unsigned(3, fields.delayMin)
      try pdu.unsigned(3, fields.delayMax)
      try pdu.unsigned(3, fields.preferredDelayMin)
      try pdu.unsigned(3, fields.preferredDelayMax)
      values.codec = try fields.audio.codecID(&pdu)
      defer {
        endpoint.codec = values.codec
        message = .endpoint(endpoint, isSink: isSink)
      }
      try configuration(&pdu, &values)
    case .qosConfigured:
      endpoint.quality = try qualityOfService(&pdu)
      message = .endpoint(endpoint, isSink: isSink)
    case .enabling, .streaming, .disabling:
      try pdu.u8(fields.cig)
      try pdu.u8(fields.cis)
      defer {
        endpoint.contexts = values.contexts
        message = .endpoint(endpoint, isSink: isSink)
      }
      try fields.audio.list(.metadata, &pdu, &values)
    case .idle, .releasing: message = .endpoint(endpoint, isSink: isSink)
    }
  }

  /// 5.1 to 5.8
  private static func operation(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LEAudioValue.EndpointOperation {
    var operation = LEAudioValue.EndpointOperation(endpoint: try pdu.u8(fields.ase))
    var values = LEAudioParameters.Values()
    switch opcode {
    case 1:
      try pdu.u8(fields.targetLatency)
      try pdu.u8(fields.targetPHY)
      values.codec = try fields.audio.codecID(&pdu)
      try configuration(&pdu, &values)
    case 2: operation.quality = try qualityOfService(&pdu)
    case 3, 7: try fields.audio.list(.metadata, &pdu, &values)
    default: break
    }
    (operation.codec, operation.contexts) = (values.codec, values.contexts)
    return operation
  }

  private static func configuration(
    _ pdu: inout PDU<some Sink>, _ values: inout LEAudioParameters.Values
  ) throws(Malformed) {
    let isLTV = values.codec?.isLTV ?? true
    try fields.audio.list(.configuration, isLTV: isLTV, &pdu, &values)
  }

  private static func qualityOfService(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LEAudioValue.Quality {
    let cig = try pdu.u8(fields.cig)
    let cis = try pdu.u8(fields.cis)
    let interval = try pdu.unsigned(3, fields.sduInterval)
    let framing = try pdu.u8(fields.framing)
    let phy = try pdu.u8(fields.phy)
    let maxSDU = try pdu.u16(fields.maxSDU)
    let retransmissions = try pdu.u8(fields.retransmissions)
    let latency = try pdu.u16(fields.maxTransportLatency)
    let delay = try pdu.unsigned(3, fields.presentationDelay)
    return LEAudioValue.Quality(
      cig: cig, cis: cis, interval: UInt32(truncatingIfNeeded: interval), isFramed: framing == 1,
      phy: phy, maxSDU: maxSDU, retransmissions: retransmissions, latency: latency,
      presentationDelay: UInt32(truncatingIfNeeded: delay))
  }

  private static func response(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> LEAudioValue.EndpointResponse {
    let endpoint = try pdu.u8(fields.ase)
    let code = try pdu.u8(fields.response)
    let isAboutMetadata = LEAudioValue.EndpointResponse.isAboutMetadata(code)
    let reason = try pdu.u8(isAboutMetadata ? fields.metadataReason.reason : fields.reason)
    return LEAudioValue.EndpointResponse(endpoint: endpoint, code: code, reason: reason)
  }
}
