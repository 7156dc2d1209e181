import HarkCore

/// BTHome version 2: sensors for homes. https://bthome.io/format
enum BTHome: Dissector {
  static let name: StaticString = "BTHome"
  static let path: StaticString = "bthome"
  static let specification: StaticString = "BTHome v2, Format"
  static let places: [AttachmentPoint] = [.serviceData(BluetoothUUID(0xFCD2 as UInt16))]

  // The unit of a value, with its factor, belongs to its name.
  static let objects: [UInt64: StaticString] = [
    0x00: "packet id", 0x01: "battery, %", 0x02: "temperature, 0.01 °C",
    0x03: "humidity, 0.01 %", 0x04: "pressure, 0.01 hPa", 0x05: "illuminance, 0.01 lux",
    0x06: "mass, 0.01 kg", 0x07: "mass, 0.01 lb", 0x08: "dewpoint, 0.01 °C", 0x09: "count",
    0x0A: "energy, 0.001 kWh", 0x0B: "power, 0.01 W", 0x0C: "voltage, 0.001 V",
    0x0D: "pm2.5, µg/m³", 0x0E: "pm10, µg/m³", 0x0F: "generic boolean", 0x10: "power",
    0x11: "opening", 0x12: "co2, ppm", 0x13: "tvoc, µg/m³", 0x14: "moisture, 0.01 %",
    0x15: "battery low", 0x16: "battery charging", 0x17: "carbon monoxide", 0x18: "cold",
    0x19: "connectivity", 0x1A: "door", 0x1B: "garage door", 0x1C: "gas", 0x1D: "heat",
    0x1E: "light", 0x1F: "lock", 0x20: "moisture", 0x21: "motion", 0x22: "moving",
    0x23: "occupancy", 0x24: "plug", 0x25: "presence", 0x26: "problem", 0x27: "running",
    0x28: "safety", 0x29: "smoke", 0x2A: "sound", 0x2B: "tamper", 0x2C: "vibration",
    0x2D: "window", 0x2E: "humidity, %", 0x2F: "moisture, %", 0x3A: "button", 0x3C: "dimmer",
    0x3D: "count", 0x3E: "count", 0x3F: "rotation, 0.1 °", 0x40: "distance, mm",
    0x41: "distance, 0.1 m", 0x42: "duration, 0.001 s", 0x43: "current, 0.001 A",
    0x44: "speed, 0.01 m/s", 0x45: "temperature, 0.1 °C", 0x46: "UV index, 0.1",
    0x47: "volume, 0.1 L", 0x48: "volume, mL", 0x49: "volume flow rate, 0.001 m³/h",
    0x4A: "voltage, 0.1 V", 0x4B: "gas, 0.001 m³", 0x4C: "gas, 0.001 m³",
    0x4D: "energy, 0.001 kWh", 0x4E: "volume, 0.001 L", 0x4F: "water, 0.001 L",
    0x50: "timestamp, s", 0x51: "acceleration, 0.001 m/s²", 0x52: "gyroscope, 0.001 °/s",
    0x53: "text", 0x54: "raw",
  ]

  struct Fields: Sendable {
    let information = Field(
      "Device Information", .hex, flags: [0: "encrypted", 2: "irregular intervals"])
    let version = Field("BTHome Version")
    let measurement = Field("Object", .list)
    let object = Field("Object ID", .hex, names: objects, inLine: true)
    let value = Field("Value", inLine: true)
    let signed = Signed()
    let length = Field("Length")
    let text = Field("Text", .text, inLine: true, personal: .text)
    let raw = Field("Raw", .bytes, personal: .opaque)
    let encrypted = Field("Encrypted Data", .bytes, personal: .opaque)

    /// In place of the field of the same name.
    struct Signed: Sendable {
      let value = Field("Value", .signed, inLine: true)
    }
  }
  static let fields = Field.measured(Fields())

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let information = try pdu.word(1, of: fields.information)
    pdu.part(fields.information, information & 0x1F, of: 1)
    pdu.part(fields.version, information >> 5, of: 1)
    if information & 1 != 0 || information >> 5 != 2 {
      return try AdvertisingData.all(fields.encrypted, &pdu)
    }
    // How long an object is that is not known, nothing says.
    while pdu.remaining > 0, size(pdu.peek()) != 0 {
      try pdu.group(fields.measurement) { pdu throws(Malformed) in try object(&pdu) }
    }
    try AdvertisingData.all(fields.raw, &pdu)
  }

  private static func object(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let id = try pdu.u8(fields.object)
    switch id {
    case 0x53, 0x54:
      let count = Int(try pdu.u8(fields.length))
      if count > 0 { try pdu.bytes(count, id == 0x53 ? fields.text : fields.raw) }
    case 0x02, 0x08, 0x3F, 0x45: try pdu.unsigned(2, fields.signed.value)
    default: try pdu.unsigned(size(id), fields.value)
    }
  }

  /// How many octets the value of an object has; 0 of one that is not known.
  private static func size(_ id: UInt8) -> Int {
    switch id {
    case 0x00, 0x01, 0x09, 0x0F, 0x10, 0x11, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C,
      0x1D, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B,
      0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x46, 0x53, 0x54:
      1
    case 0x02, 0x03, 0x06, 0x07, 0x08, 0x0C, 0x0D, 0x0E, 0x12, 0x13, 0x14, 0x3C, 0x3D, 0x3F,
      0x40, 0x41, 0x43, 0x44, 0x45, 0x47, 0x48, 0x49, 0x4A, 0x51, 0x52:
      2
    case 0x04, 0x05, 0x0A, 0x0B, 0x42, 0x4B: 3
    case 0x3E, 0x4C, 0x4D, 0x4E, 0x4F, 0x50: 4
    default: 0
    }
  }
}
