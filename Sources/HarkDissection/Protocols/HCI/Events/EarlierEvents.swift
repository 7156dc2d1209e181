/// Events of earlier editions. Core Specification, Vol 4, Part E, 7.7.
extension HCIEvent {
  private static let p = HCIParameters.shared

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
