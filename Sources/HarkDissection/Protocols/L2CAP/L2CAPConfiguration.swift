/// Configuration parameter options of L2CAP channels. Core Specification, Vol 3, Part A, 5.
struct L2CAPConfiguration: Sendable {
  // 5.1 to 5.7
  static let types: [UInt64: StaticString] = [
    1: "Maximum Transmission Unit (MTU)", 2: "Flush Timeout", 3: "Quality of Service (QoS)",
    4: "Retransmission and Flow Control", 5: "Frame Check Sequence (FCS)",
    6: "Extended Flow Specification", 7: "Extended Window Size",
  ]
  static let hints: [UInt64: StaticString] = [0: "must be recognized", 1: "hint"]
  // 5.3, table 5.2
  static let serviceTypes: [UInt64: StaticString] = [
    0: "No traffic", 1: "Best effort", 2: "Guaranteed",
  ]
  // 5.4, table 5.3
  static let modes: [UInt64: StaticString] = [
    0: "L2CAP Basic Mode", 1: "Retransmission mode", 2: "Flow control mode",
    3: "Enhanced Retransmission mode", 4: "Streaming mode",
  ]
  // 5.5, table 5.6
  static let fcsTypes: [UInt64: StaticString] = [0: "No FCS", 1: "16-bit FCS"]

  let option = Field("Option", .list)
  let optionType = Field("Option Type", .hex, names: types, inLine: true)
  let hint = Field("Hint", names: hints)
  let optionLength = Field("Option Length")
  // 5.2
  let flushTimeout = Field(
    "Flush Timeout", unit: "ms",
    special: [1: "no retransmissions", 0xFFFF: "retransmissions without end"])
  let qosFlags = Field("Flags", .hex)
  let serviceType = Field("Service Type", names: serviceTypes)
  let tokenRate = Field("Token Rate", unit: "octets/s", structural: true)
  let tokenBucketSize = Field("Token Bucket Size", unit: "octets", structural: true)
  let peakBandwidth = Field("Peak Bandwidth", unit: "octets/s", structural: true)
  let accessLatency = Field("Access Latency", unit: "µs", structural: true)
  let delayVariation = Field("Delay Variation", unit: "µs", structural: true)
  let mode = Field("Mode", names: modes, inLine: true)
  let txWindow = Field("TxWindow Size")
  let maxTransmit = Field("MaxTransmit")
  let retransmissionTimeout = Field("Retransmission Timeout", unit: "ms")
  let monitorTimeout = Field("Monitor Timeout", unit: "ms")
  let fcs = Field("FCS Type", names: fcsTypes)
  let flowIdentifier = Field("Identifier")
  let maxSDU = Field("Maximum SDU Size")
  let interarrival = Field("SDU Inter-arrival Time", unit: "µs", structural: true)
  // 5.6
  let flowFlushTimeout = Field(
    "Flush Timeout", unit: "µs",
    special: [0: "no retransmissions", 0xFFFF_FFFF: "retransmissions without end"], structural: true
  )
  let maxWindow = Field("Max Window Size")
  let optionData = Field("Option Data", .bytes)

  static let shared = L2CAPConfiguration()

  /// Reads the options to the end of the window.
  func read(
    _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(option) { pdu throws(Malformed) in
        let word = try pdu.word(1, of: optionType)
        pdu.part(optionType, word & 0x7F, of: 1)
        pdu.part(hint, word >> 7, of: 1)
        let length = Int(try pdu.u8(optionLength))
        try pdu.inside(length, by: optionLength) { pdu throws(Malformed) in
          try value(word & 0x7F, &pdu, &command)
        }
      }
    }
  }

  /// The types of options that were not understood, without lengths and values. 4.5
  func types(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(option) { pdu throws(Malformed) in
        let word = try pdu.word(1, of: optionType)
        pdu.part(optionType, word & 0x7F, of: 1)
        pdu.part(hint, word >> 7, of: 1)
      }
    }
  }

  /// Whether the window contains options with their lengths, as some hosts also send those that they do not
  /// understand; their end may be cut.
  static func isList(_ pdu: PDU<some Sink>) -> Bool {
    var count = 0
    while count < pdu.remaining {
      if count + 1 == pdu.remaining { return pdu.context.isTruncated }
      count += 2 + Int(pdu.peek(count + 1))
    }
    return count == pdu.remaining || pdu.context.isTruncated
  }

  private func value(
    _ type: UInt64, _ pdu: inout PDU<some Sink>, _ command: inout SignalingCommand
  ) throws(Malformed) {
    switch type {
    case 1: command.mtu = try pdu.u16(L2CAPSignaling.fields.mtu)
    case 2: try pdu.u16(flushTimeout)
    case 3: try qualityOfService(&pdu)
    case 4:
      command.mode = Self.mode(try pdu.u8(mode))
      command.txWindow = try pdu.u8(txWindow)
      try pdu.u8(maxTransmit)
      try pdu.u16(retransmissionTimeout)
      try pdu.u16(monitorTimeout)
      command.mps = try pdu.u16(L2CAPSignaling.fields.mps)
    case 5: command.hasFCS = try pdu.u8(fcs) != 0
    case 6:
      try pdu.u8(flowIdentifier)
      try pdu.u8(serviceType)
      try pdu.u16(maxSDU)
      try pdu.u32(interarrival)
      try pdu.u32(accessLatency)
      try pdu.u32(flowFlushTimeout)
    case 7: command.maxWindow = try pdu.u16(maxWindow)
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, optionData) }
    }
  }

  /// Credits are no mode that options ask for. 5.4
  private static func mode(_ octet: UInt8) -> L2CAPFraming.Mode? {
    L2CAPFraming.Mode(rawValue: octet).flatMap { $0 == .creditBased ? nil : $0 }
  }

  /// 5.3
  private func qualityOfService(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(qosFlags)
    try pdu.u8(serviceType)
    try pdu.u32(tokenRate)
    try pdu.u32(tokenBucketSize)
    try pdu.u32(peakBandwidth)
    try pdu.u32(accessLatency)
    try pdu.u32(delayVariation)
  }
}
