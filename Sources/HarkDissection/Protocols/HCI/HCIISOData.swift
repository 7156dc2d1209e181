/// HCI ISO data packets. Core Specification, Vol 4, Part E, 5.4.5.
enum HCIISOData: Dissector {
  static let name: StaticString = "HCI ISO"
  static let path: StaticString = "hci.iso"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.5"
  static let places: [Place] = [.record(.iso)]

  static let boundaries: [UInt64: StaticString] = [
    0: "first fragment", 1: "continuation fragment", 2: "complete SDU", 3: "last fragment",
  ]
  static let statuses: [UInt64: StaticString] = [
    0: "valid data", 1: "possibly invalid data", 2: "part(s) not received",
  ]

  struct Fields: Sendable {
    let handle = Field("Connection_Handle", .hex, inLine: true)
    let pb = Field("PB_Flag", names: boundaries)
    let ts = Field("TS_Flag")
    let length = Field("ISO_Data_Load_Length")
    let timestamp = Field("Time_Stamp", unit: "1 µs")
    let sequence = Field("Packet_Sequence_Number", inLine: true)
    let sduLength = Field("ISO_SDU_Length", inLine: true)
    let status = Field("Packet_Status_Flag", names: statuses)
    let data = Field("ISO_SDU", .bytes, personal: .sound)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(2, of: fields.handle)
    pdu.part(fields.handle, word & 0x0FFF, of: 2)
    pdu.part(fields.pb, word >> 12 & 3, of: 2)
    pdu.part(fields.ts, word >> 14 & 1, of: 2)
    pdu.facts.handle = UInt16(truncatingIfNeeded: word & 0x0FFF)
    let length = try pdu.word(2, of: fields.length) & 0x3FFF
    pdu.part(fields.length, length, of: 2)
    try pdu.limit(to: Int(length), by: fields.length)
    if word >> 14 & 1 == 1 { try pdu.u32(fields.timestamp) }
    // Only the first fragment of an SDU has the rest of the header.
    if word >> 12 & 1 == 0 {
      try pdu.u16(fields.sequence)
      let load = try pdu.word(2, of: fields.sduLength)
      pdu.part(fields.sduLength, load & 0x0FFF, of: 2)
      pdu.part(fields.status, load >> 14, of: 2)
    }
    pdu.rest(fields.data)
  }
}
