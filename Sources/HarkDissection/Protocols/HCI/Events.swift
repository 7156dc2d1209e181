/// Events. Core Specification, Vol 4, Part E, 7.7.
extension HCIEvent {
  private static let p = HCIParameters.shared

  static let events: [Row] = [
    Row(0x05, "HCI_Disconnection_Complete", [.u8(p.status), .handle(p.handle), .u8(p.reason)]),
    Row(0x0E, "HCI_Command_Complete"),
    Row(0x0F, "HCI_Command_Status"),
    Row(0x3E, "HCI_LE_Meta"),
  ]
}
