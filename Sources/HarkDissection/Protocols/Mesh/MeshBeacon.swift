/// Beacons: of devices that can be provisioned, and of networks. Mesh Protocol 1.1, 3.10.
struct MeshBeacon: Sendable {
  static let types: [UInt64: StaticString] = [
    0: "Unprovisioned Device beacon", 1: "Secure Network beacon", 2: "Mesh Private beacon",
  ]
  // 3.10.2, table 3.72
  static let sources: [UInt64: StaticString] = [
    0: "Other", 1: "Electronic / URI", 2: "2D machine-readable code", 3: "Bar code",
    4: "Near Field Communication (NFC)", 5: "Number", 6: "String",
    7: "Support for certificate-based provisioning", 8: "Support for provisioning records",
    11: "On box", 12: "Inside box", 13: "On piece of paper", 14: "Inside manual",
    15: "On device",
  ]
  static let flags: [UInt64: StaticString] = [0: "Key Refresh", 1: "IV Update"]

  let beaconType = Field("Beacon Type", .hex, names: types, inLine: true)
  let beaconDevice = Field(
    "Beacon Device UUID", .uuidBigEndian, inLine: true, personal: .identifier)
  let oob = Field("OOB Information", .hex, flags: sources)
  let uriHash = Field("URI Hash", .hex, personal: .identifier)
  let beaconFlags = Field("Beacon Flags", .hex, flags: Self.flags)
  let network = Field("Network ID", .hex, inLine: true, personal: .identifier)
  let ivIndex = Field("IV Index")
  let random = Field("Beacon Random", .bytes)
  let obfuscatedData = Field("Obfuscated Private Beacon Data", .bytes)
  let authentication = Field("Authentication Value", .bytes)
  let beaconData = Field("Beacon Data", .bytes)

  func read(
    _ pdu: inout PDU<some Sink>, _ message: inout MeshBeaconMessage
  ) throws(Malformed) {
    switch try pdu.u8(beaconType) {
    case 0:
      message = .unprovisioned(device: try pdu.bytes(16, beaconDevice))
      try pdu.u16be(oob)
      if pdu.remaining == 4 { try pdu.u32be(uriHash) }
    case 1:
      try pdu.u8(beaconFlags)
      message = .network(id: try pdu.u64be(network))
      try pdu.u32be(ivIndex)
      try pdu.bytes(8, authentication)
    case 2:
      try pdu.bytes(13, random)
      message = .privateNetwork
      try pdu.bytes(5, obfuscatedData)
      try pdu.bytes(8, authentication)
    default: break
    }
    try AdvertisingData.all(beaconData, &pdu)
  }
}
