/// Logical Link Control and Adaptation Protocol (L2CAP), basic frames.
/// Core Specification, Vol 3, Part A, 3.1.
enum L2CAP: Dissector {
  static let name: StaticString = "L2CAP"
  static let path: StaticString = "l2cap"
  static let specification: StaticString = "Core Specification, Vol 3, Part A, 3"
  static let places: [AttachmentPoint] = [.l2cap]

  // 2.1, tables 2.1 to 2.3
  static let channels: [UInt64: StaticString] = [
    0x0001: "L2CAP Signaling", 0x0002: "Connectionless", 0x0003: "AMP Manager",
    0x0004: "Attribute Protocol", 0x0005: "LE L2CAP Signaling", 0x0006: "Security Manager",
    0x0007: "BR/EDR Security Manager", 0x003F: "AMP Test Manager",
  ]

  // Assigned Numbers, 2.5
  static let psms: [UInt64: StaticString] = [
    0x0001: "SDP", 0x0003: "RFCOMM", 0x0005: "TCS-BIN", 0x0007: "TCS-BIN-CORDLESS",
    0x000F: "BNEP", 0x0011: "HID_Control", 0x0013: "HID_Interrupt", 0x0015: "UPnP",
    0x0017: "AVCTP", 0x0019: "AVDTP", 0x001B: "AVCTP_Browsing", 0x001D: "UDI_C-Plane",
    0x001F: "ATT", 0x0021: "3DSP", 0x0023: "LE_PSM_IPSP", 0x0025: "OTS", 0x0027: "EATT",
  ]

  struct Fields: Sendable {
    let length = Field("PDU Length")
    let cid = Field("Channel ID", .hex, lookup: L2CAP.channelName, inLine: true)
    let payload = Field("Information Payload", .bytes, inLine: true, personal: .opaque)
    // Only the signaling commands show what a channel is for.
    let psm = Field("PSM", .hex, lookup: L2CAP.protocolName, inLine: true)
    let spsm = Field("SPSM", .hex, lookup: L2CAP.protocolName, inLine: true)
    let frame = L2CAPFrame.shared
    let secret = Secret()
  }

  /// Of a frame whose channel is not known, and which has a key in it all the same.
  struct Secret: Sendable {
    let payload = Field("Information Payload", .bytes, secret: true, personal: .opaque)
  }

  static let fields = Fields()

  @Sendable static func channelName(_ cid: UInt64) -> String? {
    if let name = channels[cid] { return name.description }
    return cid >= 0x0040 ? "Dynamically allocated" : nil
  }

  @Sendable static func protocolName(_ psm: UInt64) -> String? {
    if let name = psms[psm] { return name.description }
    return AttachmentPoint.isDynamic(psm: UInt16(truncatingIfNeeded: psm)) ? "dynamic" : nil
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let start = pdu.position
    let length = try pdu.u16(fields.length)
    let cid = try pdu.u16(fields.cid)
    pdu.facts.cid = cid
    let cut = max(0, Int(length) - pdu.remaining)
    try pdu.limit(to: Int(length), by: fields.length)
    pdu.facts.information = pdu.position..<pdu.end
    if cid < 0x40 {
      pdu.hand(to: .channel(cid), orElse: fields.payload)
    } else {
      if let psm = pdu.context.psm { pdu.inferred(fields.psm, UInt64(psm)) }
      guard pdu.context.framing.mode == .basic else {
        return try fields.frame.read(&pdu, from: start, cut: cut)
      }
      let isSecret = pdu.context.isSecret
      pdu.handToChannel(orElse: isSecret ? fields.secret.payload : fields.payload)
    }
  }
}
