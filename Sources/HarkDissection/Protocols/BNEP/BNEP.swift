import HarkCore

/// Bluetooth Network Encapsulation Protocol: Ethernet over L2CAP. BNEP 1.0, 2.4 to 2.6.
enum BNEP: MessageDissector {
  static let name: StaticString = "BNEP"
  static let path: StaticString = "bnep"
  static let specification: StaticString = "Bluetooth Network Encapsulation Protocol 1.0, 2"
  static let places: [AttachmentPoint] = [.psm(0x000F)]

  // 2.4.1
  static let types: [UInt64: StaticString] = [
    0: "BNEP_GENERAL_ETHERNET", 1: "BNEP_CONTROL", 2: "BNEP_COMPRESSED_ETHERNET",
    3: "BNEP_COMPRESSED_ETHERNET_SOURCE_ONLY", 4: "BNEP_COMPRESSED_ETHERNET_DEST_ONLY",
  ]
  // 2.6.1
  static let controls: [UInt64: StaticString] = [
    0: "BNEP_CONTROL_COMMAND_NOT_UNDERSTOOD", 1: "BNEP_SETUP_CONNECTION_REQUEST_MSG",
    2: "BNEP_SETUP_CONNECTION_RESPONSE_MSG", 3: "BNEP_FILTER_NET_TYPE_SET_MSG",
    4: "BNEP_FILTER_NET_TYPE_RESPONSE_MSG", 5: "BNEP_FILTER_MULTI_ADDR_SET_MSG",
    6: "BNEP_FILTER_MULTI_ADDR_RESPONSE_MSG",
  ]
  // 2.6.3.1.2
  static let setupResponses: [UInt64: StaticString] = [
    0: "Operation Successful", 1: "Operation Failed: Invalid Destination Service UUID",
    2: "Operation Failed: Invalid Source Service UUID",
    3: "Operation Failed: Invalid Service UUID Size",
    4: "Operation Failed: Connection Not Allowed",
  ]
  // 2.6.5.2
  static let typeResponses: [UInt64: StaticString] = [
    0: "Operation Successful", 1: "Unsupported Request",
    2: "Operation Failed: Invalid Networking Protocol Type Range",
    3: "Operation Failed: Too many filters",
    4: "Operation Failed: Unable to fulfill request due to security reasons",
  ]
  // 2.6.6.2
  static let addressResponses: [UInt64: StaticString] = [
    0: "Operation Successful", 1: "Unsupported Request",
    2: "Operation Failed: Invalid Multicast Address",
    3: "Operation Failed: Too many filters",
    4: "Operation Failed: Unable to fulfill request due to security reasons",
  ]
  // 2.5.2
  static let extensions: [UInt64: StaticString] = [0: "BNEP_EXTENSION_CONTROL"]

  struct Fields: Sendable {
    let type = Field("BNEP Type", .hex, names: types, title: true)
    let hasExtension = Field("Extension Flag", names: [0: "no", 1: "yes"])
    let destination = Field("Destination Address", .address, inLine: true)
    let source = Field("Source Address", .address, inLine: true)
    let control = Field("BNEP Control Type", .hex, names: controls, inLine: true)
    let unknownControl = Field("Unknown Control Type", .hex)
    let uuidSize = Field("UUID Size")
    let destinationUUID = Field("Destination Service UUID", .uuidBigEndian, inLine: true)
    let sourceUUID = Field("Source Service UUID", .uuidBigEndian, inLine: true)
    let setup = Response(setupResponses)
    let typeFilter = Response(typeResponses)
    let addressFilter = Response(addressResponses)
    let listLength = Field("List Length")
    let ranges = Field("Range", .list)
    let typeStart = Field("Networking Protocol Type Range Start", .hex)
    let typeEnd = Field("Networking Protocol Type Range End", .hex)
    let addressStart = Field("Multicast Start Address", .address)
    let addressEnd = Field("Multicast End Address", .address)
    let headers = Field("Extension Header", .list)
    let extensionType = Field("Extension Type", .hex, names: extensions)
    let extensionLength = Field("Extension Length")
    let data = Field("Data", .bytes, personal: .opaque)
    let ethernet = EthernetPayload()

    /// A response is named by the request it answers: one path for all.
    struct Response: Sendable {
      let response: Field

      init(_ names: [UInt64: StaticString]) {
        response = Field("Response Message", .hex, names: names, inLine: true)
      }
    }
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout BNEPMessage) throws(Malformed) {
    let head = try pdu.word(1, of: fields.type)
    let type = head & 0x7F
    pdu.part(fields.type, type, of: 1)
    pdu.part(fields.hasExtension, head >> 7, of: 1)
    pdu.facts.code = UInt16(truncatingIfNeeded: type)
    var network: UInt16?
    switch type {
    case 1: try control(&pdu, &message)
    case 0, 2, 3, 4:
      if type == 0 || type == 4 { try ethernetAddress(fields.destination, &pdu) }
      if type == 0 || type == 3 { try ethernetAddress(fields.source, &pdu) }
      network = try pdu.u16be(fields.ethernet.networkType)
    default:
      // What follows depends on the type.
      try AdvertisingData.all(fields.data, &pdu)
      return
    }
    if head >> 7 == 1 { try extensionHeaders(&pdu, &message) }
    if let network { try fields.ethernet.payload(network, &pdu) }
  }

  private static func ethernetAddress(
    _ field: Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let address = try pdu.bigEndian(6, of: field)
    pdu.part(field, address, of: 6)
  }

  /// 2.5
  private static func extensionHeaders(
    _ pdu: inout PDU<some Sink>, _ message: inout BNEPMessage
  ) throws(Malformed) {
    var isLast = false
    while !isLast {
      try pdu.group(fields.headers) { pdu throws(Malformed) in
        let head = try pdu.word(1, of: fields.extensionType)
        pdu.part(fields.extensionType, head & 0x7F, of: 1)
        pdu.part(fields.hasExtension, head >> 7, of: 1)
        isLast = head >> 7 == 0
        let length = Int(try pdu.u8(fields.extensionLength))
        try pdu.inside(length, by: fields.extensionLength) { pdu throws(Malformed) in
          if head & 0x7F == 0 {
            try control(&pdu, &message)
          } else {
            try AdvertisingData.all(fields.data, &pdu)
          }
        }
      }
    }
  }

  /// 2.6
  private static func control(
    _ pdu: inout PDU<some Sink>, _ message: inout BNEPMessage
  ) throws(Malformed) {
    let code = try pdu.u8(fields.control)
    message.control = BNEPMessage.Control(rawValue: code)
    switch message.control {
    case .notUnderstood: message.unknown = try pdu.u8(fields.unknownControl)
    case .setupRequest:
      let size = Int(try pdu.u8(fields.uuidSize))
      guard size == 2 || size == 4 || size == 16 else {
        throw pdu.invalid(fields.uuidSize, "is not 2, 4 or 16")
      }
      message.destination = short(try pdu.bytes(size, fields.destinationUUID), in: pdu.bytes)
      message.source = short(try pdu.bytes(size, fields.sourceUUID), in: pdu.bytes)
    case .setupResponse: message.response = try pdu.u16be(fields.setup.response)
    case .typeFilterSet: try ranges(isOfAddresses: false, &pdu)
    case .typeFilterResponse: message.response = try pdu.u16be(fields.typeFilter.response)
    case .addressFilterSet: try ranges(isOfAddresses: true, &pdu)
    case .addressFilterResponse: message.response = try pdu.u16be(fields.addressFilter.response)
    case nil: break
    }
  }

  /// The service class in a UUID of any size: its third and fourth octets, unless it has only two.
  private static func short(_ uuid: Range<Int>, in bytes: RawSpan) -> UInt16 {
    let start = uuid.count == 2 ? uuid.lowerBound : uuid.lowerBound + 2
    return UInt16(bytes.byte(at: start)) << 8 | UInt16(bytes.byte(at: start + 1))
  }

  /// 2.6.5.1, 2.6.6.1
  private static func ranges(
    isOfAddresses: Bool, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let length = Int(try pdu.u16be(fields.listLength))
    try pdu.inside(length, by: fields.listLength) { pdu throws(Malformed) in
      while pdu.remaining > 0 {
        try pdu.group(fields.ranges) { pdu throws(Malformed) in
          if isOfAddresses {
            try ethernetAddress(fields.addressStart, &pdu)
            try ethernetAddress(fields.addressEnd, &pdu)
          } else {
            try pdu.u16be(fields.typeStart)
            try pdu.u16be(fields.typeEnd)
          }
        }
      }
    }
  }
}
