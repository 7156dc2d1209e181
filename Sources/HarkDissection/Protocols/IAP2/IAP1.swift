/// A frame of iAP, the protocol of accessories before iAP2. The layout is long known from public
/// observation (the iPodLinux project and others); over RFCOMM the sync byte is left out.
enum IAP1: Dissector {
  static let name: StaticString = "iAP1"
  static let path: StaticString = "iap1"
  static let specification: StaticString =
    "none that is public: as the iPodLinux project and others observed it"
  static let places: [Place] = [.iap1]

  static let lingoes: [UInt64: StaticString] = [
    0x00: "General", 0x01: "Microphone", 0x02: "Simple Remote", 0x03: "Display Remote",
    0x04: "Extended Interface", 0x05: "Accessory Power", 0x06: "USB Host Mode", 0x07: "RF Tuner",
    0x08: "Accessory Equalizer", 0x09: "Sports", 0x0A: "Digital Audio", 0x0C: "Storage",
    0x0D: "iPod Out", 0x0E: "Location",
  ]
  static let generalCommands: [UInt64: StaticString] = [
    0x00: "RequestIdentify", 0x01: "Identify", 0x02: "ACK", 0x03: "RequestRemoteUIMode",
    0x04: "ReturnRemoteUIMode", 0x05: "EnterRemoteUIMode", 0x06: "ExitRemoteUIMode",
    0x07: "RequestiPodName", 0x08: "ReturniPodName", 0x09: "RequestiPodSoftwareVersion",
    0x0A: "ReturniPodSoftwareVersion", 0x0B: "RequestiPodSerialNum", 0x0C: "ReturniPodSerialNum",
    0x0D: "RequestiPodModelNum", 0x0E: "ReturniPodModelNum", 0x0F: "RequestLingoProtocolVersion",
    0x10: "ReturnLingoProtocolVersion", 0x11: "RequestTransportMaxPayloadSize",
    0x12: "ReturnTransportMaxPayloadSize", 0x13: "IdentifyDeviceLingoes",
    0x14: "GetDevAuthenticationInfo", 0x15: "RetDevAuthenticationInfo",
    0x16: "AckDevAuthenticationInfo", 0x17: "GetDevAuthenticationSignature",
    0x18: "RetDevAuthenticationSignature", 0x19: "AckDevAuthenticationStatus",
    0x1A: "GetiPodAuthenticationInfo", 0x1B: "RetiPodAuthenticationInfo",
    0x1C: "AckiPodAuthenticationInfo", 0x1D: "GetiPodAuthenticationSignature",
    0x1E: "RetiPodAuthenticationSignature", 0x1F: "AckiPodAuthenticationStatus",
    0x23: "NotifyiPodStateChange", 0x24: "GetiPodOptions", 0x25: "RetiPodOptions",
    0x27: "GetAccessoryInfo", 0x28: "RetAccessoryInfo", 0x29: "GetiPodPreferences",
    0x2A: "RetiPodPreferences", 0x2B: "SetiPodPreferences", 0x38: "StartIDPS",
    0x39: "SetFIDTokenValues", 0x3A: "AckFIDTokenValues", 0x3B: "EndIDPS", 0x3C: "IDPSStatus",
    0x3F: "OpenDataSessionForProtocol", 0x40: "CloseDataSession", 0x41: "DevACK",
    0x42: "DevDataTransfer", 0x43: "iPodDataTransfer", 0x49: "SetEventNotification",
    0x4A: "iPodNotification", 0x4B: "GetiPodOptionsForLingo", 0x4C: "RetiPodOptionsForLingo",
    0x4D: "GetEventNotification", 0x4E: "RetEventNotification",
    0x4F: "GetSupportedEventNotification", 0x51: "RetSupportedEventNotification",
    0x64: "RequestApplicationLaunch",
  ]

  struct Fields: Sendable {
    let sync = Field("Sync Byte", .hex)
    let start = Field("Start of Packet", .hex)
    let length = Field("Packet Payload Length")
    let lingo = Field("Lingo ID", .hex, names: lingoes, inLine: true)
    let general = General()
    let command = Field("Command ID", .hex, inLine: true)
    let data = Field("Command Data", .bytes, inLine: true)
    let checksum = Field("Packet Payload Checksum", .hex)

    /// In place of the field of the same name, where the lingo is General.
    struct General: Sendable {
      let command = Field("Command ID", .hex, names: generalCommands, title: true)
    }
  }
  static let fields = Fields()

  static func dissect(_ pdu: inout PDU<some Sink>) throws(Malformed) {
    if pdu.peek() == 0xFF { try pdu.u8(fields.sync) }
    guard pdu.peek() == 0x55 else { throw pdu.invalid(fields.start, "is not 0x55") }
    try pdu.u8(fields.start)
    let checked = pdu.position
    var length = UInt16(try pdu.u8(fields.length))
    // Longer payloads have their length behind a 0.
    if length == 0 { length = try pdu.u16be(fields.length) }
    // Of a record that was cut by its recorder, what is there is read.
    let there = pdu.context.isSliced ? min(Int(length), pdu.remaining) : Int(length)
    try pdu.inside(there, by: fields.length) { pdu throws(Malformed) in
      let lingo = try pdu.u8(fields.lingo)
      pdu.facts.request = lingo
      switch lingo {
      case 0x00: pdu.facts.code = UInt16(try pdu.u8(fields.general.command))
      case 0x04: pdu.facts.code = try pdu.u16be(fields.command)
      default: pdu.facts.code = UInt16(try pdu.u8(fields.command))
      }
      pdu.rest(fields.data)
    }
    if pdu.context.isSliced, pdu.remaining == 0 { return }
    try pdu.u8(fields.checksum)
    if IAP2.sum(pdu.bytes, checked..<pdu.position) != 0 {
      pdu.note(.error, "does not fit the octets before it", over: 1)
    }
  }
}
