/// Testing commands. Core Specification, Vol 4, Part E, 7.6.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let b = HCIParameters.shared.baseband

  static let testing: [Row] = [
    Row(0x1801, "HCI_Read_Loopback_Mode", [], returns: [.u8(p.status), .u8(b.loopbackMode)]),
    Row(0x1802, "HCI_Write_Loopback_Mode", [.u8(b.loopbackMode)]),
    Row(0x1803, "HCI_Enable_Implementation_Under_Test_Mode", []),
    Row(0x1804, "HCI_Write_Simple_Pairing_Debug_Mode", [.u8(b.debugMode)]),
    // Of earlier editions.
    Row(
      0x1807, "HCI_Enable_AMP_Receiver_Reports",
      [.u8(p.amp.receiverReports), .u8(p.amp.reportInterval)]),
    Row(0x1808, "HCI_AMP_Test_End", []),
    Row(0x1809, "HCI_AMP_Test", [.rest(p.amp.ampTestParameters)]),
    Row(
      0x180A, "HCI_Write_Secure_Connections_Test_Mode",
      [.handle(p.handle), .u8(b.testMode), .u8(b.testMode)],
      returns: [.u8(p.status), .handle(p.handle)]),
  ]
}
