import HarkCore

/// Audio Stream Control Service: audio stream endpoints (ASE) and what is done with them.
/// ASCS 1.0.1, 4 and 5.
enum ASCS: Dissector {
  static let name: StaticString = "ASCS"
  static let path: StaticString = "ascs"
  static let specification: StaticString = "Audio Stream Control Service 1.0.1, 4 and 5"
  static let controlPoint = BluetoothUUID(0x2BC6 as UInt16)
  static let places: [AttachmentPoint] = [
    .attribute(BluetoothUUID(0x2BC4 as UInt16)), .attribute(BluetoothUUID(0x2BC5 as UInt16)),
    .attribute(controlPoint),
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

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard (pdu.context.attributeType ?? pdu.context.requestedType) == controlPoint else {
      return try endpoint(&pdu)
    }
    // Notified is how the operation ended.
    let isResponse = pdu.facts.code == 0x1B
    let opcode = try pdu.u8(fields.opcode)
    let count = try pdu.u8(fields.aseCount)
    if isResponse {
      while pdu.remaining > 0 {
        try pdu.group(fields.ases) { pdu throws(Malformed) in try response(&pdu) }
      }
      return
    }
    for _ in 0..<count {
      try pdu.group(fields.ases) { pdu throws(Malformed) in try operation(opcode, &pdu) }
    }
  }

  /// 4.1
  static func endpoint(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.ase)
    switch try pdu.u8(fields.state) {
    case 1:
      try pdu.u8(fields.framing)
      try pdu.u8(fields.preferredPHY)
      try pdu.u8(fields.preferredRetransmissions)
      try pdu.u16(fields.maxTransportLatency)
      try pdu.unsigned(3, fields.delayMin)
      try pdu.unsigned(3, fields.delayMax)
      try pdu.unsigned(3, fields.preferredDelayMin)
      try pdu.unsigned(3, fields.preferredDelayMax)
      try codec(&pdu)
    case 2: try qualityOfService(&pdu)
    case 3, 4, 5:
      try pdu.u8(fields.cig)
      try pdu.u8(fields.cis)
      try fields.audio.list(.metadata, &pdu)
    default: break
    }
  }

  /// 5.1 to 5.8
  static func operation(_ opcode: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.ase)
    switch opcode {
    case 1:
      try pdu.u8(fields.targetLatency)
      try pdu.u8(fields.targetPHY)
      try codec(&pdu)
    case 2: try qualityOfService(&pdu)
    case 3, 7: try fields.audio.list(.metadata, &pdu)
    default: break
    }
  }

  static func codec(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let isLTV = try fields.audio.codecID(&pdu)
    try fields.audio.list(.configuration, isLTV: isLTV, &pdu)
  }

  static func qualityOfService(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.cig)
    try pdu.u8(fields.cis)
    try pdu.unsigned(3, fields.sduInterval)
    try pdu.u8(fields.framing)
    try pdu.u8(fields.phy)
    try pdu.u16(fields.maxSDU)
    try pdu.u8(fields.retransmissions)
    try pdu.u16(fields.maxTransportLatency)
    try pdu.unsigned(3, fields.presentationDelay)
  }

  static func response(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.ase)
    let response = try pdu.u8(fields.response)
    try pdu.u8(0x0A...0x0C ~= response ? fields.metadataReason.reason : fields.reason)
  }
}
