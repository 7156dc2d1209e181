/// Text records of Apple's PacketLogger: notes, configuration, log lines. No public specification.
enum PacketLoggerNote: Dissector {
  static let name: StaticString = "Note"
  static let path: StaticString = "note"
  static let specification: StaticString = "none that is public: text records of PacketLogger"
  static let places: [Place] = [
    .record(.note), .record(.config), .record(.newController), .record(.systemLog),
    .record(.kernelLog), .record(.error), .record(.power),
  ]

  struct Fields: Sendable {
    let text = Field("Text", .text, inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) { pdu.rest(fields.text) }
}

/// LMP records of Apple's PacketLogger. No public specification says what is in front of the PDU.
enum PacketLoggerLMP: Dissector {
  static let name: StaticString = "LMP"
  static let path: StaticString = "lmp"
  static let specification: StaticString =
    "Core Specification, Vol 2, Part C; none for what PacketLogger puts in front"
  static let places: [Place] = [.record(.lmp)]

  struct Fields: Sendable {
    let data = Field("Data", .bytes, inLine: true)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) { pdu.rest(fields.data) }
}
