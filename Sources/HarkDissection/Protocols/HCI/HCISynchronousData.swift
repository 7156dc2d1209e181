import HarkCore

/// HCI synchronous data packets. Core Specification, Vol 4, Part E, 5.4.3.
enum HCISynchronousData: Dissector {
  static let name: StaticString = "HCI SCO"
  static let path: StaticString = "hci.sco"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.3"
  static let places: [AttachmentPoint] = [.record(.sco)]

  static let statuses: [UInt64: StaticString] = [
    0: "correctly received data", 1: "possibly invalid data", 2: "no data received",
    3: "data partially lost",
  ]

  struct Fields: Sendable {
    let handle = Field("Connection_Handle", .hex, inLine: true)
    let status = Field("Packet_Status_Flag", names: statuses)
    let length = Field("Data Total Length", inLine: true)
    let data = Field("Data", .bytes, personal: .sound)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(2, of: fields.handle)
    pdu.part(fields.handle, word & 0x0FFF, of: 2)
    pdu.part(fields.status, word >> 12 & 3, of: 2)
    pdu.facts.handle = UInt16(truncatingIfNeeded: word & 0x0FFF)
    try pdu.limit(to: Int(pdu.u8(fields.length)), by: fields.length)
    pdu.rest(fields.data)
  }
}

/// What a controller reports about the data of a synchronous packet. Core Specification, Vol 4, Part E, 5.4.3
package enum HCISynchronousStatus: UInt8, Sendable {
  case correct, doubtful, notReceived, partlyLost

  /// Read by place, because such packets come hundreds of times a second.
  /// - Returns: Nil if the packet ends before it.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 2 else { return nil }
    self.init(rawValue: bytes.byte(at: 1) >> 4 & 3)
  }
}
