/// A message of iAP2's control session: an identifier and parameters, which may hold more of them.
enum IAP2Control: Dissector {
  static let name: StaticString = "iAP2 Control"
  static let path: StaticString = "iap2.csm"
  static let specification: StaticString =
    "not public; based on independent implementations"
  static let places: [AttachmentPoint] = [.iap2(0)]

  struct Fields: Sendable {
    let start = Field("Start of Message", .hex)
    let length = Field("Message Length")
    let message = Field("Message", .hex, names: IAP2Messages.names, title: true)
    let parameter = Field("Parameter", .list)
    let parameterLength = Field("Parameter Length")
    let values = IAP2Values.shared
    let identifiers = IAP2ParameterNames.shared
    let telephony = IAP2Telephony.shared
    let media = IAP2Media.shared
    let navigation = IAP2Navigation.shared
    let vehicle = IAP2Vehicle.shared
    let device = IAP2Device.shared
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let start = try pdu.u16be(fields.start)
    let length = Int(try pdu.u16be(fields.length))
    guard start == 0x4040 else { throw pdu.invalid(fields.start, "is not 0x4040") }
    guard length >= 6 else { throw pdu.invalid(fields.length, "is less than the header") }
    try pdu.limit(to: length - 4, by: fields.length)
    let message = try pdu.u16be(fields.message)
    try parameters(IAP2ParameterSet.of(message), &pdu)
  }

  private static func parameters(
    _ set: IAP2ParameterSet, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.parameter) { pdu throws(Malformed) in
        let length = Int(try pdu.u16be(fields.parameterLength))
        guard length >= 4 else {
          throw pdu.invalid(fields.parameterLength, "is less than the header")
        }
        let id = try pdu.u16be(set.id)
        try pdu.inside(length - 4, by: fields.parameterLength) { pdu throws(Malformed) in
          // A rejection repeats parameters without their values.
          if pdu.remaining > 0 { try value(set.forms[id] ?? set.otherwise, &pdu) }
        }
      }
    }
  }

  private static func value(
    _ form: IAP2ParameterSet.Form, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    let (count, values) = (pdu.remaining, fields.values)
    switch form {
    case .group(let set): try parameters(set, &pdu)
    case .text(let field): try pdu.bytes(count, field)
    case .bytes(let field): try pdu.bytes(count, field)
    case .address(let field) where count == 6:
      let word = try pdu.word(6, of: field)
      pdu.part(field, word.byteSwapped >> 16, of: 6)
    case .number(let field) where count <= 8:
      let word = try pdu.word(count, of: field)
      pdu.part(field, word.byteSwapped >> UInt64(64 - count * 8), of: count)
    case .words(let field): while pdu.remaining > 0 { try pdu.u16be(field) }
    case .octets(let field): while pdu.remaining > 0 { try pdu.u8(field) }
    case .secret: try pdu.bytes(count, values.secret)
    default: try pdu.bytes(count, values.data)
    }
  }
}
