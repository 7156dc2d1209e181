/// Service capabilities of stream endpoints. AVDTP 1.3, 8.21.
struct AVDTPCapabilities: Sendable {
  // 8.21, table 8.47
  static let categories: [UInt64: StaticString] = [
    1: "Media Transport", 2: "Reporting", 3: "Recovery", 4: "Content Protection",
    5: "Header Compression", 6: "Multiplexing", 7: "Media Codec", 8: "Delay Reporting",
  ]
  // Assigned Numbers, 6.3.2
  static let protections: [UInt64: StaticString] = [1: "DTCP", 2: "SCMS-T"]
  // 8.21.4
  static let recoveryTypes: [UInt64: StaticString] = [1: "RFC 2733"]
  // 8.21.6
  static let compressions: [UInt64: StaticString] = [7: "BackCh", 6: "Media", 5: "Recovery"]
  static let fragmentation: [UInt64: StaticString] = [
    0: "no adaptation layer fragmentation", 1: "adaptation layer fragmentation",
  ]

  let capability = Field("Service Capability", .list)
  let category = Field("Service Category", names: categories)
  let length = Field("Length of Service Capability (LOSC)")
  let recoveryType = Field("Recovery Type", names: recoveryTypes)
  let recoveryWindow = Field("Maximum Recovery Window Size")
  let parityPackets = Field("Maximum Number of Media Packets in Parity Code")
  let protectionType = Field("CP_TYPE", .hex, names: protections)
  let protectionValue = Field("CP_TYPE specific value", .bytes)
  let compression = Field("Header Compression", .hex, flags: compressions)
  let fragmentation = Field("FRAG", names: fragmentation)
  let session = Field("Transport Session", .list)
  let sessionID = Field("TSID")
  let channelID = Field("TCID")
  let codec = A2DPCodec.shared
  let value = Field("Service Capability Value", .bytes)

  static let shared = AVDTPCapabilities()

  /// Reads the capabilities to the end of the window.
  func read(
    _ pdu: inout PDU<some Sink>, _ message: inout AVDTPMessage.Capabilities
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(capability) { pdu throws(Malformed) in
        let category = try pdu.u8(category)
        let length = Int(try pdu.u8(length))
        try pdu.inside(length, by: self.length) { pdu throws(Malformed) in
          switch category {
          case 3:
            try pdu.u8(recoveryType)
            try pdu.u8(recoveryWindow)
            try pdu.u8(parityPackets)
          case 4:
            message.isProtected = true
            try pdu.u16(protectionType)
            if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, protectionValue) }
          case 5: try pdu.u8(compression)
          case 6: try multiplexing(&pdu)
          case 7: try codec.read(&pdu, &message.codec)
          default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, value) }
          }
        }
      }
    }
  }

  /// 8.21.7
  private func multiplexing(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(1, of: fragmentation)
    pdu.part(fragmentation, word >> 7, of: 1)
    while pdu.remaining > 0 {
      try pdu.group(session) { pdu throws(Malformed) in
        pdu.part(sessionID, try pdu.word(1, of: sessionID) >> 3, of: 1)
        pdu.part(channelID, try pdu.word(1, of: channelID) >> 3, of: 1)
      }
    }
  }
}
