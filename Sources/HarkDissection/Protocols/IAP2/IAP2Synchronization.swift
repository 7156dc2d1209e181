/// What a SYN packet of iAP2 asks for, and which sessions the link is to have.
struct IAP2Synchronization: Sendable {
  static let types: [UInt64: StaticString] = [
    0: "control", 1: "file transfer", 2: "External Accessory",
  ]

  let version = Field("Link Version")
  let maxOutstanding = Field("Maximum Number of Outstanding Packets", inLine: true)
  let maxLength = Field("Maximum Received Packet Length", inLine: true)
  let retransmissionTimeout = Field("Retransmission Timeout", unit: "ms")
  let acknowledgementTimeout = Field("Cumulative Acknowledgement Timeout", unit: "ms")
  let maxRetransmissions = Field("Maximum Number of Retransmissions")
  let maxAcknowledgements = Field("Maximum Cumulative Acknowledgements")
  let sessions = Field("Session", .list)
  let sessionIdentifier = Field("Session Identifier")
  let sessionType = Field("Session Type", names: types, inLine: true)
  let sessionVersion = Field("Session Version")

  func read(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(version)
    try pdu.u8(maxOutstanding)
    try pdu.u16be(maxLength)
    try pdu.u16be(retransmissionTimeout)
    try pdu.u16be(acknowledgementTimeout)
    try pdu.u8(maxRetransmissions)
    try pdu.u8(maxAcknowledgements)
    while pdu.remaining > 0 {
      try pdu.group(sessions) { pdu throws(Malformed) in
        try pdu.u8(sessionIdentifier)
        try pdu.u8(sessionType)
        try pdu.u8(sessionVersion)
      }
    }
  }
}
