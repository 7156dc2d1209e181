import HarkCore

/// Security Manager Protocol (SMP). Core Specification, Vol 3, Part H, 3.
enum SMP: MessageDissector {
  static let name: StaticString = "SMP"
  static let path: StaticString = "smp"
  static let specification: StaticString = "Core Specification, Vol 3, Part H, 3"
  static let places: [AttachmentPoint] = [.channel(0x0006), .channel(0x0007)]

  // 3.3
  static let codes: [UInt64: StaticString] = [
    0x01: "Pairing Request", 0x02: "Pairing Response", 0x03: "Pairing Confirm",
    0x04: "Pairing Random", 0x05: "Pairing Failed", 0x06: "Encryption Information",
    0x07: "Central Identification", 0x08: "Identity Information",
    0x09: "Identity Address Information", 0x0A: "Signing Information",
    0x0B: "Security Request", 0x0C: "Pairing Public Key", 0x0D: "Pairing DHKey Check",
    0x0E: "Pairing Keypress Notification",
  ]
  // 3.5.1
  static let ioCapabilities: [UInt64: StaticString] = [
    0x00: "DisplayOnly", 0x01: "DisplayYesNo", 0x02: "KeyboardOnly", 0x03: "NoInputNoOutput",
    0x04: "KeyboardDisplay",
  ]
  // 3.5.1
  static let oobFlags: [UInt64: StaticString] = [
    0x00: "OOB Authentication data not present",
    0x01: "OOB Authentication data from remote device present",
  ]
  // 3.5.1
  static let bondings: [UInt64: StaticString] = [0: "No Bonding", 1: "Bonding"]
  static let answers: [UInt64: StaticString] = [0: "no", 1: "yes"]
  // 3.5.5
  static let reasons: [UInt64: StaticString] = [
    0x01: "Passkey Entry Failed", 0x02: "OOB Not Available", 0x03: "Authentication Requirements",
    0x04: "Confirm Value Failed", 0x05: "Pairing Not Supported", 0x06: "Encryption Key Size",
    0x07: "Command Not Supported", 0x08: "Unspecified Reason", 0x09: "Repeated Attempts",
    0x0A: "Invalid Parameters", 0x0B: "DHKey Check Failed", 0x0C: "Numeric Comparison Failed",
    0x0D: "BR/EDR Pairing In Progress",
    0x0E: "Cross-transport Key Derivation/Generation Not Allowed", 0x0F: "Key Rejected",
    0x10: "Busy",
  ]
  // 3.5.8
  static let notificationTypes: [UInt64: StaticString] = [
    0: "Passkey entry started", 1: "Passkey digit entered", 2: "Passkey digit erased",
    3: "Passkey cleared", 4: "Passkey entry completed",
  ]
  // 3.6.1
  static let keys: [UInt64: StaticString] = [0: "EncKey", 1: "IdKey", 2: "SignKey", 3: "LinkKey"]
  // 3.6.5
  static let addressTypes: [UInt64: StaticString] = [
    0: "Public Device Address", 1: "Static Random Address",
  ]

  struct Fields: Sendable {
    let code = Field("Code", .hex, names: codes, title: true)
    let ioCapability = Field("IO Capability", names: ioCapabilities, inLine: true)
    let oob = Field("OOB Data Flag", names: oobFlags)
    let authReq = Field("AuthReq", .hex)
    let bonding = Field("Bonding_Flags", names: bondings, inLine: true)
    let mitm = Field("MITM", names: answers, inLine: true)
    let secureConnections = Field("SC", names: answers, inLine: true)
    let keypress = Field("Keypress", names: answers)
    let ct2 = Field("CT2", names: answers)
    let maxKeySize = Field("Maximum Encryption Key Size", unit: "octets")
    let initiatorKeys = Field("Initiator Key Distribution", .hex, flags: SMP.keys)
    let responderKeys = Field("Responder Key Distribution", .hex, flags: SMP.keys)
    let confirm = Field("Confirm Value", .bytes)
    let random = Field("Random Value", .bytes)
    let reason = Field("Reason", .hex, names: reasons, inLine: true)
    let longTermKey = Field("Long Term Key", .bytes, secret: true, personal: .key)
    let ediv = Field("EDIV", .hex, personal: .identifier)
    let rand = Field("Rand", .hex, personal: .identifier)
    let irk = Field(
      "Identity Resolving Key", .bytes, secret: true, personal: .key, role: .identityResolvingKey)
    let addressType = Field("AddrType", names: addressTypes, role: .addressType)
    let address = Field("BD_ADDR", .address, inLine: true)
    let csrk = Field("Signature Key", .bytes, secret: true, personal: .key)
    let publicKeyX = Field("Public Key X", .bytes)
    let publicKeyY = Field("Public Key Y", .bytes)
    let dhKeyCheck = Field("DHKey Check", .bytes)
    let notificationType = Field("Notification Type", names: notificationTypes, inLine: true)
    let data = Field("Data", .bytes)
  }
  static let fields = Fields()

  static func read(_ pdu: inout PDU<some Sink>, _ message: inout SMPMessage) throws(Malformed) {
    let start = pdu.position
    let code = try pdu.u8(fields.code)
    pdu.facts.code = UInt16(code)
    message = .other(code)
    switch SMPMessage.Code(rawValue: code) {
    case .pairingRequest: message = .pairingRequest(try features(&pdu, from: start))
    case .pairingResponse: message = .pairingResponse(try features(&pdu, from: start))
    case .pairingConfirm: message = .pairingConfirm(try pdu.bytes(16, fields.confirm))
    case .pairingRandom: message = .pairingRandom(try pdu.bytes(16, fields.random))
    case .pairingFailed: message = .pairingFailed(try pdu.u8(fields.reason))
    case .encryptionInformation:
      message = .encryptionInformation(try pdu.bytes(16, fields.longTermKey))
    case .centralIdentification:
      let ediv = try pdu.u16(fields.ediv)
      message = .centralIdentification(ediv: ediv, rand: try pdu.u64(fields.rand))
    case .identityInformation: message = .identityInformation(try pdu.bytes(16, fields.irk))
    case .identityAddressInformation:
      let type = try pdu.u8(fields.addressType)
      let address = try pdu.address(fields.address)
      message = .identityAddressInformation(BluetoothAddress(address, hciType: type))
    case .signingInformation: message = .signingInformation(try pdu.bytes(16, fields.csrk))
    case .securityRequest: message = .securityRequest(try authenticationRequirements(&pdu))
    case .pairingPublicKey:
      message = .pairingPublicKey(nil)
      let x = try pdu.bytes(32, fields.publicKeyX)
      let y = try pdu.bytes(32, fields.publicKeyY)
      message = .pairingPublicKey(x.lowerBound..<y.upperBound)
    case .pairingDHKeyCheck:
      message = .pairingDHKeyCheck(try pdu.bytes(16, fields.dhKeyCheck))
    case .pairingKeypressNotification:
      message = .pairingKeypressNotification(try pdu.u8(fields.notificationType))
    case nil: pdu.rest(fields.data)
    }
  }

  /// 3.5.1, 3.5.2
  private static func features(
    _ pdu: inout PDU<some Sink>, from start: Int
  ) throws(Malformed) -> SMPMessage.Features {
    let ioCapability = try pdu.u8(fields.ioCapability)
    let oob = try pdu.u8(fields.oob)
    let requirements = try authenticationRequirements(&pdu)
    let size = try pdu.u8(fields.maxKeySize)
    if size < 7 || size > 16 {
      pdu.note(
        .error, "is outside the range 7 to 16", over: 1, clause: "Vol 3, Part H, 3.5.1")
    }
    let initiatorKeys = SMPMessage.KeyDistribution(rawValue: try pdu.u8(fields.initiatorKeys))
    let responderKeys = SMPMessage.KeyDistribution(rawValue: try pdu.u8(fields.responderKeys))
    return SMPMessage.Features(
      ioCapability: ioCapability, hasOOBData: oob == 1, requirements: requirements, keySize: size,
      initiatorKeys: initiatorKeys, responderKeys: responderKeys, octets: start..<pdu.position)
  }

  /// 3.5.1
  private static func authenticationRequirements(
    _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> SMPMessage.AuthenticationRequirements {
    let word = try pdu.word(1, of: fields.authReq)
    pdu.part(fields.authReq, word, of: 1)
    pdu.part(fields.bonding, word & 3, of: 1)
    pdu.part(fields.mitm, word >> 2 & 1, of: 1)
    pdu.part(fields.secureConnections, word >> 3 & 1, of: 1)
    pdu.part(fields.keypress, word >> 4 & 1, of: 1)
    pdu.part(fields.ct2, word >> 5 & 1, of: 1)
    if word >> 6 != 0 {
      pdu.note(.warning, "reserved bits are set", over: 1, clause: "Vol 3, Part H, 3.5.1")
    }
    return SMPMessage.AuthenticationRequirements(
      bonding: word & 3 == 1, mitm: word >> 2 & 1 == 1, secureConnections: word >> 3 & 1 == 1)
  }
}
