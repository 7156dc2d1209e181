import HarkCore

/// Attributes of service records, and what their values are by attribute and service class.
/// Core Specification, Vol 3, Part B, 2 and 5.
struct SDPRecord: Sendable {
  static let answers: [UInt64: StaticString] = [0: "False", 1: "True"]

  let element = SDPDataElement()
  let attributeLists = Field("Attribute lists", .group)
  let attributeList = Field("Attribute list", .list)
  let attribute = Field("Attribute", .list)
  let attributeID = Field("Attribute ID", .hex, names: SDPAttributeNames.universal)
  let firstID = Field("First Attribute ID", .hex)
  let lastID = Field("Last Attribute ID", .hex)
  let sequence = Field("Data element sequence", .list)
  let alternative = Field("Data element alternative", .list)
  let protocolDescriptor = Field("Protocol Descriptor", .list)
  let profileDescriptor = Field("Profile Descriptor", .list)
  let uuid = Field("UUID", .uuidBigEndian, inLine: true)
  let serviceClass = Field("Service Class", .uuidBigEndian, inLine: true)
  let browseGroup = Field("Browse Group", .uuidBigEndian)
  let protocolID = Field("Protocol", .uuidBigEndian)
  let profile = Field("Profile", .uuidBigEndian)
  let recordHandle = Field("ServiceRecordHandle", .hex, inLine: true, structural: true)
  let psm = Field("PSM", .hex, lookup: L2CAP.protocolName)
  let serverChannel = Field("Server Channel")
  let version = Field("Version", .hex, lookup: SDPRecord.version)
  let startHandle = Field("Start Handle", .hex)
  let endHandle = Field("End Handle", .hex)
  let language = Field("Language", .hex, lookup: SDPRecord.language)
  let encoding = Field("Character Encoding", names: [106: "UTF-8"])
  let base = Field("Base Attribute ID", .hex)
  let unsigned = Field("Value", .decimal)
  let other = Other()
  let signed = Field("Signed Value", .signed)
  let wide = Field("Number", .bytes)
  let boolean = Field("Boolean", names: answers)
  let text = Field("Text", .text, inLine: true, personal: .text)
  let url = Field("URL", .text, personal: .text)
  let data = Field("Data", .bytes)
  let services = SDPAttributeNames()

  /// In place of the field of the same name, in attributes without a name.
  struct Other: Sendable {
    let unsigned = Field("Value", .decimal, role: .element)
  }

  /// The deepest nesting that is read. Records of the profiles have six levels.
  static let deepest = 12

  /// What is known about the place of an element.
  private struct Scope {
    var attribute: UInt16
    /// The first service class of the record; 0 while none was read.
    var service: UInt16 = 0
    /// The protocol of the descriptor the element is in, and its place there.
    var layer: UInt16 = 0
    var position = 0
    var level = 0
  }

  /// `1.6` for 0x0106.
  @Sendable static func version(_ value: UInt64) -> String? { "\(value >> 8).\(value & 0xFF)" }

  /// `en` for 0x656E. 5.1.8
  @Sendable static func language(_ value: UInt64) -> String? {
    let letters = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    guard letters.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }

  // MARK: Requests

  /// The ServiceSearchPattern or AttributeIDList of a request; gives the UUIDs of it. 4.5.1, 4.6.1
  @discardableResult
  func read(_ field: Field, _ pdu: inout PDU<some Sink>) throws(Malformed) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    try pdu.group(field) { pdu throws(Malformed) in
      try element.read(&pdu) { pdu, kind throws(Malformed) in
        while pdu.remaining > 0 {
          try element.read(&pdu) { pdu, kind throws(Malformed) in
            if kind == SDPDataElement.Kind.uuid {
              let range = try pdu.bytes(pdu.remaining, uuid)
              if uuids.count < SDPMessage.longestPattern,
                let value = BluetoothUUID(bigEndian: pdu.bytes.extracting(range))
              {
                uuids.append(value)
              }
            } else if kind == SDPDataElement.Kind.unsigned, pdu.remaining == 4 {
              try pdu.u16be(firstID)
              try pdu.u16be(lastID)
            } else if kind == SDPDataElement.Kind.unsigned, pdu.remaining == 2 {
              try pdu.u16be(attributeID)
            }
          }
        }
      }
    }
    return uuids
  }

  // MARK: Responses

  /// One attribute list, or a list of them. 4.6.2, 4.7.2
  func lists(
    _ pdu: inout PDU<some Sink>, _ message: inout SDPAttributeLists
  ) throws(Malformed) {
    let header = pdu.peek() & 7
    let inner = pdu.peek(header == 5 ? 2 : header == 6 ? 3 : 5) >> 3
    guard inner == SDPDataElement.Kind.sequence else {
      // Without content, it is no record: no record matched, or the record has none of the attributes.
      let isEmpty = pdu.remaining == (header == 5 ? 2 : header == 6 ? 3 : 5)
      try list(&pdu, &message)
      if isEmpty { message.records.removeLast() }
      return
    }
    try pdu.group(attributeLists) { pdu throws(Malformed) in
      try element.read(&pdu) { pdu, _ throws(Malformed) in
        while pdu.remaining > 0 { try list(&pdu, &message) }
      }
    }
  }

  private func list(
    _ pdu: inout PDU<some Sink>, _ message: inout SDPAttributeLists
  ) throws(Malformed) {
    var record = SDPAttributeLists.Record()
    defer { message.records.append(record) }
    try pdu.group(attributeList) { pdu throws(Malformed) in
      var service: UInt16 = 0
      try element.read(&pdu) { pdu, kind throws(Malformed) in
        guard kind == SDPDataElement.Kind.sequence else { return }
        while pdu.remaining > 0 {
          try pdu.group(attribute) { pdu throws(Malformed) in
            try attribute(&service, &pdu, &record)
          }
        }
      }
    }
  }

  private func attribute(
    _ service: inout UInt16, _ pdu: inout PDU<some Sink>,
    _ record: inout SDPAttributeLists.Record
  ) throws(Malformed) {
    var id: UInt16 = 0
    try element.read(&pdu) { pdu, _ throws(Malformed) in
      id = UInt16(pdu.peek()) << 8 | UInt16(pdu.peek(1))
      try pdu.u16be(services.name(of: id, service) ?? attributeID)
    }
    if id == 0x0001 { service = firstClass(pdu) }
    try value(Scope(attribute: id, service: service), &pdu, &record)
  }

  /// The 16-bit service class that stands first in a ServiceClassIDList; 0 if none does.
  private func firstClass(_ pdu: borrowing PDU<some Sink>) -> UInt16 {
    let header = pdu.peek() & 7
    let start = header == 5 ? 2 : header == 6 ? 3 : 5
    // A UUID of 2 bytes. 3.2
    guard pdu.peek(start) == 0x19 else { return 0 }
    return UInt16(pdu.peek(start + 1)) << 8 | UInt16(pdu.peek(start + 2))
  }

  private func value(
    _ scope: Scope, _ pdu: inout PDU<some Sink>, _ record: inout SDPAttributeLists.Record
  ) throws(Malformed) {
    guard scope.level < Self.deepest else {
      throw pdu.invalid(element.descriptor, "is nested too deeply")
    }
    let kind = SDPDataElement.kind(pdu)
    if kind == SDPDataElement.Kind.sequence || kind == SDPDataElement.Kind.alternative {
      try pdu.group(container(kind, scope)) { pdu throws(Malformed) in
        try element.read(&pdu) { pdu, _ throws(Malformed) in
          var inner = scope
          (inner.level, inner.position, inner.layer) = (scope.level + 1, 0, 0)
          while pdu.remaining > 0 {
            let first = pdu.position
            try value(inner, &pdu, &record)
            if inner.position == 0 { inner.layer = layer(pdu, first) }
            inner.position += 1
          }
        }
      }
    } else {
      try element.read(&pdu) { pdu, kind throws(Malformed) in
        try leaf(kind, scope, &pdu, &record)
      }
    }
  }

  /// The 16-bit UUID in the element that begins at `start`; 0 if there is none.
  private func layer(_ pdu: borrowing PDU<some Sink>, _ start: Int) -> UInt16 {
    guard pdu.position - start == 3, pdu.bytes.byte(at: start) == 0x19 else { return 0 }
    return UInt16(pdu.bytes.byte(at: start + 1)) << 8 | UInt16(pdu.bytes.byte(at: start + 2))
  }

  private func container(_ kind: UInt8, _ scope: Scope) -> Field {
    if kind == SDPDataElement.Kind.alternative { return alternative }
    switch (scope.attribute, scope.level) {
    case (0x0004, 1), (0x000D, 2): return protocolDescriptor
    case (0x0009, 1): return profileDescriptor
    default: return sequence
    }
  }

  private func leaf(
    _ kind: UInt8, _ scope: Scope, _ pdu: inout PDU<some Sink>,
    _ record: inout SDPAttributeLists.Record
  ) throws(Malformed) {
    let count = pdu.remaining
    switch kind {
    case SDPDataElement.Kind.uuid:
      let range = try pdu.bytes(count, uuid(scope))
      if scope.attribute == 0x0001 { record.add(pdu.bytes.extracting(range)) }
    case SDPDataElement.Kind.unsigned:
      let field = number(scope)
      switch count {
      case 1: note(UInt64(try pdu.u8(field)), of: field, scope, &record)
      case 2: note(UInt64(try pdu.u16be(field)), of: field, scope, &record)
      case 4: note(UInt64(try pdu.u32be(field)), of: field, scope, &record)
      case 8: note(try pdu.u64be(field), of: field, scope, &record)
      default: try pdu.bytes(count, wide)
      }
    case SDPDataElement.Kind.signed:
      switch count {
      case 1: try pdu.u8(signed)
      case 2: try pdu.u16be(signed)
      case 4: try pdu.u32be(signed)
      case 8: try pdu.u64be(signed)
      default: try pdu.bytes(count, wide)
      }
    case SDPDataElement.Kind.boolean where count == 1: try pdu.u8(boolean)
    case SDPDataElement.Kind.text where isReportDescriptor(scope) && count > 0:
      if record.reportDescriptor == nil {
        record.reportDescriptor = pdu.position..<(pdu.position + count)
      }
      pdu.hand(to: .hidReportDescriptor, orElse: data)
    case SDPDataElement.Kind.text where count > 0:
      let range = try pdu.bytes(count, text)
      if scope.attribute == 0x0100 { record.name = range }
    case SDPDataElement.Kind.url: if count > 0 { try pdu.bytes(count, url) }
    default: if count > 0 { try pdu.bytes(count, data) }
    }
  }

  /// Keeps what says how to reach the service.
  private func note(
    _ value: UInt64, of field: Field, _ scope: Scope, _ record: inout SDPAttributeLists.Record
  ) {
    switch (field, scope.attribute) {
    case (recordHandle, _): record.handle = UInt32(truncatingIfNeeded: value)
    case (psm, 0x0004) where record.psm == nil: record.psm = UInt16(truncatingIfNeeded: value)
    // GoepL2capPsm: the service is there as well. GOEP 2.1.1, 8.
    case (unsigned, 0x0200) where record.isObjectExchange:
      record.psm = UInt16(truncatingIfNeeded: value)
    case (serverChannel, 0x0004): record.serverChannel = UInt8(truncatingIfNeeded: value)
    case (version, 0x0009) where record.version == nil:
      record.version = UInt16(truncatingIfNeeded: value)
    default: break
    }
  }

  private func uuid(_ scope: Scope) -> Field {
    switch scope.attribute {
    case 0x0001: serviceClass
    case 0x0004, 0x000D: protocolID
    case 0x0005: browseGroup
    case 0x0009: profile
    default: uuid
    }
  }

  /// 5.1
  private func number(_ scope: Scope) -> Field {
    switch scope.attribute {
    case 0x0000: return recordHandle
    case 0x0004, 0x000D: return parameter(scope)
    case 0x0006:
      return scope.position % 3 == 0 ? language : scope.position % 3 == 1 ? encoding : base
    case 0x0009: return version
    default:
      if let field = services.number(scope.attribute, scope.service) { return field }
      let id = services.name(of: scope.attribute, scope.service) ?? attributeID
      return id.definition.name(of: UInt64(scope.attribute)) == nil ? other.unsigned : unsigned
    }
  }

  /// The parameters of protocols in a ProtocolDescriptorList. 5.1.5; of ATT: Part G, 9.
  private func parameter(_ scope: Scope) -> Field {
    switch (scope.layer, scope.position) {
    case (0x0100, 1): psm
    case (0x0003, 1): serverChannel
    case (0x000F, 1), (0x0017, 1), (0x0019, 1), (0x001E, 1), (0x001F, 3): version
    case (0x0007, 1): startHandle
    case (0x0007, 2): endHandle
    default: unsigned
    }
  }

  /// Text strings may hold anything: the descriptors of HID devices are no text.
  private func isReportDescriptor(_ scope: Scope) -> Bool {
    scope.attribute == 0x0206 && scope.service == 0x1124
  }
}
