import HarkCore

/// Advertising data, extended inquiry response data and scan response data.
/// Core Specification, Vol 3, Part C, 11; Core Specification Supplement, Part A, 1.
enum AdvertisingData: Dissector {
  static let name: StaticString = "Advertising Data"
  static let path: StaticString = "ad"
  static let specification: StaticString =
    "Core Specification, Vol 3, Part C, 11; Core Specification Supplement, Part A, 1"
  static let places: [AttachmentPoint] = [.advertisingData]

  // Assigned Numbers, 2.3
  static let types: [UInt64: StaticString] = [
    0x01: "Flags", 0x02: "Incomplete List of 16-bit Service or Service Class UUIDs",
    0x03: "Complete List of 16-bit Service or Service Class UUIDs",
    0x04: "Incomplete List of 32-bit Service or Service Class UUIDs",
    0x05: "Complete List of 32-bit Service or Service Class UUIDs",
    0x06: "Incomplete List of 128-bit Service or Service Class UUIDs",
    0x07: "Complete List of 128-bit Service or Service Class UUIDs",
    0x08: "Shortened Local Name", 0x09: "Complete Local Name", 0x0A: "Tx Power Level",
    0x0D: "Class of Device", 0x0E: "Simple Pairing Hash C-192",
    0x0F: "Simple Pairing Randomizer R-192", 0x10: "Device ID / Security Manager TK Value",
    0x11: "Security Manager Out of Band Flags", 0x12: "Peripheral Connection Interval Range",
    0x14: "List of 16-bit Service Solicitation UUIDs",
    0x15: "List of 128-bit Service Solicitation UUIDs", 0x16: "Service Data - 16-bit UUID",
    0x17: "Public Target Address", 0x18: "Random Target Address", 0x19: "Appearance",
    0x1A: "Advertising Interval", 0x1B: "LE Bluetooth Device Address", 0x1C: "LE Role",
    0x1D: "Simple Pairing Hash C-256", 0x1E: "Simple Pairing Randomizer R-256",
    0x1F: "List of 32-bit Service Solicitation UUIDs", 0x20: "Service Data - 32-bit UUID",
    0x21: "Service Data - 128-bit UUID", 0x22: "LE Secure Connections Confirmation Value",
    0x23: "LE Secure Connections Random Value", 0x24: "URI", 0x25: "Indoor Positioning",
    0x26: "Transport Discovery Data", 0x27: "LE Supported Features",
    0x28: "Channel Map Update Indication", 0x29: "PB-ADV", 0x2A: "Mesh Message",
    0x2B: "Mesh Beacon", 0x2C: "BIGInfo", 0x2D: "Broadcast_Code",
    0x2E: "Resolvable Set Identifier", 0x2F: "Advertising Interval - long",
    0x30: "Broadcast_Name", 0x31: "Encrypted Advertising Data",
    0x32: "Periodic Advertising Response Timing Information", 0x34: "Electronic Shelf Label",
    0x3D: "3D Information Data", 0xFF: "Manufacturer Specific Data",
  ]
  // Supplement, Part A, 1.3
  static let flags: [UInt64: StaticString] = [
    0: "LE Limited Discoverable Mode", 1: "LE General Discoverable Mode",
    2: "BR/EDR Not Supported", 3: "Simultaneous LE and BR/EDR (Controller)",
    4: "Simultaneous LE and BR/EDR (Host)",
  ]
  // Supplement, Part A, 1.7
  static let oobFlags: [UInt64: StaticString] = [
    0: "OOB data present", 1: "LE supported (Host)", 2: "Simultaneous LE and BR/EDR (Host)",
    3: "Random Address",
  ]
  // Supplement, Part A, 1.16 and 1.17
  static let addressTypes: [UInt64: StaticString] = [
    0: "Public Device Address", 1: "Random Device Address",
  ]
  static let roles: [UInt64: StaticString] = [
    0: "Only Peripheral Role supported", 1: "Only Central Role supported",
    2: "Peripheral and Central Role supported, Peripheral Role preferred",
    3: "Peripheral and Central Role supported, Central Role preferred",
  ]
  // Device Identification Profile, 5.6
  static let vendorSources: [UInt64: StaticString] = [1: "Bluetooth SIG", 2: "USB"]

  struct Fields: Sendable {
    let structure = Field("AD Structure", .list)
    let length = Field("Length")
    let type = Field("AD Type", .hex, names: types)
    let flags = Field("Flags", .hex, flags: AdvertisingData.flags)
    let uuid = Field("UUID", .uuid, inLine: true)
    let localName = Field("Local Name", .text, inLine: true, personal: .name)
    let txPower = Field("Tx Power Level", .signed, unit: "dBm")
    let classOfDevice = ClassOfDevice.field("Class of Device", inLine: true)
    let device = ClassOfDevice.Parts()
    let hash = Field("Hash", .bytes, personal: .key)
    let randomizer = Field("Randomizer", .bytes, personal: .key)
    let tk = Field("TK Value", .bytes, personal: .key)
    let vendorIDSource = Field("Vendor ID Source", .hex, names: vendorSources)
    let vendorID = Field("Vendor ID", .hex)
    let productID = Field("Product ID", .hex)
    let version = Field("Version", .hex)
    let oobFlags = Field("Out of Band Flags", .hex, flags: AdvertisingData.oobFlags)
    let intervalMin = Field(
      "Connection Interval Min", unit: "1.25 ms", special: [0xFFFF: "no specific value"])
    let intervalMax = Field(
      "Connection Interval Max", unit: "1.25 ms", special: [0xFFFF: "no specific value"])
    let serviceData = Field("Service Data", .bytes, inLine: true, personal: .opaque)
    let targetAddress = Field("Target Address", .address, inLine: true)
    let appearance = Field(
      "Appearance", .hex, lookup: { AssignedNumbers.appearance(UInt16(truncatingIfNeeded: $0)) })
    let advertisingInterval = Field("Advertising Interval", unit: "0.625 ms")
    let addressType = Field("Address Type", names: addressTypes, role: .addressType)
    let address = Field("LE Bluetooth Device Address", .address)
    let role = Field("LE Role", names: roles)
    let confirm = Field("Confirmation Value", .bytes, personal: .key)
    let random = Field("Random Value", .bytes, personal: .key)
    let uriScheme = Field(
      "URI Scheme", .hex, lookup: { AssignedNumbers.uriScheme(UInt16(truncatingIfNeeded: $0)) })
    let uri = Field("URI", .text, inLine: true, personal: .text)
    let features = Field("LE Supported Features", .bytes)
    let channelMap = Field("Channel Map", .bytes, structural: true)
    let instant = Field("Instant")
    let broadcastCode = Field("Broadcast_Code", .bytes, secret: true, personal: .key)
    let setHash = Field("RSI Hash", .bytes, personal: .identifier)
    let setRandom = Field("RSI Random Part", .bytes, personal: .identifier)
    let broadcastName = Field("Broadcast_Name", .text, inLine: true, personal: .name)
    let encryptedData = Field("Encrypted Data", .bytes, personal: .opaque)
    let mic = Field("MIC", .bytes)
    let accessAddress = Field("RspAA", .hex, structural: true)
    let subevents = Field("numSubevents")
    let subeventInterval = Field("subeventInterval", unit: "1.25 ms")
    let responseSlotDelay = Field("responseSlotDelay", unit: "1.25 ms")
    let responseSlotSpacing = Field("responseSlotSpacing", unit: "0.125 ms")
    let company = Field(
      "Company Identifier", .hex,
      lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) }, inLine: true)
    let altBeacon = AltBeacon()
    let data = Field("Data", .bytes, personal: .opaque)
    let padding = Field("Padding", .bytes)
    let secret = Secret()

    /// Of companies and services whose data a profile declares to be secret.
    struct Secret: Sendable {
      let data = Field("Data", .bytes, secret: true, personal: .opaque)
      let serviceData = Field("Service Data", .bytes, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    // What cannot be decoded may be part of a secret.
    if pdu.hidesAdvertising { pdu.context.isSecret = true }
    while pdu.remaining > 0 {
      if pdu.peek() == 0 { return try padding(&pdu) }
      try pdu.group(fields.structure) { pdu throws(Malformed) in
        let length = Int(try pdu.u8(fields.length))
        try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
          let type = try pdu.u8(fields.type)
          try value(type, &pdu)
        }
      }
    }
  }

  /// The most frequent types first; the others stay out of the way. Supplement, Part A, 1.1 to 1.5.
  @inline(__always)
  static func value(_ type: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0x01 where pdu.remaining == 0: break
    case 0x01: try pdu.unsigned(min(pdu.remaining, 8), fields.flags)
    case 0x02, 0x03, 0x14: try uuids(2, &pdu)
    case 0x04, 0x05, 0x1F: try uuids(4, &pdu)
    case 0x06, 0x07, 0x15: try uuids(16, &pdu)
    case 0x08, 0x09: try all(fields.localName, &pdu)
    case 0x0A: try pdu.u8(fields.txPower)
    case 0x16: try serviceData(2, &pdu)
    case 0x20: try serviceData(4, &pdu)
    case 0x21: try serviceData(16, &pdu)
    case 0xFF:
      let company = try pdu.u16(fields.company)
      if pdu.conceals(.company(company)) { return try all(fields.secret.data, &pdu) }
      if AltBeacon.isNext(pdu) { return try fields.altBeacon.read(&pdu) }
      hand(to: .company(company), orElse: fields.data, &pdu)
    case 0x0D...0x13, 0x1B, 0x1D, 0x1E, 0x22, 0x23, 0x2D: try pairing(type, &pdu)
    default: try other(type, &pdu)
    }
  }

  /// Passes what is left to the protocol at `place`, which knows itself what of it is secret.
  @inline(__always)
  private static func hand(
    to place: AttachmentPoint, orElse field: @autoclosure () -> Field, _ pdu: inout PDU<some Sink>
  ) {
    let isSecret = pdu.context.isSecret
    pdu.context.isSecret = false
    pdu.hand(to: place, orElse: field())
    pdu.context.isSecret = isSecret
  }

  /// What is left, if anything, as one value.
  @inline(__always)
  static func all(
    _ field: @autoclosure () -> Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) {
    if pdu.remaining > 0 { try pdu.bytes(pdu.remaining, field()) }
  }

  @inline(__always)
  static func uuids(_ size: Int, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.skip(pdu.remaining - pdu.remaining % size), pdu.remaining == 0 { return }
    while pdu.remaining > 0 { try pdu.bytes(size, fields.uuid) }
  }

  /// Supplement, Part A, 1.11
  static func serviceData(_ size: Int, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    let uuid = try pdu.uuid(size, fields.uuid)
    if let uuid, pdu.conceals(.serviceData(uuid)) {
      try all(fields.secret.serviceData, &pdu)
    } else if pdu.remaining > 0, let uuid {
      hand(to: .serviceData(uuid), orElse: fields.serviceData, &pdu)
    } else {
      try all(fields.serviceData, &pdu)
    }
  }

  /// Vol 3, Part C, 11: a length of zero ends the data early, and nothing but zeros follows.
  static func padding(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let range = try pdu.bytes(pdu.remaining, fields.padding)
    var index = range.lowerBound
    while index < range.upperBound, pdu.bytes.byte(at: index) == 0 { index += 1 }
    if index < range.upperBound {
      pdu.note(
        .warning, "not all zeros after the early termination", over: range.upperBound - index,
        clause: "Vol 3, Part C, 11")
    }
  }

  /// Supplement, Part A, 1.6 to 1.9, 1.16, 1.17; Device ID: Device Identification Profile, 5
  static func pairing(_ type: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0x0D: try pdu.classOfDevice(fields.classOfDevice, fields.device)
    case 0x0E, 0x1D: try pdu.bytes(16, fields.hash)
    case 0x0F, 0x1E: try pdu.bytes(16, fields.randomizer)
    case 0x10 where pdu.remaining == 8:
      try pdu.u16(fields.vendorIDSource)
      try pdu.u16(fields.vendorID)
      try pdu.u16(fields.productID)
      try pdu.u16(fields.version)
    case 0x10 where pdu.remaining == 16: try pdu.bytes(16, fields.tk)
    case 0x11: try pdu.u8(fields.oobFlags)
    case 0x12:
      try pdu.u16(fields.intervalMin)
      try pdu.u16(fields.intervalMax)
    case 0x1B:
      try pdu.address(fields.address)
      try pdu.u8(fields.addressType)
    case 0x22: try pdu.bytes(16, fields.confirm)
    case 0x23: try pdu.bytes(16, fields.random)
    case 0x2D: try pdu.bytes(16, fields.broadcastCode)
    default: try all(fields.data, &pdu)
    }
  }

  /// Supplement, Part A, 1.12 to 1.15 and from 1.18 on
  static func other(_ type: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0x17, 0x18: while pdu.remaining > 0 { try pdu.address(fields.targetAddress) }
    case 0x19: while pdu.remaining > 0 { try pdu.u16(fields.appearance) }
    case 0x1A: try pdu.u16(fields.advertisingInterval)
    case 0x1C: try pdu.u8(fields.role)
    case 0x24: try uri(&pdu)
    case 0x27: try all(fields.features, &pdu)
    case 0x28:
      try pdu.bytes(5, fields.channelMap)
      try pdu.u16(fields.instant)
    case 0x29...0x2C where pdu.remaining > 0:
      pdu.hand(to: .advertisingType(type), orElse: fields.data)
    case 0x2E:
      try pdu.bytes(3, fields.setHash)
      try pdu.bytes(3, fields.setRandom)
    case 0x2F: try pdu.unsigned(pdu.remaining == 3 ? 3 : 4, fields.advertisingInterval)
    case 0x30: try all(fields.broadcastName, &pdu)
    case 0x31:
      try pdu.bytes(5, fields.randomizer)
      try pdu.bytes(max(0, pdu.remaining - 4), fields.encryptedData)
      try pdu.bytes(4, fields.mic)
    case 0x32:
      try pdu.u32(fields.accessAddress)
      try pdu.u8(fields.subevents)
      try pdu.u8(fields.subeventInterval)
      try pdu.u8(fields.responseSlotDelay)
      try pdu.u8(fields.responseSlotSpacing)
    default: try all(fields.data, &pdu)
    }
  }

  /// Supplement, Part A, 1.18: the first code point stands for the scheme.
  static func uri(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.peek() & 0xE0 == 0xC0 {
      // Two octets of UTF-8.
      let word = try pdu.word(2, of: fields.uriScheme)
      pdu.part(fields.uriScheme, (word & 0x1F) << 6 | word >> 8 & 0x3F, of: 2)
    } else {
      try pdu.u8(fields.uriScheme)
    }
    try all(fields.uri, &pdu)
  }
}
