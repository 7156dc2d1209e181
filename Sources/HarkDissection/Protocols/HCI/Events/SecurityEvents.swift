/// Events: pairing and encryption; events of earlier editions.
/// Core Specification, Vol 4, Part E, 7.7.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let addressOnly: [Parameter] = [.address(p.address)]

  static let securityEvents: [Row] = [
    Row(0x06, "HCI_Authentication_Complete", handleStatus),
    Row(0x08, "HCI_Encryption_Change", handleStatus + [.u8(pairing.encryptionEnabled)]),
    Row(
      0x59, "HCI_Encryption_Change [v2]",
      handleStatus + [.u8(pairing.encryptionEnabled), .u8(pairing.keySize)]),
    Row(0x09, "HCI_Change_Connection_Link_Key_Complete", handleStatus),
    Row(0x0A, "HCI_Link_Key_Type_Changed", handleStatus + [.u8(pairing.keyFlag)]),
    Row(
      0x15, "HCI_Return_Link_Keys",
      [
        .each(
          pairing.numKeys, pairing.key, [.address(p.address), .bytes(16, pairing.linkKey)])
      ]),
    Row(0x16, "HCI_PIN_Code_Request", addressOnly),
    Row(0x17, "HCI_Link_Key_Request", addressOnly),
    Row(
      0x18, "HCI_Link_Key_Notification",
      [.address(p.address), .bytes(16, pairing.linkKey), .u8(pairing.keyType)]),
    Row(0x30, "HCI_Encryption_Key_Refresh_Complete", handleStatus),
    Row(0x31, "HCI_IO_Capability_Request", addressOnly),
    Row(
      0x32, "HCI_IO_Capability_Response",
      [
        .address(p.address), .u8(pairing.ioCapability), .u8(pairing.oobDataPresent),
        .u8(pairing.authenticationRequirements),
      ]),
    Row(
      0x33, "HCI_User_Confirmation_Request",
      [.address(p.address), .u32(pairing.numericValue)]),
    Row(0x34, "HCI_User_Passkey_Request", addressOnly),
    Row(0x35, "HCI_Remote_OOB_Data_Request", addressOnly),
    Row(0x36, "HCI_Simple_Pairing_Complete", [.u8(p.status), .address(p.address)]),
    Row(
      0x3B, "HCI_User_Passkey_Notification", [.address(p.address), .u32(pairing.passkey)]),
    Row(0x3C, "HCI_Keypress_Notification", [.address(p.address), .u8(pairing.keypress)]),
  ]

  static let earlierEvents: [Row] = [
    Row(0x1F, "HCI_Page_Scan_Mode_Change", [.address(p.address), .u8(p.amp.pageScanMode)]),
    Row(0x40, "HCI_Physical_Link_Complete", [.u8(p.status), .u8(p.amp.physicalLink)]),
    Row(0x41, "HCI_Channel_Selected", [.u8(p.amp.physicalLink)]),
    Row(
      0x42, "HCI_Disconnection_Physical_Link_Complete",
      [.u8(p.status), .u8(p.amp.physicalLink), .u8(p.reason)]),
    Row(
      0x43, "HCI_Physical_Link_Loss_Early_Warning",
      [.u8(p.amp.physicalLink), .u8(p.amp.lossReason)]),
    Row(0x44, "HCI_Physical_Link_Recovery", [.u8(p.amp.physicalLink)]),
    Row(
      0x45, "HCI_Logical_Link_Complete",
      [
        .u8(p.status), .u16(p.amp.logicalLink), .u8(p.amp.physicalLink), .u8(p.amp.txFlowSpecID),
      ]),
    Row(
      0x46, "HCI_Disconnection_Logical_Link_Complete",
      [.u8(p.status), .u16(p.amp.logicalLink), .u8(p.reason)]),
    Row(0x47, "HCI_Flow_Spec_Modify_Complete", [.u8(p.status), .u16(p.amp.logicalLink)]),
    Row(
      0x48, "HCI_Number_Of_Completed_Data_Blocks",
      [
        .u16(p.information.totalNumDataBlocks),
        .each(
          p.baseband.numHandles, p.baseband.completed,
          [
            .handle(p.handle), .u16(p.baseband.numCompletedPackets),
            .u16(p.baseband.numCompletedBlocks),
          ]),
      ]),
    Row(0x49, "HCI_AMP_Start_Test", [.u8(p.status), .u8(p.amp.scenario)]),
    Row(0x4A, "HCI_AMP_Test_End", [.u8(p.status), .u8(p.amp.scenario)]),
    Row(
      0x4B, "HCI_AMP_Receiver_Report",
      [
        .u8(p.amp.ampControllerType), .u8(p.amp.reportReason), .u32(p.amp.reportEventType),
        .u16(p.amp.frames), .u16(p.amp.errorFrames), .u32(p.amp.bits), .u32(p.amp.errorBits),
      ]),
    Row(
      0x4C, "HCI_Short_Range_Mode_Change_Complete",
      [.u8(p.status), .u8(p.amp.physicalLink), .u8(p.amp.shortRangeMode)]),
    Row(0x4D, "HCI_AMP_Status_Change", [.u8(p.status), .u8(p.amp.ampStatus)]),
  ]
}
