import HarkCore

/// Service Discovery Protocol (SDP). Core Specification, Vol 3, Part B.
enum SDP: MessageDissector {
  static let name: StaticString = "SDP"
  static let path: StaticString = "sdp"
  static let specification: StaticString = "Core Specification, Vol 3, Part B"
  static let places: [AttachmentPoint] = [.psm(0x0001)]

  // 4.2
  static let pdus: [UInt64: StaticString] = [
    0x01: "SDP_ERROR_RSP", 0x02: "SDP_SERVICE_SEARCH_REQ", 0x03: "SDP_SERVICE_SEARCH_RSP",
    0x04: "SDP_SERVICE_ATTR_REQ", 0x05: "SDP_SERVICE_ATTR_RSP",
    0x06: "SDP_SERVICE_SEARCH_ATTR_REQ", 0x07: "SDP_SERVICE_SEARCH_ATTR_RSP",
  ]
  // 4.4.1
  static let errors: [UInt64: StaticString] = [
    1: "Invalid/unsupported SDP version", 2: "Invalid Service Record Handle",
    3: "Invalid request syntax", 4: "Invalid PDU Size", 5: "Invalid Continuation State",
    6: "Insufficient Resources to satisfy Request",
  ]

  struct Fields: Sendable {
    let pdu = Field("PDU ID", .hex, names: pdus, title: true)
    let tid = Field("Transaction ID", .hex)
    let parameterLength = Field("ParameterLength")
    let error = Field("ErrorCode", .hex, names: errors, inLine: true)
    let errorInfo = Field("ErrorInfo", .bytes)
    let pattern = Field("ServiceSearchPattern", .group)
    let maximumRecords = Field("MaximumServiceRecordCount")
    let totalRecords = Field("TotalServiceRecordCount", inLine: true)
    let currentRecords = Field("CurrentServiceRecordCount")
    let recordHandle = Field("ServiceRecordHandle", .hex, inLine: true, structural: true)
    let maximumBytes = Field("MaximumAttributeByteCount")
    let idList = Field("AttributeIDList", .group)
    let listBytes = Field("AttributeListByteCount")
    let listsBytes = Field("AttributeListsByteCount")
    let fragment = Field("Part of an attribute list", .bytes)
    let infoLength = Field("InfoLength")
    let continuation = Field("Continuation Information", .bytes, inLine: true)
    let records = SDPRecord()
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout SDPMessage
  ) throws(Malformed) {
    let id = try pdu.u8(fields.pdu)
    message.identifier = SDPMessage.Identifier(rawValue: id)
    message.transaction = try pdu.u16be(fields.tid)
    try pdu.limit(to: Int(pdu.u16be(fields.parameterLength)), by: fields.parameterLength)
    switch message.identifier {
    case .errorResponse:
      message.error = try pdu.u16be(fields.error)
      pdu.rest(fields.errorInfo)
      return
    case .searchRequest:
      message.pattern = try fields.records.read(fields.pattern, &pdu)
      try pdu.u16be(fields.maximumRecords)
    case .searchResponse:
      message.totalRecords = try pdu.u16be(fields.totalRecords)
      for _ in 0..<(try pdu.u16be(fields.currentRecords)) { try pdu.u32be(fields.recordHandle) }
    case .attributeRequest:
      message.handle = try pdu.u32be(fields.recordHandle)
      try pdu.u16be(fields.maximumBytes)
      try fields.records.read(fields.idList, &pdu)
    case .attributeResponse:
      let count = try pdu.u16be(fields.listBytes)
      try attributes(count, by: fields.listBytes, areLists: false, &pdu, &message)
    case .searchAttributeRequest:
      message.pattern = try fields.records.read(fields.pattern, &pdu)
      try pdu.u16be(fields.maximumBytes)
      try fields.records.read(fields.idList, &pdu)
    case .searchAttributeResponse:
      let count = try pdu.u16be(fields.listsBytes)
      try attributes(count, by: fields.listsBytes, areLists: true, &pdu, &message)
    case nil: return
    }
    try continuationState(&pdu, &message)
  }

  /// 4.3
  static func continuationState(
    _ pdu: inout PDU<some Sink>, _ message: inout SDPMessage
  ) throws(Malformed) {
    let length = Int(try pdu.u8(fields.infoLength))
    message.isContinued = length > 0
    if length > 16 {
      pdu.note(.error, "is longer than 16 octets", over: 1, clause: "Vol 3, Part B, 4.3")
    }
    if length > 0 { message.continuation = try pdu.bytes(length, fields.continuation) }
  }

  /// What a response holds of the attributes: all, or a part that the session puts together. 4.3
  static func attributes(
    _ count: UInt16, by field: Field, areLists: Bool, _ pdu: inout PDU<some Sink>,
    _ message: inout SDPMessage
  ) throws(Malformed) {
    try pdu.inside(Int(count), by: field) { pdu throws(Malformed) in
      if pdu.remaining > 0 { message.attributes = pdu.position..<pdu.end }
      // The last part may end with a sequence of the same size by chance.
      if SDPDataElement.isWhole(pdu), SDPDataElement.holdsAttributes(pdu, areLists: areLists) {
        var lists = SDPAttributeLists()
        try fields.records.lists(&pdu, &lists)
      } else {
        pdu.rest(fields.fragment)
      }
    }
  }
}

/// The attributes of service records, put together from several responses.
/// Core Specification, Vol 3, Part B, 4.6.2, 4.7.2.
enum SDPAttributes: MessageDissector {
  static let name: StaticString = "SDP Attributes"
  static let path: StaticString = "sdp"
  static let specification: StaticString = "Core Specification, Vol 3, Part B, 4.6.2, 4.7.2"
  static let places: [AttachmentPoint] = []
  static let fields = Fields()

  struct Fields: Sendable {}

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout SDPAttributeLists
  ) throws(Malformed) {
    try SDP.fields.records.lists(&pdu, &message)
    message.isWhole = true
  }
}
