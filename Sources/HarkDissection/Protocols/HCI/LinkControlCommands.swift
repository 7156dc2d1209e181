/// Link Control commands. Core Specification, Vol 4, Part E, 7.1.
extension HCICommand {
  private static let p = HCIParameters.shared

  static let linkControl: [Row] = [
    Row(0x0406, "HCI_Disconnect", [.handle(p.handle), .u8(p.reason)])
  ]
}
