import HarkCore

/// LL Control PDUs. Core Specification, Vol 6, Part B, 2.4.2.
enum LinkLayerControl: MessageDissector {
  static let name: StaticString = "LL Control"
  static let path: StaticString = "ll.control"
  static let specification: StaticString = "Core Specification, Vol 6, Part B, 2.4.2"
  static let places: [AttachmentPoint] = [.linkLayerControl]

  static let fields = LinkLayerControlFields.shared
  /// Its SyncInfo is between other parameters, and not in a group.
  static let fieldsOfOthers: Set<Field> = [fields.sync.group]

  /// The parameters of all PDUs, one after the other, and where those of each begin.
  private static let rows = LinkLayerControlRows.all
  static let names: [UInt64: StaticString] = rows.reduce(into: [:]) {
    $0[UInt64($1.opcode)] = $1.name
  }
  private static let steps = rows.flatMap(\.parameters)
  private static let starts: [Range<Int>] = {
    var starts = [Range<Int>](repeating: 0..<0, count: 256)
    var next = 0
    for row in rows {
      starts[Int(row.opcode)] = next..<next + row.parameters.count
      next += row.parameters.count
    }
    return starts
  }()

  /// By opcode: how many octets the PDU has, with it; 0 if there is none.
  static let lengths: [Int] = {
    var lengths = [Int](repeating: 0, count: 256)
    for row in rows { lengths[Int(row.opcode)] = row.parameters.reduce(1) { $0 + Int($1.count) } }
    return lengths
  }()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout LLControlPDU
  ) throws(Malformed) {
    let opcode = try pdu.u8(fields.opcode)
    pdu.facts.code = UInt16(opcode)
    message.opcode = LLControlPDU.Opcode(rawValue: opcode)
    var values = LinkLayerControlValues()
    var (word, count) = (UInt64(0), 0)
    for index in starts[Int(opcode)] {
      let step = steps[index]
      if step.bits == 0 {
        let range = try pdu.bytes(Int(step.count), step.field)
        if step.count <= 8 {
          values.add(step.field, pdu.bytes.unsigned(at: range.lowerBound, range.count))
        }
        continue
      }
      if step.count > 0 {
        count = Int(step.count)
        word = try pdu.word(count, of: step.field)
      }
      let value = word >> UInt64(step.shift) & ((1 << UInt64(step.bits)) - 1)
      pdu.part(step.field, value, of: count)
      values.add(step.field, value)
    }
    guard let known = message.opcode else {
      pdu.rest(fields.data)
      return
    }
    message.content = LLControlPDU.Content(known, values)
  }
}

/// A parameter of an LL Control PDU: whole octets, or some bits of the octets that it begins with.
struct LinkLayerParameter: Sendable {
  let field: Field
  /// How many octets it takes; 0 for bits of those that were read already.
  let count: UInt8
  let shift: UInt8
  /// 0 for whole octets.
  let bits: UInt8

  static func octets(_ count: UInt8, _ field: Field) -> LinkLayerParameter {
    LinkLayerParameter(field: field, count: count, shift: 0, bits: 0)
  }

  /// `count` octets as fields of this many bits each, from the least significant on.
  static func bits(of count: UInt8, _ parts: (Field, UInt8)...) -> [LinkLayerParameter] {
    var shift: UInt8 = 0
    return parts.enumerated().map { index, part in
      defer { shift += part.1 }
      return LinkLayerParameter(
        field: part.0, count: index == 0 ? count : 0, shift: shift, bits: part.1)
    }
  }
}
