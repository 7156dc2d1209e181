import HarkCore

/// PB-ADV: provisioning over advertising. Mesh Protocol 1.1, 5.2.1 and 5.3.
struct MeshProvisioning: Sendable {
  // 5.3.1, table 5.1
  static let formats: [UInt64: StaticString] = [
    0: "Transaction Start", 1: "Transaction Acknowledgment", 2: "Transaction Continuation",
    3: "Provisioning Bearer Control",
  ]
  // 5.3.1.4
  static let opcodes: [UInt64: StaticString] = [
    0: "Link Open", 1: "Link ACK", 2: "Link Close",
  ]
  static let reasons: [UInt64: StaticString] = [0: "Success", 1: "Timeout", 2: "Fail"]
  // 5.4.1
  static let types: [UInt64: StaticString] = [
    0x00: "Provisioning Invite", 0x01: "Provisioning Capabilities",
    0x02: "Provisioning Start", 0x03: "Provisioning Public Key",
    0x04: "Provisioning Input Complete", 0x05: "Provisioning Confirmation",
    0x06: "Provisioning Random", 0x07: "Provisioning Data", 0x08: "Provisioning Complete",
    0x09: "Provisioning Failed", 0x0A: "Provisioning Record Request",
    0x0B: "Provisioning Record Response", 0x0C: "Provisioning Records Get",
    0x0D: "Provisioning Records List",
  ]
  static let errors: [UInt64: StaticString] = [
    0: "Prohibited", 1: "Invalid PDU", 2: "Invalid Format", 3: "Unexpected PDU",
    4: "Confirmation Failed", 5: "Out of Resources", 6: "Decryption Failed",
    7: "Unexpected Error", 8: "Cannot Assign Addresses", 9: "Invalid Data",
  ]
  static let algorithms: [UInt64: StaticString] = [
    0: "BTM_ECDH_P256_CMAC_AES128_AES_CCM", 1: "BTM_ECDH_P256_HMAC_SHA256_AES_CCM",
  ]
  static let oobTypes: [UInt64: StaticString] = [
    0: "Static OOB information available", 1: "Only OOB authenticated provisioning supported",
  ]
  static let methods: [UInt64: StaticString] = [
    0: "No OOB", 1: "Static OOB", 2: "Output OOB", 3: "Input OOB",
  ]

  let link = Field("Link ID", .hex, inLine: true, personal: .identifier)
  let transaction = Field("Transaction Number")
  let format = Field("Generic Provisioning Control Format", names: formats, inLine: true)
  let lastSegment = Field("SegN")
  let totalLength = Field("TotalLength")
  let frameCheck = Field("FCS", .hex, structural: false)
  let segmentIndex = Field("SegmentIndex")
  let bearerOpcode = Field("BearerOpcode", names: opcodes, inLine: true)
  let device = Field("Device UUID", .uuidBigEndian, inLine: true, personal: .identifier)
  let reason = Field("Reason", names: reasons, inLine: true)
  let pduType = Field("Provisioning PDU Type", .hex, names: types, inLine: true)
  let attention = Field("Attention Duration", unit: "s")
  let elements = Field("Number of Elements")
  let algorithms = Field("Algorithms", .hex, flags: Self.algorithms)
  let publicKeyType = Field("Public Key Type", .hex)
  let oobType = Field("OOB Type", .hex, flags: oobTypes)
  let outputSize = Field("Output OOB Size")
  let outputAction = Field("Output OOB Action", .hex)
  let inputSize = Field("Input OOB Size")
  let inputAction = Field("Input OOB Action", .hex)
  let algorithm = Field("Algorithm", names: Self.algorithms)
  let publicKey = Field("Public Key", names: [0: "No OOB Public Key", 1: "OOB Public Key"])
  let method = Field("Authentication Method", names: methods, inLine: true)
  let action = Field("Authentication Action")
  let size = Field("Authentication Size")
  let error = Field("Error Code", .hex, names: errors, inLine: true)
  let publicKeyX = Field("Public Key X", .bytes, personal: .identifier)
  let publicKeyY = Field("Public Key Y", .bytes, personal: .identifier)
  let confirmation = Field("Confirmation", .bytes, personal: .key)
  let provisioningRandom = Field("Random", .bytes, personal: .key)
  let encryptedData = Field("Encrypted Provisioning Data", .bytes)
  let dataMIC = Field("Provisioning Data MIC", .bytes)
  let provisioningData = Field("Provisioning Data", .bytes)

  func read(
    _ pdu: inout PDU<some Sink>, _ packet: inout MeshBearerPacket
  ) throws(Malformed) {
    packet.link = try pdu.u32be(link)
    packet.transaction = try pdu.u8(transaction)
    let head = try pdu.word(1, of: format)
    pdu.part(format, head & 3, of: 1)
    switch head & 3 {
    case 0:
      pdu.part(lastSegment, head >> 2, of: 1)
      let length = try pdu.u16be(totalLength)
      let check = try pdu.u8(frameCheck)
      let data = pdu.position..<(pdu.position + pdu.remaining)
      packet.content = .start(
        .init(
          lastSegment: UInt8(head >> 2), length: length, frameCheck: check, data: data,
          type: data.isEmpty ? nil : MeshProvisioningPDU(type: pdu.peek()).type))
      // A PDU of several segments continues in other packets.
      if head >> 2 == 0, Int(length) == data.count {
        if RFCOMM.checkSequence(pdu.bytes, data) != check {
          pdu.note(.error, "does not fit the PDU", over: 1, clause: "Mesh Protocol 1.1, 5.3.1.1")
        }
        _ = try message(&pdu)
      }
    case 1: packet.content = .acknowledgment
    case 2:
      pdu.part(segmentIndex, head >> 2, of: 1)
      packet.content = .continuation(
        index: UInt8(head >> 2), pdu.position..<(pdu.position + pdu.remaining))
    case 3:
      pdu.part(bearerOpcode, head >> 2, of: 1)
      switch head >> 2 {
      case 0: packet.content = .linkOpen(device: try pdu.bytes(16, device))
      case 1: packet.content = .linkAcknowledgment
      case 2: packet.content = .linkClose(reason: try pdu.u8(reason))
      default: break
      }
    default: break
    }
    try AdvertisingData.all(provisioningData, &pdu)
  }

  /// 5.4.1
  func message(_ pdu: inout PDU<some Sink>) throws(Malformed) -> MeshProvisioningPDU {
    let head = try pdu.word(1, of: pduType)
    var message = MeshProvisioningPDU(type: UInt8(truncatingIfNeeded: head))
    pdu.part(pduType, head & 0x3F, of: 1)
    switch head & 0x3F {
    case 0x00: try pdu.u8(attention)
    case 0x01:
      try pdu.u8(elements)
      try pdu.u16be(algorithms)
      try pdu.u8(publicKeyType)
      try pdu.u8(oobType)
      try pdu.u8(outputSize)
      try pdu.u16be(outputAction)
      try pdu.u8(inputSize)
      try pdu.u16be(inputAction)
    case 0x02:
      try pdu.u8(algorithm)
      try pdu.u8(publicKey)
      message.method = try pdu.u8(method)
      try pdu.u8(action)
      try pdu.u8(size)
    case 0x03:
      try pdu.bytes(32, publicKeyX)
      try pdu.bytes(32, publicKeyY)
    case 0x05 where pdu.remaining > 0: try pdu.bytes(pdu.remaining, confirmation)
    case 0x06 where pdu.remaining > 0: try pdu.bytes(pdu.remaining, provisioningRandom)
    case 0x07:
      try pdu.bytes(25, encryptedData)
      try pdu.bytes(8, dataMIC)
    case 0x09: message.error = try pdu.u8(error)
    default: break
    }
    return message
  }
}
