import HarkCore

/// Attribute Protocol (ATT). Core Specification, Vol 3, Part F.
enum ATT: MessageDissector {
  static let name: StaticString = "ATT"
  static let path: StaticString = "att"
  static let specification: StaticString = "Core Specification, Vol 3, Part F"
  static let places: [AttachmentPoint] = [.channel(0x0004), .psm(0x001F), .psm(0x0027)]

  // 3.4.8
  static let opcodes: [UInt64: StaticString] = [
    0x01: "ATT_ERROR_RSP", 0x02: "ATT_EXCHANGE_MTU_REQ", 0x03: "ATT_EXCHANGE_MTU_RSP",
    0x04: "ATT_FIND_INFORMATION_REQ", 0x05: "ATT_FIND_INFORMATION_RSP",
    0x06: "ATT_FIND_BY_TYPE_VALUE_REQ", 0x07: "ATT_FIND_BY_TYPE_VALUE_RSP",
    0x08: "ATT_READ_BY_TYPE_REQ", 0x09: "ATT_READ_BY_TYPE_RSP", 0x0A: "ATT_READ_REQ",
    0x0B: "ATT_READ_RSP", 0x0C: "ATT_READ_BLOB_REQ", 0x0D: "ATT_READ_BLOB_RSP",
    0x0E: "ATT_READ_MULTIPLE_REQ", 0x0F: "ATT_READ_MULTIPLE_RSP",
    0x10: "ATT_READ_BY_GROUP_TYPE_REQ", 0x11: "ATT_READ_BY_GROUP_TYPE_RSP",
    0x12: "ATT_WRITE_REQ", 0x13: "ATT_WRITE_RSP", 0x16: "ATT_PREPARE_WRITE_REQ",
    0x17: "ATT_PREPARE_WRITE_RSP", 0x18: "ATT_EXECUTE_WRITE_REQ",
    0x19: "ATT_EXECUTE_WRITE_RSP", 0x1B: "ATT_HANDLE_VALUE_NTF", 0x1D: "ATT_HANDLE_VALUE_IND",
    0x1E: "ATT_HANDLE_VALUE_CFM", 0x20: "ATT_READ_MULTIPLE_VARIABLE_REQ",
    0x21: "ATT_READ_MULTIPLE_VARIABLE_RSP", 0x23: "ATT_MULTIPLE_HANDLE_VALUE_NTF",
    0x52: "ATT_WRITE_CMD", 0xD2: "ATT_SIGNED_WRITE_CMD",
  ]
  // 3.4.1.1; 0xFC to 0xFF: Core Specification Supplement, Part B
  static let errors = Dictionary(
    uniqueKeysWithValues: (0x80...0x9F).map { (UInt64($0), "Application Error" as StaticString) }
  ).merging(standardErrors) { $1 }
  private static let standardErrors: [UInt64: StaticString] = [
    0x01: "Invalid Handle", 0x02: "Read Not Permitted", 0x03: "Write Not Permitted",
    0x04: "Invalid PDU", 0x05: "Insufficient Authentication", 0x06: "Request Not Supported",
    0x07: "Invalid Offset", 0x08: "Insufficient Authorization", 0x09: "Prepare Queue Full",
    0x0A: "Attribute Not Found", 0x0B: "Attribute Not Long",
    0x0C: "Encryption Key Size Too Short", 0x0D: "Invalid Attribute Value Length",
    0x0E: "Unlikely Error", 0x0F: "Insufficient Encryption", 0x10: "Unsupported Group Type",
    0x11: "Insufficient Resources", 0x12: "Database Out Of Sync", 0x13: "Value Not Allowed",
    0xFC: "Write Request Rejected",
    0xFD: "Client Characteristic Configuration Descriptor Improperly Configured",
    0xFE: "Procedure Already in Progress", 0xFF: "Out of Range",
  ]
  // ANCS Specification, Appendix: Error Codes
  static let ancsErrors = errors.merging([
    0xA0: "Unknown command", 0xA1: "Invalid command", 0xA2: "Invalid parameter",
    0xA3: "Action failed",
  ]) { $1 }
  // AMS Specification, Appendix: Error Codes
  static let amsErrors = errors.merging([
    0xA0: "Invalid state", 0xA1: "Invalid command", 0xA2: "Absent attribute",
  ]) { $1 }
  static let formats: [UInt64: StaticString] = [1: "16-bit UUIDs", 2: "128-bit UUIDs"]
  static let executions: [UInt64: StaticString] = [
    0: "cancel all prepared writes", 1: "immediately write all pending prepared values",
  ]

  struct Fields: Sendable {
    let opcode = Field("Attribute Opcode", .hex, names: opcodes, title: true)
    let requestInError = Field("Request Opcode In Error", .hex, names: opcodes, inLine: true)
    let handle = Field("Attribute Handle", .hex, inLine: true)
    let error = Field("Error Code", .hex, names: errors, inLine: true)
    let clientRxMTU = Field("Client Rx MTU", inLine: true)
    let serverRxMTU = Field("Server Rx MTU", inLine: true)
    let startingHandle = Field("Starting Handle", .hex, inLine: true)
    let endingHandle = Field("Ending Handle", .hex, inLine: true)
    let groupEndHandle = Field("Group End Handle", .hex)
    let format = Field("Format", names: formats)
    let length = Field("Length")
    let type = Field("Attribute Type", .attributeType, inLine: true)
    let offset = Field("Value Offset", inLine: true)
    let flags = Field("Flags", names: executions, inLine: true)
    let value = Field("Attribute Value", .bytes, inLine: true, personal: .opaque)
    let valueLength = Field("Value Length")
    let signature = Field("Authentication Signature", .bytes)
    let entries = Field("Entry", .list)
    let properties = Field("Characteristic Properties", .hex, flags: Self.propertyBits)
    let valueHandle = Field("Characteristic Value Handle", .hex)
    let includedHandle = Field("Included Service Attribute Handle", .hex)
    let uuid = Field("UUID", .uuid)
    let declared = Declared()
    // No PDU names the type of what it reads, writes or notifies: discovery did.
    let attribute = Field("Attribute", .attributeType, inLine: true)
    let ofAttribute = OfAttribute()
    let secret = Secret()
    let typed = Typed()
    let decoded = Decoded()
    let ancs = ANCSErrors()
    let ams = AMSErrors()
    let services = ATTServiceErrors()

    /// In place of the field of the same name, where it is not that of a service.
    struct OfAttribute: Sendable {
      let uuid = Field("UUID", .attributeType)
    }

    /// In place of the field of the same name, in a declaration that was read by its handle.
    struct Declared: Sendable {
      let uuid = Field("UUID", .uuid, inLine: true)
      let ofAttribute = OfAttribute()

      struct OfAttribute: Sendable {
        let uuid = Field("UUID", .attributeType, inLine: true)
      }
    }

    /// In place of the fields of the same name, where the value is a key.
    struct Secret: Sendable {
      let value = Field("Attribute Value", .bytes, inLine: true, secret: true, personal: .opaque)
    }

    /// In place of the fields of the same name, where the type determines the form of the value.
    struct Typed: Sendable {
      let value = Field("Attribute Value", .uuid, inLine: true)
    }

    /// In place of the fields of the same name, where a protocol reads the value.
    struct Decoded: Sendable {
      let value = Field("Attribute Value", .bytes, personal: .opaque)
    }

    // In place of the field of the same name: codes from 0x80 to 0x9F, and in practice those behind
    // them, mean what the service says. 3.4.1.1
    struct ANCSErrors: Sendable {
      let error = Field("Error Code", .hex, names: ATT.ancsErrors, inLine: true)
    }
    struct AMSErrors: Sendable {
      let error = Field("Error Code", .hex, names: ATT.amsErrors, inLine: true)
    }

    // Vol 3, Part G, 3.3.1.1
    static let propertyBits: [UInt64: StaticString] = [
      0: "Broadcast", 1: "Read", 2: "Write Without Response", 3: "Write", 4: "Notify",
      5: "Indicate", 6: "Authenticated Signed Writes", 7: "Extended Properties",
    ]
  }
  static let fields = Fields()

  // In place: if no follower wants the message, the most frequent PDUs cost nothing.
  @inline(__always)
  static func read(_ pdu: inout PDU<some Sink>, _ message: inout ATTPDU) throws(Malformed) {
    let isSecret = pdu.context.isSecret
    let opcode = try pdu.u8(fields.opcode)
    message.opcode = ATTPDU.Opcode(rawValue: opcode)
    pdu.facts.code = UInt16(opcode)
    switch opcode {
    case 0x0A: message.handle = try handle(&pdu)
    case 0x0B, 0x0D:
      inferType(&pdu)
      message.value = pdu.position..<pdu.end
      // Read Blob gives what is left behind an offset.
      let isWhole = opcode == 0x0B || pdu.context.isFromStart && isDeclaration(&pdu)
      decoded(isWhole ? pdu.context.attributeType : nil, &pdu)
    case 0x0F:
      message.value = pdu.position..<pdu.end
      try several(&pdu)
    case 0x12, 0x1B, 0x1D, 0x52:
      message.handle = try handle(&pdu)
      if opcode & 0x1F == 0x12 { noteDeclaration(&pdu) }
      message.value = pdu.position..<pdu.end
      decoded(pdu.context.attributeType, &pdu)
    case 0xD2:
      message.handle = try handle(&pdu)
      noteDeclaration(&pdu)
      let signed = try pdu.bytes(max(0, pdu.remaining - 12), value(isSecret))
      message.value = signed
      pdu.facts.payloadOffset = UInt32(truncatingIfNeeded: signed.lowerBound)
      pdu.facts.payloadCount = UInt32(truncatingIfNeeded: signed.count)
      // The recorder cut the end, and with it the signature.
      if !pdu.context.isTruncated { try pdu.bytes(12, fields.signature) }
    case 0x13, 0x19, 0x1E: break
    default:
      var filled = message
      defer { message = filled }
      try other(opcode, &pdu, &filled)
    }
  }

  /// A PDU whose opcode alone does not say where its value begins, or that has none.
  private static func other(
    _ opcode: UInt8, _ pdu: inout PDU<some Sink>, _ message: inout ATTPDU
  ) throws(Malformed) {
    let isSecret = pdu.context.isSecret
    switch opcode {
    case 0x01:
      let request = try pdu.u8(fields.requestInError)
      message.failure = ATTPDU.Failure(
        request: ATTPDU.Opcode(rawValue: request), requestCode: request)
      message.handle = try handle(&pdu)
      let field = errorField(of: pdu.context.attributeType)
      message.failure?.error = try pdu.u8(field)
    case 0x02: message.mtu = try mtu(fields.clientRxMTU, &pdu)
    case 0x03: message.mtu = try mtu(fields.serverRxMTU, &pdu)
    case 0x04, 0x06, 0x08, 0x10: try search(opcode, &pdu, &message)
    case 0x05, 0x07, 0x09, 0x11: try entries(opcode, &pdu) { _ in }
    case 0x0C:
      message.handle = try handle(&pdu)
      message.offset = try pdu.u16(fields.offset)
    case 0x0E, 0x20: try handles(&pdu) { _ in }
    case 0x16, 0x17:
      message.handle = try handle(&pdu)
      if opcode == 0x16 { noteDeclaration(&pdu) }
      message.offset = try pdu.u16(fields.offset)
      message.value = pdu.rest(value(isSecret))
    case 0x18: message.execution = ATTPDU.Execution(rawValue: try pdu.u8(fields.flags))
    case 0x21, 0x23: try values(opcode, &pdu) { _ in }
    default: pdu.rest(value(isSecret))
    }
  }

  /// The ATT_MTU of one side. 3.4.2
  private static func mtu(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt16 {
    let mtu = try pdu.u16(field)
    if mtu < 23 {
      pdu.note(.warning, "is less than 23", over: 2, clause: "Vol 3, Part F, 3.4.2")
    }
    return mtu
  }

  /// After the handle of an attribute that is to be written.
  private static func noteDeclaration(_ pdu: inout PDU<some Sink>) {
    if let type = pdu.context.attributeType, type.isDeclaration {
      pdu.note(
        .warning, "is the handle of a declaration, which cannot be written", over: 2,
        clause: "Vol 3, Part G, 3.1 to 3.3.1")
    }
  }

  /// The field of error codes of an attribute of the type `type`.
  static func errorField(of type: BluetoothUUID?) -> Field {
    switch type {
    case ANCSControlPoint.type: fields.ancs.error
    case AMSRemoteCommand.type, AMSEntityUpdate.type, AMSEntityAttribute.type: fields.ams.error
    default: type?.short.flatMap(fields.services.field) ?? fields.error
    }
  }

  /// Whether the protocol of the type says itself which parts of a value are keys.
  static func hidesKeys(_ type: BluetoothUUID) -> Bool {
    switch type {
    case CSIS.sirk, BASS.controlPoint, BASS.receiveState: true
    default: false
    }
  }

  @inline(__always)
  static func value(_ isSecret: Bool) -> Field {
    isSecret ? fields.secret.value : fields.value
  }

  private static func inferType(_ pdu: inout PDU<some Sink>) {
    // A type that stands for a handle says no more than the handle.
    if let type = pdu.context.attributeType, type.handle == nil {
      pdu.inferred(fields.attribute, type)
    }
  }

  private static func handle(_ pdu: inout PDU<some Sink>) throws(Malformed) -> UInt16 {
    let handle = try pdu.u16(fields.handle)
    pdu.facts.attribute = handle
    inferType(&pdu)
    return handle
  }

  /// Everything that is left is the value of an attribute: for the protocol of its type, if that is known.
  static func decoded(_ type: BluetoothUUID?, _ pdu: inout PDU<some Sink>) {
    let isSecret = pdu.context.isSecret
    if let type, !isSecret || hidesKeys(type) || pdu.hidesKeys(type) {
      pdu.hand(to: .attribute(type), in: fields.decoded.value, orElse: fields.value)
    } else {
      pdu.rest(value(isSecret))
    }
  }

  /// Whether it is a declaration, all of which fits into any PDU but with a UUID of 16 octets in the
  /// shortest.
  private static func isDeclaration(_ pdu: inout PDU<some Sink>) -> Bool {
    switch (pdu.context.attributeType?.short, pdu.remaining) {
    case (0x2800, 2), (0x2800, 16), (0x2801, 2), (0x2801, 16), (0x2802, 4), (0x2802, 6),
      (0x2803, 5), (0x2803, 19):
      true
    default: false
    }
  }

  /// 3.4.4.8: values one after the other. How long they are is known about declarations, and of the last.
  private static func several(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let types = pdu.context.attributeTypes
    let whole = pdu.position..<pdu.end
    var sizes = 0
    for index in 0..<types.count { sizes += types.size(index) }
    let isKnown = (0..<types.count).allSatisfy {
      types[$0] != nil && (types.size($0) > 0 || $0 > 0 && $0 + 1 == types.count)
    }
    let isLastOpen = types.count > 0 && types.size(types.count - 1) == 0
    guard !pdu.context.isSecret, types.count > 0, !types.hasMore, isKnown,
      isLastOpen ? sizes <= whole.count : sizes == whole.count
    else {
      let isSecret = pdu.context.isSecret
      pdu.rest(value(isSecret))
      return
    }
    for index in 0..<types.count {
      guard let type = types[index] else { continue }
      let size = types.size(index) > 0 ? types.size(index) : pdu.remaining
      try pdu.about(type) { pdu throws(Malformed) in
        try pdu.within(size, fields.entries) { pdu throws(Malformed) in decoded(type, &pdu) }
      }
    }
    pdu.facts.payloadOffset = UInt32(truncatingIfNeeded: whole.lowerBound)
    pdu.facts.payloadCount = UInt32(truncatingIfNeeded: whole.count)
  }
}

extension BluetoothUUID {
  /// Whether attributes of this type are declarations, which say what a server has: no client may write
  /// them. Core Specification, Vol 3, Part G, 3.1 to 3.3.1
  public var isDeclaration: Bool { (0x2800...0x2803).contains(short ?? 0) }
}
