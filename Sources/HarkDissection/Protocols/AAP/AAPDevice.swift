/// What the accessory is: capabilities, names, versions, keys.
struct AAPDeviceFields: Sendable {
  // As PacketLogger 6 shows them for one response.
  static let capabilities: [UInt64: StaticString] = [
    1: "Batteries", 2: "Number of Allowed Connections", 4: "AAP Version",
  ]
  static let keyTypes: [UInt64: StaticString] = [1: "IRK", 4: "Encryption Key"]
  static let requestedKeys: [UInt64: StaticString] = [0: "IRK", 2: "Encryption Key"]

  let requested = Field("Requested", .hex)
  let capabilityCount = Field("Capability Count")
  let capability = Field("Capability", .list)
  let capabilityType = Field("Capability Type", .hex, names: capabilities)
  let capabilityValue = Field("Capability Value", .hex)

  let nameLength = Field("Name Length")
  let name = Field("Name", .text, inLine: true, personal: .name)
  let model = Field("Model", .text, inLine: true, personal: .model)
  let manufacturer = Field("Manufacturer", .text, personal: .model)
  let serial = Field("Serial Number", .text, personal: .serialNumber)
  let firmware = Field("Firmware Version", .text, inLine: true, role: .description)
  let otherFirmware = Field("Second Firmware Version", .text, role: .description)
  let hardware = Field("Hardware Revision", .text, role: .description)
  let updater = Field("Updater", .text, personal: .model)
  let leftSerial = Field("Left Serial Number", .text, personal: .serialNumber)
  let rightSerial = Field("Right Serial Number", .text, personal: .serialNumber)
  let version = Field("Third Version", .text, role: .description)

  let requestedKeys = Field("Keys", .hex, flags: AAPDeviceFields.requestedKeys, inLine: true)
  let keyCount = Field("Key Count")
  let keys = Field("Proximity Key", .list)
  let keyType = Field("Key Type", .hex, names: keyTypes, inLine: true)
  let keyReserved = Field("Unknown", .hex)
  let keyLength = Field("Key Length")
  let proximityKey = Field("Key", .bytes, secret: true, personal: .key)
  /// After the keys that were counted: it may be one.
  let behindKeys = Field("Data", .bytes, secret: true, personal: .key)
}

extension AAP {
  static func device(
    _ opcode: AAPMessage.Opcode?, _ pdu: inout PDU<some Sink>,
    _ content: inout AAPMessage.Content
  ) throws(Malformed) {
    let device = fields.device
    switch opcode {
    case .readCapabilities: try pdu.bytes(pdu.remaining, device.requested)
    case .capabilities: try capabilities(&pdu)
    case .rename:
      try pdu.bytes(1, fields.unknown)
      content = .rename(name: try rename(&pdu))
    case .renameDevice: content = .rename(name: try rename(&pdu))
    case .deviceInformation: content = .deviceInformation(try information(&pdu))
    case .proximityKeysRequest:
      content = .proximityKeysRequest(keys: try pdu.u16(device.requestedKeys))
    default: content = .proximityKeys(try proximityKeys(&pdu))
    }
  }

  /// Pairs of a type and a value, as far as the types are known.
  private static func capabilities(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let device = fields.device
    for _ in 0..<(try pdu.u8(device.capabilityCount)) {
      guard pdu.remaining >= 2, [1, 2, 4].contains(pdu.peek()) else { return }
      try pdu.group(device.capability) { pdu throws(Malformed) in
        try pdu.u8(device.capabilityType)
        try pdu.u8(device.capabilityValue)
      }
    }
  }

  private static func rename(_ pdu: inout PDU<some Sink>) throws(Malformed) -> Range<Int> {
    pdu.note(.info, "sources disagree whether 0x1A or 0x1E renames", over: 0)
    let length = Int(try pdu.u16(fields.device.nameLength))
    return try pdu.bytes(length, fields.device.name)
  }

  /// Texts in a fixed order. Octets of unknown meaning follow the eleventh.
  private static func information(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> AAPMessage.Information {
    let device = fields.device
    var information = AAPMessage.Information()
    try pdu.bytes(5, fields.unknown)
    let texts = [
      device.name, device.model, device.manufacturer, device.serial, device.firmware,
      device.otherFirmware, device.hardware, device.updater, device.leftSerial,
      device.rightSerial, device.version,
    ]
    for text in texts where pdu.remaining > 0 {
      let start = pdu.position
      try pdu.upToNUL(text)
      switch text {
      case device.name: information.name = start..<pdu.position
      case device.model: information.model = start..<pdu.position
      case device.firmware: information.firmware = start..<pdu.position
      default: break
      }
    }
    return information
  }

  private static func proximityKeys(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> [AAPMessage.Key] {
    let device = fields.device
    var keys: [AAPMessage.Key] = []
    for _ in 0..<(try pdu.u8(device.keyCount)) {
      try pdu.group(device.keys) { pdu throws(Malformed) in
        let type = try pdu.u8(device.keyType)
        try pdu.u8(device.keyReserved)
        let length = Int(try pdu.u16(device.keyLength))
        let range = try pdu.bytes(length, device.proximityKey)
        keys.append(AAPMessage.Key(type: AAPMessage.KeyType(rawValue: type), range: range))
      }
    }
    if pdu.remaining > 0 { pdu.rest(device.behindKeys) }
    return keys
  }
}
