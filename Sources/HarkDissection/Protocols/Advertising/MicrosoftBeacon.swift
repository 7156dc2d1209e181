import HarkCore

/// Microsoft's advertising: Swift Pair, and the beacon of the Connected Devices Platform.
/// Microsoft, Bluetooth Swift Pair; [MS-CDP] 2.2.2.2.3.
enum MicrosoftBeacon: Dissector {
  static let name: StaticString = "Microsoft Beacon"
  static let path: StaticString = "microsoft"
  static let specification: StaticString = "Microsoft, Bluetooth Swift Pair; [MS-CDP] 2.2.2.2.3"
  static let places: [AttachmentPoint] = [.company(0x0006)]

  static let beacons: [UInt64: StaticString] = [1: "Connected Devices Platform", 3: "Swift Pair"]
  static let scenarios: [UInt64: StaticString] = [
    0: "pairing over LE only", 1: "pairing over LE and BR/EDR, with Secure Connections",
    2: "pairing over BR/EDR only, discovered over LE",
  ]
  // [MS-CDP] 2.2.2.2.2
  static let deviceTypes: [UInt64: StaticString] = [
    1: "Xbox One", 6: "Apple iPhone", 7: "Apple iPad", 8: "Android device",
    9: "Windows 10 Desktop", 11: "Windows 10 Phone", 12: "Linux device", 13: "Windows IoT",
    14: "Surface Hub", 15: "Windows laptop", 16: "Windows tablet",
  ]

  struct Fields: Sendable {
    let beacon = Field("Microsoft Beacon ID", .hex, names: beacons, inLine: true)
    let scenario = Field("Microsoft Beacon Sub Scenario", .hex, names: scenarios, inLine: true)
    let rssi = Field("Reserved RSSI Byte", .signed, unit: "dBm", role: .reserved)
    let address = Field("BR/EDR Address", .address, inLine: true)
    let classOfDevice = ClassOfDevice.field("Class of Device", inLine: true)
    let device = ClassOfDevice.Parts()
    let displayName = Field("Display Name", .text, inLine: true, personal: .name)
    let version = Field("Version")
    let deviceType = Field("Device Type", names: deviceTypes, inLine: true)
    let flags = Field("Version and Flags", .hex)
    let status = Field("Flags and Device Status", .hex)
    let salt = Field("Salt", .bytes, personal: .opaque)
    let hash = Field("Device Hash", .bytes, personal: .identifier)
    let data = Field("Data", .bytes, personal: .opaque)
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch try pdu.u8(fields.beacon) {
    case 1 where pdu.remaining >= 7:
      let head = try pdu.word(1, of: fields.version)
      pdu.part(fields.version, head >> 5, of: 1)
      pdu.part(fields.deviceType, head & 0x1F, of: 1)
      try pdu.u8(fields.flags)
      try pdu.u8(fields.status)
      try pdu.bytes(4, fields.salt)
      try AdvertisingData.all(fields.hash, &pdu)
    case 3:
      let scenario = try pdu.u8(fields.scenario)
      try pdu.bytes(1, fields.rssi)
      if scenario == 2 { try pdu.address(fields.address) }
      if scenario == 1 || scenario == 2 {
        try pdu.classOfDevice(fields.classOfDevice, fields.device)
      }
      try AdvertisingData.all(fields.displayName, &pdu)
    default: try AdvertisingData.all(fields.data, &pdu)
    }
  }
}
