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

  func read(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> IAP2LinkPacket.Synchronization {
    var asked = IAP2LinkPacket.Synchronization()
    try pdu.u8(version)
    asked.maxOutstanding = try pdu.u8(maxOutstanding)
    asked.maxLength = try pdu.u16be(maxLength)
    asked.retransmissionTimeout = try pdu.u16be(retransmissionTimeout)
    asked.acknowledgementTimeout = try pdu.u16be(acknowledgementTimeout)
    asked.maxRetransmissions = try pdu.u8(maxRetransmissions)
    asked.maxAcknowledgements = try pdu.u8(maxAcknowledgements)
    while pdu.remaining > 0 {
      try pdu.group(sessions) { pdu throws(Malformed) in
        let identifier = try pdu.u8(sessionIdentifier)
        let type = IAP2LinkPacket.SessionType(rawValue: try pdu.u8(sessionType))
        let version = try pdu.u8(sessionVersion)
        asked.sessions.append(
          IAP2LinkPacket.Session(identifier: identifier, type: type, version: version))
      }
    }
    return asked
  }
}
