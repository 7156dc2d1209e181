import HarkCore

/// HCI ISO data packets. Core Specification, Vol 4, Part E, 5.4.5.
enum HCIISOData: MessageDissector {
  static let name: StaticString = "HCI ISO"
  static let path: StaticString = "hci.iso"
  static let specification: StaticString = "Core Specification, Vol 4, Part E, 5.4.5"
  static let places: [AttachmentPoint] = [.record(.iso)]

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

  static func read(_ pdu: inout PDU<some Sink>, _ packet: inout HCIISOPacket) throws(Malformed) {
    let word = try pdu.word(2, of: fields.handle)
    pdu.part(fields.handle, word & 0x0FFF, of: 2)
    pdu.part(fields.pb, word >> 12 & 3, of: 2)
    pdu.part(fields.ts, word >> 14 & 1, of: 2)
    packet.handle = UInt16(truncatingIfNeeded: word & 0x0FFF)
    pdu.facts.handle = packet.handle
    packet.isFirst = word >> 12 & 1 == 0
    packet.isLast = word >> 13 & 1 == 1
    let length = try pdu.word(2, of: fields.length) & 0x3FFF
    pdu.part(fields.length, length, of: 2)
    packet.sduOctets = Int(length)
    try pdu.limit(to: Int(length), by: fields.length)
    if word >> 14 & 1 == 1 {
      packet.timestamp = try pdu.u32(fields.timestamp)
      packet.sduOctets -= 4
    }
    // Only the first fragment of an SDU has the rest of the header.
    if packet.isFirst {
      packet.sequence = try pdu.u16(fields.sequence)
      let load = try pdu.word(2, of: fields.sduLength)
      pdu.part(fields.sduLength, load & 0x0FFF, of: 2)
      let status = load >> 14 & 3
      pdu.part(fields.status, status, of: 2)
      packet.sduLength = UInt16(truncatingIfNeeded: load & 0x0FFF)
      (packet.isValid, packet.isDoubtful) = (status == 0, status == 1)
      packet.sduOctets -= 4
    }
    pdu.rest(fields.data)
  }
}

/// An ISO data packet. Core Specification, Vol 4, Part E, 5.4.5
package struct HCIISOPacket: Message {
  package internal(set) var handle: UInt16 = 0
  /// Whether an SDU begins in it.
  package internal(set) var isFirst = false
  /// Whether an SDU ends in it.
  package internal(set) var isLast = false
  /// In microseconds.
  package internal(set) var timestamp: UInt32?
  /// Of the SDU; so is `sduLength`. Nil for fragments after the first.
  package internal(set) var sequence: UInt16?
  package internal(set) var sduLength: UInt16?
  /// Whether the Controller received the SDU whole, as its Packet_Status_Flag says.
  package internal(set) var isValid = true
  /// Whether it may be invalid, as the Controller says.
  package internal(set) var isDoubtful = false
  /// How many octets of an SDU it has, as its length says.
  package internal(set) var sduOctets = 0

  package init() {}

  package init(_ bytes: RawSpan, isCut: Bool) {
    self = HCIISOData.message(bytes, isCut: isCut).message
  }
}
