import HarkCore

/// Objects that a device has, and what is done with them. Object Transfer Service 1.0, 3.
enum ObjectTransfer: Dissector {
  static let name: StaticString = "Object Transfer"
  static let path: StaticString = "object"
  static let specification: StaticString = "Object Transfer Service 1.0, 3"
  static let places: [AttachmentPoint] = ([0x2ABD] + Array(0x2ABF...0x2AC8))
    .map { .attribute(BluetoothUUID(UInt16($0))) }

  // 3.1
  static let actions: [UInt64: StaticString] = [
    0: "Create", 1: "Delete", 2: "Calculate Checksum", 3: "Execute", 4: "Read", 5: "Write",
    6: "Append", 7: "Truncate", 8: "Patch", 9: "Abort",
  ]
  static let lists: [UInt64: StaticString] = [
    0: "Go To", 1: "Order", 2: "Request Number of Objects", 3: "Clear Marking",
  ]
  // 3.2.8
  static let properties: [UInt64: StaticString] = [
    0: "Delete", 1: "Execute", 2: "Read", 3: "Write", 4: "Append", 5: "Truncate", 6: "Patch",
    7: "Marked",
  ]
  // 3.3.1, 3.3.2
  static let opcodes: [UInt64: StaticString] = [
    0x01: "Create", 0x02: "Delete", 0x03: "Calculate Checksum", 0x04: "Execute", 0x05: "Read",
    0x06: "Write", 0x07: "Abort", 0x60: "Response Code",
  ]
  static let results: [UInt64: StaticString] = [
    0x01: "Success", 0x02: "Op Code Not Supported", 0x03: "Invalid Parameter",
    0x04: "Insufficient Resources", 0x05: "Invalid Object", 0x06: "Channel Unavailable",
    0x07: "Unsupported Type", 0x08: "Procedure Not Permitted", 0x09: "Object Locked",
    0x0A: "Operation Failed",
  ]
  // 3.4.1, 3.4.2
  static let listOpcodes: [UInt64: StaticString] = [
    0x01: "First", 0x02: "Last", 0x03: "Previous", 0x04: "Next", 0x05: "Go To", 0x06: "Order",
    0x07: "Request Number of Objects", 0x08: "Clear Marking", 0x70: "Response Code",
  ]
  static let listResults: [UInt64: StaticString] = [
    0x01: "Success", 0x02: "Op Code Not Supported", 0x03: "Invalid Parameter",
    0x04: "Operation Failed", 0x05: "Out Of Bounds", 0x06: "Too Many Objects", 0x07: "No Object",
    0x08: "Object ID Not Found",
  ]
  static let orders: [UInt64: StaticString] = [
    0x01: "Object Name, ascending", 0x02: "Object Type, ascending",
    0x03: "Object Current Size, ascending", 0x04: "Object First-Created, ascending",
    0x05: "Object Last-Modified, ascending", 0x11: "Object Name, descending",
    0x12: "Object Type, descending", 0x13: "Object Current Size, descending",
    0x14: "Object First-Created, descending", 0x15: "Object Last-Modified, descending",
  ]
  // 3.5
  static let filters: [UInt64: StaticString] = [
    0x00: "No Filter", 0x01: "Name Starts With", 0x02: "Name Ends With", 0x03: "Name Contains",
    0x04: "Name Is Exactly", 0x05: "Object Type", 0x06: "Created Between",
    0x07: "Modified Between", 0x08: "Current Size Between", 0x09: "Allocated Size Between",
    0x0A: "Marked Objects",
  ]
  // 3.6
  static let changes: [UInt64: StaticString] = [
    0: "Source of Change: Client", 1: "Change of object contents",
    2: "Change of object metadata", 3: "Object creation", 4: "Object deletion",
  ]

  struct Fields: Sendable {
    let actions = Field("OACP Features", .hex, flags: ObjectTransfer.actions, inLine: true)
    let lists = Field("OLCP Features", .hex, flags: ObjectTransfer.lists, inLine: true)
    let type = Field("Object Type", .uuid, inLine: true)
    let size = Field("Current Size", inLine: true)
    let allocated = Field("Allocated Size", inLine: true)
    let id = Field("Object ID", .hex, inLine: true)
    let properties = Field(
      "Object Properties", .hex, flags: ObjectTransfer.properties, inLine: true)
    let opcode = Field("Op Code", .hex, names: opcodes, inLine: true)
    let offset = Field("Offset", inLine: true)
    let length = Field("Length", inLine: true)
    let mode = Field("Mode", .hex, flags: [1: "Truncate"])
    let request = Field("Request Op Code", .hex, names: opcodes, inLine: true)
    let result = Field("Result Code", .hex, names: results, inLine: true)
    // Of the content of an object, which could be guessed with it.
    let checksum = Field("Checksum", .hex, structural: false)
    let parameter = Field("Parameter", .bytes, personal: .opaque)
    let list = List()
    let filter = Filter()
    let changes = Field("Flags", .hex, flags: ObjectTransfer.changes, inLine: true)
  }

  /// Of the Object List Control Point.
  struct List: Sendable {
    let opcode = Field("Op Code", .hex, names: listOpcodes, inLine: true)
    let order = Field("List Sort Order", .hex, names: orders, inLine: true)
    let request = Field("Request Op Code", .hex, names: listOpcodes, inLine: true)
    let result = Field("Result Code", .hex, names: listResults, inLine: true)
    let number = Field("Total Number of Objects", inLine: true)
  }

  /// Of an Object List Filter.
  struct Filter: Sendable {
    let kind = Field("Filter", .hex, names: filters, inLine: true)
    let name = Field("Name", .text, inLine: true, personal: .text)
    let smallest = Field("Smallest Size", inLine: true)
    let largest = Field("Largest Size", inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch (pdu.context.attributeType ?? pdu.context.requestedType)?.short {
    case 0x2ABD:
      try pdu.u32(fields.actions)
      try pdu.u32(fields.lists)
    case 0x2ABF: try pdu.bytes(pdu.remaining == 2 ? 2 : 16, fields.type)
    case 0x2AC0:
      try pdu.u32(fields.size)
      try pdu.u32(fields.allocated)
    case 0x2AC1, 0x2AC2: try Health.dateTime(&pdu)
    case 0x2AC3: try pdu.unsigned(6, fields.id)
    case 0x2AC4: try pdu.u32(fields.properties)
    case 0x2AC5: try action(&pdu)
    case 0x2AC6: try list(&pdu)
    case 0x2AC7: try filter(&pdu)
    case 0x2AC8:
      try pdu.u8(fields.changes)
      try pdu.unsigned(6, fields.id)
    default: break
    }
  }

  /// 3.3
  private static func action(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.opcode) {
    case 0x01:
      try pdu.u32(fields.size)
      try pdu.bytes(pdu.remaining == 2 ? 2 : 16, fields.type)
    case 0x03, 0x05:
      try pdu.u32(fields.offset)
      try pdu.u32(fields.length)
    case 0x06:
      try pdu.u32(fields.offset)
      try pdu.u32(fields.length)
      try pdu.u8(fields.mode)
    case 0x60:
      let request = try pdu.u8(fields.request)
      try pdu.u8(fields.result)
      guard pdu.remaining > 0 else { return }
      if request == 0x03, pdu.remaining == 4 {
        try pdu.u32(fields.checksum)
      } else {
        try pdu.bytes(pdu.remaining, fields.parameter)
      }
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.parameter) }
    }
  }

  /// 3.4
  private static func list(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.list.opcode) {
    case 0x05: try pdu.unsigned(6, fields.id)
    case 0x06: try pdu.u8(fields.list.order)
    case 0x70:
      try pdu.u8(fields.list.request)
      try pdu.u8(fields.list.result)
      if pdu.remaining > 0 { try pdu.u32(fields.list.number) }
    default: break
    }
  }

  /// 3.5
  private static func filter(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.filter.kind) {
    case 0x01...0x04: if pdu.remaining > 0 { pdu.rest(fields.filter.name) }
    case 0x05: try pdu.bytes(pdu.remaining == 2 ? 2 : 16, fields.type)
    case 0x06, 0x07:
      try Health.dateTime(&pdu)
      try Health.dateTime(&pdu)
    case 0x08, 0x09:
      try pdu.u32(fields.filter.smallest)
      try pdu.u32(fields.filter.largest)
    default: if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, fields.parameter) }
    }
  }
}
