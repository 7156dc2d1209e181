import HarkCore

/// Apple's advertising messages (Continuity, iBeacon, Find My). Apple publishes the layouts of
/// iBeacon and HomeKit; the rest is as the furiousMAC/continuity and librepods projects observed it.
enum Continuity: MessageDissector {
  static let name: StaticString = "Apple Continuity"
  static let path: StaticString = "continuity"
  static let specification: StaticString =
    "iBeacon and HomeKit by Apple; the rest as furiousMAC/continuity and librepods observed it"
  static let places: [AttachmentPoint] = [.company(0x004C)]

  static let types: [UInt64: StaticString] = [
    0x01: "Overflow Area", 0x02: "iBeacon", 0x03: "AirPrint", 0x05: "AirDrop", 0x06: "HomeKit",
    0x07: "Proximity Pairing", 0x08: "Hey Siri", 0x09: "AirPlay Target",
    0x0A: "AirPlay Source", 0x0B: "Magic Switch", 0x0C: "Handoff", 0x0D: "Tethering Target",
    0x0E: "Tethering Source", 0x0F: "Nearby Action", 0x10: "Nearby Info",
    0x11: "HomeKit Encrypted Notification", 0x12: "Find My",
  ]
  static let models: [UInt64: StaticString] = [
    0x0220: "AirPods", 0x0320: "Powerbeats3", 0x0520: "BeatsX", 0x0620: "Beats Solo3",
    0x0920: "Beats Studio3", 0x0A20: "AirPods Max", 0x0B20: "Powerbeats Pro",
    0x0C20: "Beats Solo Pro", 0x0E20: "AirPods Pro", 0x0F20: "AirPods (2nd generation)",
    0x1020: "Beats Flex", 0x1120: "Beats Studio Buds", 0x1220: "Beats Fit Pro",
    0x1320: "AirPods (3rd generation)", 0x1420: "AirPods Pro (2nd generation)",
    0x1620: "Beats Studio Buds +", 0x1720: "Beats Studio Pro", 0x1920: "AirPods 4",
    0x1B20: "AirPods 4 (ANC)", 0x1F20: "AirPods Max (USB-C)",
    0x2420: "AirPods Pro (2nd generation, USB-C)",
  ]
  static let budFlags: [UInt64: StaticString] = [
    1: "bit 1 (in ear)", 2: "both in case", 3: "bit 3 (in ear)", 4: "one in case",
    5: "primary is left", 6: "this one in case",
  ]
  static let batteries: [UInt64: StaticString] = [
    0: "0 %", 1: "10 %", 2: "20 %", 3: "30 %", 4: "40 %", 5: "50 %", 6: "60 %", 7: "70 %",
    8: "80 %", 9: "90 %", 10: "100 %", 11: "100 %", 12: "100 %", 13: "100 %", 14: "100 %",
    15: "not available",
  ]
  static let lidStates: [UInt64: StaticString] = [0: "open", 1: "closed"]
  static let connectionStates: [UInt64: StaticString] = [
    0: "disconnected", 4: "idle", 5: "music", 6: "call", 7: "ringing", 9: "hanging up",
  ]
  static let batteryStates: [UInt64: StaticString] = [
    0: "full", 1: "medium", 2: "low", 3: "critically low",
  ]
  static let wristConfidences: [UInt64: StaticString] = [
    0x03: "not on wrist", 0x1F: "wrist detection disabled", 0x3F: "on wrist",
  ]
  static let cellTypes: [UInt64: StaticString] = [
    0: "4G (GSM)", 1: "1xRTT", 2: "GPRS", 3: "EDGE", 4: "3G (EV-DO)", 5: "3G", 6: "4G", 7: "LTE",
  ]
  static let actionTypes: [UInt64: StaticString] = [
    0x01: "Apple TV Setup", 0x04: "Mobile Backup", 0x05: "Watch Setup", 0x06: "Apple TV Pair",
    0x07: "Internet Relay", 0x08: "Wi-Fi Password", 0x09: "iOS Setup", 0x0A: "Repair",
    0x0B: "Speaker Setup", 0x0C: "Apple Pay", 0x0D: "Whole Home Audio Setup",
    0x0E: "Developer Tools Pairing Request", 0x0F: "Answered Call", 0x10: "Ended Call",
    0x11: "DD Ping", 0x12: "DD Pong", 0x13: "Remote Auto Fill", 0x14: "Companion Link Proximity",
    0x15: "Remote Management", 0x16: "Remote Auto Fill Pong", 0x17: "Remote Display",
  ]
  static let actionFlags: [UInt64: StaticString] = [6: "Authentication tag", 7: "Parameters"]
  static let activities: [UInt64: StaticString] = [
    0x0: "unknown", 0x1: "reporting disabled", 0x3: "idle",
    0x5: "audio playing, screen locked", 0x7: "screen on", 0x9: "screen on with video",
    0xA: "watch on wrist and unlocked", 0xB: "recent user interaction", 0xD: "driving",
    0xE: "call",
  ]
  static let statusFlags: [UInt64: StaticString] = [
    0: "primary iCloud device", 2: "AirDrop receiving",
  ]
  static let dataFlags: [UInt64: StaticString] = [
    0: "AirPods connected, screen on", 1: "authentication tag of 4 bytes", 2: "Wi-Fi on",
    4: "authentication tag", 5: "watch locked", 6: "watch auto unlock", 7: "auto unlock",
  ]

  struct Fields: Sendable {
    let message = Field("Message", .list)
    let type = Field("Type", .hex, names: types, inLine: true)
    let length = Field("Length")
    let subtype = Field("Subtype")
    let data = Field("Data", .bytes, personal: .opaque)
    let serviceMask = Field("Hashed Service UUIDs", .bytes, personal: .opaque)
    let uuid = Field("Proximity UUID", .uuidBigEndian, inLine: true, personal: .opaque)
    let major = Field("Major", inLine: true)
    let minor = Field("Minor", inLine: true)
    let measuredPower = Field("Measured Power", .signed, unit: "dBm")
    let zeros = Field("Zeros", .bytes)
    let version = Field("Version")
    let appleIDHash = Field("Apple ID Hash", .bytes, personal: .identifier)
    let phoneHash = Field("Phone Hash", .bytes, personal: .identifier)
    let emailHash = Field("Email Hash", .bytes, personal: .identifier)
    let email2Hash = Field("Second Email Hash", .bytes, personal: .identifier)
    let statusFlags = Field("Status Flags", .hex)
    let deviceID = Field("Device ID", .bytes, personal: .identifier)
    let category = Field("Accessory Category Identifier", inLine: true)
    let stateNumber = Field("Global State Number", inLine: true)
    let configuration = Field("Configuration Number")
    let compatibleVersion = Field("Compatible Version")
    let setupHash = Field("Setup Hash", .bytes, personal: .identifier)
    let advertisingID = Field("Advertising Identifier", .bytes, personal: .identifier)
    let encrypted = Field("Encrypted Data", .bytes, personal: .opaque)
    let paired = Field("Paired", .hex)
    let model = Field("Model", .hex, names: models, inLine: true)
    let budStatus = Field("Status", .hex, flags: budFlags)
    let batteryUpper = Field("Bud Battery (upper nibble)", names: batteries, inLine: true)
    let batteryLower = Field("Bud Battery (lower nibble)", names: batteries, inLine: true)
    // Which nibble is which the sources do not agree on: both readings are given.
    let caseUpper = Field("Case Battery, or Charging Flags (upper nibble)", names: batteries)
    let caseLower = Field("Charging Flags, or Case Battery (lower nibble)", names: batteries)
    let lid = Field("Lid", names: lidStates, inLine: true)
    let lidCounter = Field("Lid Counter")
    let color = Field("Color", .hex)
    let connectionState = Field("Connection State", .hex, names: connectionStates, inLine: true)
    let perceptualHash = Field("Perceptual Hash", .hex, structural: false)
    let snr = Field("Signal-to-noise Ratio")
    let confidence = Field("Confidence", .hex)
    let deviceClass = Field("Device Class", .hex)
    let random = Field("Random", .hex)
    let flags = Field("Flags", .hex)
    let seed = Field("Configuration Seed", .hex)
    let ipv4 = Field("IPv4 Address", .bytes, personal: .networkAddress)
    let iv = Field("IV", .hex)
    let tag = Field("Authentication Tag", .bytes, personal: .opaque)
    let identifier = Field("Identifier", .bytes, personal: .identifier)
    let battery = Field("Battery", unit: "%")
    let cellType = Field("Cell Type", names: cellTypes)
    let cellBars = Field("Cell Bars")
    let actionFlags = Field("Action Flags", .hex, flags: Continuity.actionFlags)
    let actionType = Field("Action Type", .hex, names: actionTypes, inLine: true)
    let status = Field("Status Flags", .hex, flags: Continuity.statusFlags)
    let activity = Field("Activity", .hex, names: activities, inLine: true)
    let dataFlags = Field("Data Flags", .hex, flags: Continuity.dataFlags)
    let publicKey = Field("Public Key", .bytes, personal: .identifier)
    let publicKeyBits = Field("Public Key Bits", .hex)
    let hint = Field("Hint", .hex)
    let findMyBattery = Field("Battery State", names: batteryStates, inLine: true)
    let wrist = Field("Confidence on Wrist", .hex, names: wristConfidences, inLine: true)
    let addressType = Field("Address Type", .hex)
    let resourcePath = Field("Resource Path Type", .hex)
    let securityType = Field("Security Type", .hex)
    let port = Field("QPID or TCP Port")
    let ip = Field("IP Address", .bytes, personal: .networkAddress)
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout ContinuityMessage
  ) throws(Malformed) {
    while pdu.remaining > 0 {
      try pdu.group(fields.message) { pdu throws(Malformed) in
        let type = try pdu.u8(fields.type)
        // A mask of services that apps in the background advertise: alone, and without a length.
        if type == 0x01 {
          try pdu.bytes(16, fields.serviceMask)
          return
        }
        let length = try messageLength(type, &pdu)
        try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
          switch type {
          case 0x02: try beacon(&pdu, &message)
          case 0x10: try nearbyInfo(&pdu)
          case 0x12: try findMy(&pdu, &message)
          case 0x07: try proximityPairing(&pdu, &message)
          case 0x06: try homeKit(&pdu, &message)
          case 0x0F: try nearbyAction(&pdu)
          default: try other(type, &pdu)
          }
          try AdvertisingData.all(fields.data, &pdu)
        }
      }
    }
  }

  /// HomeKit keeps a subtype in the upper three bits. HomeKit Accessory Protocol Specification,
  /// Non-Commercial Version, 7.4.2.
  static func messageLength(
    _ type: UInt8, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Int {
    guard type == 0x06 || type == 0x11 else { return Int(try pdu.u8(fields.length)) }
    let word = try pdu.word(1, of: fields.length)
    pdu.part(fields.subtype, word >> 5, of: 1)
    pdu.part(fields.length, word & 0x1F, of: 1)
    return Int(word & 0x1F)
  }

  /// Proximity Beacon Specification
  static func beacon(
    _ pdu: inout PDU<some Sink>, _ message: inout ContinuityMessage
  ) throws(Malformed) {
    guard pdu.remaining == 0x15 else { return }
    var beacon = ContinuityMessage.Beacon()
    let uuid = try pdu.bytes(16, fields.uuid)
    beacon.uuid = BluetoothUUID(bigEndian: pdu.bytes.extracting(uuid)) ?? beacon.uuid
    beacon.major = try pdu.u16be(fields.major)
    beacon.minor = try pdu.u16be(fields.minor)
    beacon.power = Int8(bitPattern: try pdu.u8(fields.measuredPower))
    message.content = message.content ?? .beacon(beacon)
  }

  static func nearbyInfo(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let word = try pdu.word(1, of: fields.status)
    pdu.part(fields.status, word >> 4, of: 1)
    pdu.part(fields.activity, word & 0x0F, of: 1)
    try pdu.u8(fields.dataFlags)
    try AdvertisingData.all(fields.tag, &pdu)
  }

  static func findMy(
    _ pdu: inout PDU<some Sink>, _ message: inout ContinuityMessage
  ) throws(Malformed) {
    let status = try pdu.word(1, of: fields.statusFlags)
    pdu.part(fields.statusFlags, status, of: 1)
    pdu.part(fields.findMyBattery, status >> 6, of: 1)
    var findMy = ContinuityMessage.FindMy()
    findMy.battery = UInt8(truncatingIfNeeded: status >> 6)
    findMy.isSeparated = pdu.remaining >= 24
    // Near its owner, it advertises two bits of the key. Other lengths are unknown.
    if findMy.isSeparated || pdu.remaining == 1 {
      message.content = message.content ?? .findMy(findMy)
    }
    guard findMy.isSeparated else { return }
    try pdu.bytes(22, fields.publicKey)
    try pdu.u8(fields.publicKeyBits)
    try pdu.u8(fields.hint)
  }

  /// The form that earbuds send. Messages of other lengths have an unknown form.
  static func proximityPairing(
    _ pdu: inout PDU<some Sink>, _ message: inout ContinuityMessage
  ) throws(Malformed) {
    guard pdu.remaining == 0x19 else { return }
    var it = ContinuityMessage.Headphones()
    it.isPaired = try pdu.u8(fields.paired) == 1
    it.model = try pdu.u16be(fields.model)
    it.status = ContinuityMessage.Status(rawValue: try pdu.u8(fields.budStatus))
    let buds = try pdu.word(1, of: fields.batteryUpper)
    (it.upperBattery, it.lowerBattery) = nibbles(buds)
    pdu.part(fields.batteryUpper, buds >> 4, of: 1)
    pdu.part(fields.batteryLower, buds & 0x0F, of: 1)
    let box = try pdu.word(1, of: fields.caseUpper)
    (it.upperCase, it.lowerCase) = nibbles(box)
    pdu.part(fields.caseUpper, box >> 4, of: 1)
    pdu.part(fields.caseLower, box & 0x0F, of: 1)
    pdu.note(
      .info, "sources disagree which nibble is the case battery and which the charging flags",
      over: 1)
    let lid = try pdu.word(1, of: fields.lid)
    it.isLidClosed = lid >> 3 & 1 == 1
    it.lidCounter = UInt8(truncatingIfNeeded: lid & 7)
    pdu.part(fields.lid, lid >> 3 & 1, of: 1)
    pdu.part(fields.lidCounter, lid & 7, of: 1)
    it.color = try pdu.u8(fields.color)
    it.connection = try pdu.u8(fields.connectionState)
    message.content = message.content ?? .proximityPairing(it)
    try AdvertisingData.all(fields.encrypted, &pdu)
  }

  private static func nibbles(_ octet: UInt64) -> (upper: UInt8, lower: UInt8) {
    (UInt8(truncatingIfNeeded: octet >> 4 & 0x0F), UInt8(truncatingIfNeeded: octet & 0x0F))
  }

  static func nearbyAction(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    let flags = try pdu.u8(fields.actionFlags)
    try pdu.u8(fields.actionType)
    if flags & 0x40 != 0 { try pdu.bytes(3, fields.tag) }
  }

  static func other(_ type: UInt8, _ pdu: inout PDU<some Sink>) throws(Malformed) {
    switch type {
    case 0x05:
      try pdu.bytes(8, fields.zeros)
      try pdu.u8(fields.version)
      try pdu.bytes(2, fields.appleIDHash)
      try pdu.bytes(2, fields.phoneHash)
      try pdu.bytes(2, fields.emailHash)
      try pdu.bytes(2, fields.email2Hash)
    case 0x11:
      try pdu.bytes(6, fields.advertisingID)
      try AdvertisingData.all(fields.encrypted, &pdu)
    case 0x08:
      try pdu.u16(fields.perceptualHash)
      try pdu.u8(fields.snr)
      try pdu.u8(fields.confidence)
      try pdu.u16(fields.deviceClass)
      try pdu.u8(fields.random)
    case 0x09:
      try pdu.u8(fields.flags)
      try pdu.u8(fields.seed)
      try pdu.bytes(4, fields.ipv4)
    case 0x0C:
      try pdu.u8(fields.version)
      try pdu.u16(fields.iv)
      try pdu.bytes(1, fields.tag)
      try AdvertisingData.all(fields.encrypted, &pdu)
    case 0x03 where pdu.remaining >= 22:
      try pdu.u8(fields.addressType)
      try pdu.u8(fields.resourcePath)
      try pdu.u8(fields.securityType)
      try pdu.u16be(fields.port)
      try pdu.bytes(16, fields.ip)
      try pdu.u8(fields.measuredPower)
    case 0x0B where pdu.remaining >= 3:
      try pdu.bytes(2, fields.data)
      try pdu.u8(fields.wrist)
    case 0x0D: try pdu.bytes(4, fields.identifier)
    case 0x0E:
      try pdu.u8(fields.version)
      try pdu.u8(fields.flags)
      try pdu.u8(fields.battery)
      try pdu.u16be(fields.cellType)
      try pdu.u8(fields.cellBars)
    default: break
    }
  }

  /// HomeKit Accessory Protocol Specification, Non-Commercial Version, 7.4.2.1
  static func homeKit(
    _ pdu: inout PDU<some Sink>, _ message: inout ContinuityMessage
  ) throws(Malformed) {
    var homeKit = ContinuityMessage.HomeKit()
    homeKit.isPaired = try pdu.u8(fields.statusFlags) & 1 == 0
    try pdu.bytes(6, fields.deviceID)
    homeKit.category = try pdu.u16(fields.category)
    homeKit.stateNumber = try pdu.u16(fields.stateNumber)
    homeKit.configuration = try pdu.u8(fields.configuration)
    message.content = message.content ?? .homeKit(homeKit)
    try pdu.u8(fields.compatibleVersion)
    if pdu.remaining >= 4 { try pdu.bytes(4, fields.setupHash) }
  }
}
