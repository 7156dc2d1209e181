/// Link Manager Protocol: what two controllers say about a BR/EDR link. Core Specification, Vol 2, Part C.
enum LMP: MessageDissector {
  static let name: StaticString = "LMP"
  static let path: StaticString = "lmp"
  static let specification: StaticString = "Core Specification, Vol 2, Part C"
  static let places: [AttachmentPoint] = [.linkManager]

  static let fields = LMPFields.shared

  /// The opcode after which another octet says what the PDU is. 5.1
  private static let escape: UInt64 = 127
  private static let rows = LMPRows.plain.reduce(into: [:]) { $0[UInt64($1.opcode)] = $1 }
  private static let extendedRows = LMPRows.extended.reduce(into: [:]) {
    $0[UInt64($1.opcode)] = $1
  }
  static let names = rows.mapValues(\.name).merging([
    124: "Escape 1", 125: "Escape 2", 126: "Escape 3", escape: "Escape 4",
  ]) { name, _ in name }
  static let extendedNames = extendedRows.mapValues(\.name)

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout LMPMessage) throws(Malformed) {
    // 2.3, 5.1: the transaction's initiator, and the opcode.
    let first = try pdu.word(1, of: fields.opcode)
    pdu.part(fields.transaction, first & 1, of: 1)
    pdu.part(first >> 1 == escape ? fields.escape.opcode : fields.opcode, first >> 1, of: 1)
    pdu.facts.code = UInt16(first >> 1)
    let extended = first >> 1 == escape ? UInt64(try pdu.u8(fields.extendedOpcode)) : nil
    guard let row = extended.map({ extendedRows[$0] }) ?? rows[first >> 1] else {
      if pdu.remaining > 0 { pdu.rest(fields.data) }
      return
    }
    let start = pdu.position
    var (word, count) = (UInt64(0), 0)
    for parameter in row.parameters {
      if parameter.bits == 0 {
        try pdu.bytes(Int(parameter.count), parameter.field)
        continue
      }
      if parameter.count > 0 {
        count = Int(parameter.count)
        word = try pdu.word(count, of: parameter.field)
      }
      pdu.part(
        parameter.field, word >> UInt64(parameter.shift) & ((1 << UInt64(parameter.bits)) - 1),
        of: count)
    }
    let place = start..<pdu.position
    message =
      if let extended {
        LMPMessage(extended: LMPMessage.ExtendedOpcode(rawValue: extended), place, pdu.bytes)
      } else {
        LMPMessage(LMPMessage.Opcode(rawValue: first >> 1), place, pdu.bytes)
      }
    // Some recorders give each PDU the largest size.
    if pdu.remaining > 0 { pdu.rest(fields.padding) }
  }
}

/// One LMP PDU: its opcode, its name, and its parameters in order.
struct LMPRow: Sendable {
  let opcode: UInt8
  let name: StaticString
  let parameters: [LinkLayerParameter]

  init(_ opcode: UInt8, _ name: StaticString, _ parameters: [LinkLayerParameter] = []) {
    (self.opcode, self.name, self.parameters) = (opcode, name, parameters)
  }
}
