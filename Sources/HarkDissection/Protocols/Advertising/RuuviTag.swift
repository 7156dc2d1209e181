import HarkCore

/// RuuviTag sensors: data format 5 (RAWv2). https://docs.ruuvi.com/communication; integers are
/// big-endian.
enum RuuviTag: Dissector {
  static let name: StaticString = "RuuviTag"
  static let path: StaticString = "ruuvi"
  static let specification: StaticString = "Ruuvi, Data Format 5 (RAWv2)"
  static let places: [AttachmentPoint] = [.company(0x0499)]

  struct Fields: Sendable {
    let format = Field("Data Format", names: [3: "RAWv1", 5: "RAWv2"], inLine: true)
    let temperature = Field(
      "Temperature", .signed, unit: "0.005 °C", special: [0x8000: "not available"], inLine: true)
    let humidity = Field(
      "Humidity", unit: "0.0025 %", special: [0xFFFF: "not available"], inLine: true)
    // The value counts from 50,000 Pa.
    let pressure = Field("Pressure", lookup: RuuviTag.pressure, inLine: true)
    let accelerationX = Field(
      "Acceleration X", .signed, unit: "0.001 g", special: [0x8000: "not available"])
    let accelerationY = Field(
      "Acceleration Y", .signed, unit: "0.001 g", special: [0x8000: "not available"])
    let accelerationZ = Field(
      "Acceleration Z", .signed, unit: "0.001 g", special: [0x8000: "not available"])
    let battery = Field("Battery Voltage", lookup: RuuviTag.battery, inLine: true)
    let power = Field("Tx Power", lookup: RuuviTag.power)
    let movements = Field("Movement Counter")
    let sequence = Field("Measurement Sequence Number")
    let address = Field("MAC Address", .address)
    let data = Field("Data", .bytes)
  }
  static let fields = Field.measured(Fields())

  @Sendable static func pressure(_ code: UInt64) -> String? {
    code == 0xFFFF ? "not available" : "\(code + 50_000) Pa"
  }

  @Sendable static func battery(_ code: UInt64) -> String? {
    code == 0x7FF ? "not available" : "\(code + 1_600) mV"
  }

  @Sendable static func power(_ code: UInt64) -> String? {
    code == 0x1F ? "not available" : "\(Int(code) * 2 - 40) dBm"
  }

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    guard try pdu.u8(fields.format) == 5 else {
      return try AdvertisingData.all(fields.data, &pdu)
    }
    try pdu.u16be(fields.temperature)
    try pdu.u16be(fields.humidity)
    try pdu.u16be(fields.pressure)
    try pdu.u16be(fields.accelerationX)
    try pdu.u16be(fields.accelerationY)
    try pdu.u16be(fields.accelerationZ)
    let supply = try pdu.bigEndian(2, of: fields.battery)
    pdu.part(fields.battery, supply >> 5, of: 2)
    pdu.part(fields.power, supply & 0x1F, of: 2)
    try pdu.u8(fields.movements)
    try pdu.u16be(fields.sequence)
    let address = try pdu.bigEndian(6, of: fields.address)
    pdu.part(fields.address, address, of: 6)
  }
}
