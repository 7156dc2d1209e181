/// HCI ACL data packets. Core Specification, Vol 4, Part E, 5.4.2.
enum HCIACL: Dissector {
  static let name: StaticString = "HCI ACL"
  static let path: StaticString = "hci.acl"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.2"
  static let places: [AttachmentPoint] = [.record(.acl)]

  static let boundaries: [UInt64: StaticString] = [
    0: "first, not automatically flushable", 1: "continuing",
    2: "first, automatically flushable", 3: "complete PDU",
  ]
  static let broadcasts: [UInt64: StaticString] = [0: "point-to-point", 1: "BR/EDR broadcast"]

  struct Fields: Sendable {
    let handle = Field("Connection_Handle", .hex, inLine: true)
    let pb = Field("PB Flag", names: boundaries, role: .continuation)
    let bc = Field("BC Flag", names: broadcasts)
    let length = Field("Data Total Length")
    let fragment = Field("Fragment of an L2CAP PDU", .bytes, role: .l2capFragment)
    let secret = Secret()
    let diagnostics = Field(
      "Diagnostics of the controller", .bytes, inLine: true, personal: .opaque)

    /// In place of the field of the same name, where the fragment is one of a key.
    struct Secret: Sendable {
      let fragment = Field("Fragment of an L2CAP PDU", .bytes, secret: true, role: .l2capFragment)
    }
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(2, of: fields.handle)
    pdu.part(fields.handle, word & 0x0FFF, of: 2)
    pdu.part(fields.pb, word >> 12 & 3, of: 2)
    pdu.part(fields.bc, word >> 14, of: 2)
    let length = Int(try pdu.u16(fields.length))
    try pdu.limit(to: length, by: fields.length)
    let handle = UInt16(truncatingIfNeeded: word & 0x0FFF)
    guard isConnection(handle, pdu.context) else {
      pdu.rest(fields.diagnostics)
      return
    }
    pdu.facts.handle = handle

    let isSecret = pdu.context.isSecret
    // A frame is whole here if its own length says so; otherwise the session puts it together.
    let frame = 4 + (Int(pdu.peek(1)) << 8 | Int(pdu.peek()))
    if word >> 12 & 3 == 1 {
      pdu.facts.fragment = .continuing
      pdu.rest(isSecret ? fields.secret.fragment : fields.fragment)
    } else if pdu.remaining < 4 || frame > length {
      pdu.facts.fragment = .first
      pdu.rest(isSecret ? fields.secret.fragment : fields.fragment)
    } else {
      // What is after the frame belongs to no PDU: a packet holds data of one only. 5.4.2
      pdu.hand(to: .l2cap, orElse: fields.fragment)
    }
  }

  /// Handles above 0x0EFF are reserved, and controllers send their own logs under them.
  private static func isConnection(_ handle: UInt16, _ context: Context) -> Bool {
    handle <= 0x0EFF && (handle != Context.diagnosticsHandle || context.isDiagnosticsHandleInUse)
  }
}
