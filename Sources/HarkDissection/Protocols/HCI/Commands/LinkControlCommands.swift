/// Link Control commands. Core Specification, Vol 4, Part E, 7.1. The rows without parameters at
/// the end are from earlier editions.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let b = HCIParameters.shared.baseband
  private static let t = HCIParameters.shared.broadcast
  private static let pairing = HCIParameters.shared.pairing

  private static let addressOnly: [Parameter] = [.address(p.address)]
  private static let addressStatus: [Parameter] = [.u8(p.status), .address(p.address)]
  private static let inquiry: [Parameter] = [
    .u24(c.lap), .u8(c.inquiryLength), .u8(c.maxResponses),
  ]
  private static let synchronous: [Parameter] = [
    .u32(c.transmitBandwidth), .u32(c.receiveBandwidth), .u16(c.maxLatency),
    .u16(c.voiceSetting), .u8(c.retransmissionEffort), .u16(c.synchronousPacketType),
  ]
  private static func coding(_ field: Field) -> Parameter {
    let i = HCIParameters.shared.information
    return .group(field, [.u8(i.codingFormat), .u16(i.codecCompany), .u16(i.vendorCodecID)])
  }
  private static let enhanced: [Parameter] = [
    .u32(c.transmitBandwidth), .u32(c.receiveBandwidth), coding(c.transmitCoding),
    coding(c.receiveCoding), .u16(c.transmitCodecFrameSize), .u16(c.receiveCodecFrameSize),
    .u32(c.inputBandwidth), .u32(c.outputBandwidth), coding(c.inputCoding),
    coding(c.outputCoding), .u16(c.inputCodedDataSize), .u16(c.outputCodedDataSize),
    .u8(c.inputPCMFormat), .u8(c.outputPCMFormat), .u8(c.inputMSBPosition),
    .u8(c.outputMSBPosition), .u8(c.inputDataPath), .u8(c.outputDataPath),
    .u8(c.inputUnitSize), .u8(c.outputUnitSize), .u16(c.maxLatency),
    .u16(c.synchronousPacketType), .u8(c.retransmissionEffort),
  ]

  /// Of editions up to 5.2.
  private static let physicalLink: [Parameter] = [
    .u8(p.amp.physicalLink), .u8(p.amp.dedicatedKeyLength), .u8(p.amp.dedicatedKeyType),
    .rest(p.amp.dedicatedKey),
  ]
  private static let flowSpecs: [Parameter] = [
    .bytes(16, p.amp.txFlowSpec), .bytes(16, p.amp.rxFlowSpec),
  ]

  static let linkControl: [Row] = connections + pairingReplies + broadcasts

  private static let connections: [Row] = [
    Row(0x0401, "HCI_Inquiry", inquiry),
    Row(0x0402, "HCI_Inquiry_Cancel", []),
    Row(
      0x0403, "HCI_Periodic_Inquiry_Mode",
      [.u16(c.maxPeriodLength), .u16(c.minPeriodLength)] + inquiry),
    Row(0x0404, "HCI_Exit_Periodic_Inquiry_Mode", []),
    Row(
      0x0405, "HCI_Create_Connection",
      [
        .address(p.address), .u16(c.packetType), .u8(c.pageScanRepetitionMode), .u8(p.reserved),
        .u16(c.clockOffset), .u8(c.allowRoleSwitch),
      ]),
    Row(0x0406, "HCI_Disconnect", [.handle(p.handle), .u8(p.reason)]),
    Row(0x0407, "HCI_Add_SCO_Connection", [.handle(p.handle), .u16(c.scoPacketType)]),
    Row(0x0408, "HCI_Create_Connection_Cancel", addressOnly, returns: addressStatus),
    Row(0x0409, "HCI_Accept_Connection_Request", [.address(p.address), .u8(p.role)]),
    Row(0x040A, "HCI_Reject_Connection_Request", [.address(p.address), .u8(p.reason)]),
    Row(
      0x040F, "HCI_Change_Connection_Packet_Type", [.handle(p.handle), .u16(c.packetType)]),
    Row(0x0411, "HCI_Authentication_Requested", [.handle(p.handle)]),
    Row(
      0x0413, "HCI_Set_Connection_Encryption",
      [.handle(p.handle), .u8(pairing.encryptionEnable)]),
    Row(0x0415, "HCI_Change_Connection_Link_Key", [.handle(p.handle)]),
    Row(0x0417, "HCI_Link_Key_Selection", [.u8(pairing.keyFlag)]),
    Row(
      0x0419, "HCI_Remote_Name_Request",
      [
        .address(p.address), .u8(c.pageScanRepetitionMode), .u8(p.reserved), .u16(c.clockOffset),
      ]),
    Row(0x041A, "HCI_Remote_Name_Request_Cancel", addressOnly, returns: addressStatus),
    Row(0x041B, "HCI_Read_Remote_Supported_Features", [.handle(p.handle)]),
    Row(0x041C, "HCI_Read_Remote_Extended_Features", [.handle(p.handle), .u8(c.pageNumber)]),
    Row(0x041D, "HCI_Read_Remote_Version_Information", [.handle(p.handle)]),
    Row(0x041F, "HCI_Read_Clock_Offset", [.handle(p.handle)]),
    Row(
      0x0420, "HCI_Read_LMP_Handle", [.handle(p.handle)],
      returns: [.u8(p.status), .handle(p.handle), .u8(c.lmpHandle), .u32(p.reserved)]),
    Row(0x0428, "HCI_Setup_Synchronous_Connection", [.handle(p.handle)] + synchronous),
    Row(0x0429, "HCI_Accept_Synchronous_Connection_Request", [.address(p.address)] + synchronous),
    Row(
      0x042A, "HCI_Reject_Synchronous_Connection_Request",
      [.address(p.address), .u8(p.reason)]),
    Row(0x043D, "HCI_Enhanced_Setup_Synchronous_Connection", [.handle(p.handle)] + enhanced),
    Row(
      0x043E, "HCI_Enhanced_Accept_Synchronous_Connection_Request",
      [.address(p.address)] + enhanced),
  ]

  private static let pairingReplies: [Row] = [
    Row(
      0x040B, "HCI_Link_Key_Request_Reply", [.address(p.address), .bytes(16, pairing.linkKey)],
      returns: addressStatus),
    Row(
      0x040C, "HCI_Link_Key_Request_Negative_Reply", addressOnly, returns: addressStatus),
    Row(
      0x040D, "HCI_PIN_Code_Request_Reply",
      [.address(p.address), .u8(pairing.pinLength), .bytes(16, pairing.pin)],
      returns: addressStatus),
    Row(0x040E, "HCI_PIN_Code_Request_Negative_Reply", addressOnly, returns: addressStatus),
    Row(
      0x042B, "HCI_IO_Capability_Request_Reply",
      [
        .address(p.address), .u8(pairing.ioCapability), .u8(pairing.oobDataPresent),
        .u8(pairing.authenticationRequirements),
      ], returns: addressStatus),
    Row(0x042C, "HCI_User_Confirmation_Request_Reply", addressOnly, returns: addressStatus),
    Row(
      0x042D, "HCI_User_Confirmation_Request_Negative_Reply", addressOnly,
      returns: addressStatus),
    Row(
      0x042E, "HCI_User_Passkey_Request_Reply",
      [.address(p.address), .u32(pairing.numericValue)], returns: addressStatus),
    Row(
      0x042F, "HCI_User_Passkey_Request_Negative_Reply", addressOnly, returns: addressStatus),
    Row(
      0x0430, "HCI_Remote_OOB_Data_Request_Reply",
      [.address(p.address), .bytes(16, pairing.hash), .bytes(16, pairing.randomizer)],
      returns: addressStatus),
    Row(
      0x0433, "HCI_Remote_OOB_Data_Request_Negative_Reply", addressOnly,
      returns: addressStatus),
    Row(
      0x0434, "HCI_IO_Capability_Request_Negative_Reply",
      [.address(p.address), .u8(p.reason)], returns: addressStatus),
    Row(
      0x0445, "HCI_Remote_OOB_Extended_Data_Request_Reply",
      [
        .address(p.address), .bytes(16, pairing.hash192), .bytes(16, pairing.randomizer192),
        .bytes(16, pairing.hash256), .bytes(16, pairing.randomizer256),
      ], returns: addressStatus),
  ]

  private static let broadcasts: [Row] = [
    Row(
      0x043F, "HCI_Truncated_Page",
      [.address(p.address), .u8(c.pageScanRepetitionMode), .u16(c.clockOffset)]),
    Row(0x0440, "HCI_Truncated_Page_Cancel", addressOnly, returns: addressStatus),
    Row(
      0x0441, "HCI_Set_Connectionless_Peripheral_Broadcast",
      [
        .u8(t.cpbEnable), .u8(b.logicalTransport), .u8(t.lpoAllowed), .u16(c.packetType),
        .u16(b.trainIntervalMin), .u16(b.trainIntervalMax), .u16(t.cpbSupervisionTimeout),
      ], returns: [.u8(p.status), .u8(b.logicalTransport), .u16(t.cpbInterval)]),
    Row(
      0x0442, "HCI_Set_Connectionless_Peripheral_Broadcast_Receive",
      [
        .u8(t.cpbEnable), .address(p.address), .u8(b.logicalTransport), .u16(t.cpbInterval),
        .u32(t.cpbClockOffset), .u32(t.nextClock), .u16(t.cpbSupervisionTimeout),
        .u8(t.timingAccuracy), .u8(t.cpbSkip), .u16(c.packetType), .bytes(10, b.afhChannelMap),
      ], returns: addressStatus + [.u8(b.logicalTransport)]),
    Row(0x0443, "HCI_Start_Synchronization_Train", []),
    Row(
      0x0444, "HCI_Receive_Synchronization_Train",
      [.address(p.address), .u16(t.scanTimeout), .u16(t.cpbScanWindow), .u16(t.cpbScanInterval)]),
    Row(0x0435, "HCI_Create_Physical_Link", physicalLink),
    Row(0x0436, "HCI_Accept_Physical_Link", physicalLink),
    Row(0x0437, "HCI_Disconnect_Physical_Link", [.u8(p.amp.physicalLink), .u8(p.reason)]),
    Row(0x0438, "HCI_Create_Logical_Link", [.u8(p.amp.physicalLink)] + flowSpecs),
    Row(0x0439, "HCI_Accept_Logical_Link", [.u8(p.amp.physicalLink)] + flowSpecs),
    Row(0x043A, "HCI_Disconnect_Logical_Link", [.u16(p.amp.logicalLink)]),
    Row(
      0x043B, "HCI_Logical_Link_Cancel", [.u8(p.amp.physicalLink), .u8(p.amp.txFlowSpecID)],
      returns: [.u8(p.status), .u8(p.amp.physicalLink), .u8(p.amp.txFlowSpecID)]),
    Row(0x043C, "HCI_Flow_Spec_Modify", [.u16(p.amp.logicalLink)] + flowSpecs),
  ]
}
