/// Per-Packet Information in front of LE packets, as Ubertooth writes it: link type 192.
/// CACE Technologies, Per-Packet Information Header Specification 1.0.10; Project Ubertooth.
enum PPI: Dissector {
  static let name: StaticString = "PPI"
  static let path: StaticString = "ppi"
  static let specification: StaticString = "CACE Technologies, PPI Header Specification 1.0.10"
  static let places: [AttachmentPoint] = [.record(.ppi)]

  static let fieldOfBLE: UInt16 = 30_006
  static let types: [UInt64: StaticString] = [30_006: "BLE (Ubertooth)"]
  static let links: [UInt64: StaticString] = [
    147: "USER0 (Bluetooth LE link layer)", 251: "BLUETOOTH_LE_LL",
  ]

  struct Fields: Sendable {
    let version = Field("Version")
    let flags = Field("Flags", .hex, flags: [0: "aligned"])
    let length = Field("Header length")
    let link = Field("Link type", names: links)
    let field = Field("Field", .list)
    let type = Field("Field type", names: types)
    let fieldLength = Field("Field length")
    let bleVersion = Field("BLE version")
    let frequency = Field("Channel", unit: "1 MHz")
    let clockHigh = Field("CLKN, high")
    let clock = Field("Clock", unit: "100 ns", structural: true)
    let rssiMax = Field("RSSI, maximum", .signed, unit: "dBm")
    let rssiMin = Field("RSSI, minimum", .signed, unit: "dBm")
    let rssiAverage = Field("RSSI, average", .signed, unit: "dBm")
    let rssiCount = Field("RSSI, samples")
    let data = Field("Data", .bytes)
    let packet = Field("Packet", .bytes)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    try pdu.u8(fields.version)
    try pdu.u8(fields.flags)
    let length = Int(try pdu.u16(fields.length))
    let link = try pdu.u32(fields.link)
    try pdu.inside(length - 8, by: fields.length) { pdu throws(Malformed) in
      while pdu.remaining >= 4 {
        try pdu.group(fields.field) { pdu throws(Malformed) in try field(&pdu) }
      }
    }
    guard link == 147 || link == 251 else {
      pdu.rest(fields.packet)
      return
    }
    if let header = AirHeader(pdu.bytes, .ppi) { header.add(to: &pdu.context.linkLayer) }
    pdu.hand(to: .record(.leLinkLayer), orElse: fields.packet)
  }

  private static func field(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let type = try pdu.u16(fields.type)
    let length = Int(try pdu.u16(fields.fieldLength))
    try pdu.inside(length, by: fields.fieldLength) { pdu throws(Malformed) in
      guard type == fieldOfBLE, length == 12 else {
        if length > 0 { try pdu.bytes(length, fields.data) }
        return
      }
      try pdu.u8(fields.bleVersion)
      try pdu.u16(fields.frequency)
      try pdu.u8(fields.clockHigh)
      try pdu.u32(fields.clock)
      try pdu.u8(fields.rssiMax)
      try pdu.u8(fields.rssiMin)
      try pdu.u8(fields.rssiAverage)
      try pdu.u8(fields.rssiCount)
    }
  }
}
