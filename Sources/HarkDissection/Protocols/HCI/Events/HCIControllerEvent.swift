/// Events: what a controller says of itself. Core Specification, Vol 4, Part E, 7.7.
package enum HCIControllerEvent: HCIEventGroup {
  case hardwareError(code: UInt8)
  case dataBufferOverflow(linkType: UInt8)

  private static let p = HCIParameters.shared
  private static let b = HCIParameters.shared.baseband

  static let rows: [Row] = [
    // The dissector reads both.
    Row(0x0E, "HCI_Command_Complete"),
    Row(0x0F, "HCI_Command_Status"),
    Row(0x10, "HCI_Hardware_Error", [.u8(b.hardwareCode)]),
    Row(
      0x13, "HCI_Number_Of_Completed_Packets",
      [.each(b.numHandles, b.completed, [.handle(p.handle), .u16(b.numCompletedPackets)])]),
    Row(0x19, "HCI_Loopback_Command", [.rest(b.loopbackCommand)]),
    Row(0x1A, "HCI_Data_Buffer_Overflow", [.u8(b.overflowLinkType)]),
    Row(0x3E, "HCI_LE_Meta"),
  ]

  enum Code: UInt8 {
    case hardwareError = 0x10
    case dataBufferOverflow = 0x1A
  }

  static func read(_ code: Code, _ values: ParameterValues) -> HCIControllerEvent? {
    switch code {
    case .hardwareError: values.u8(b.hardwareCode).map { .hardwareError(code: $0) }
    case .dataBufferOverflow:
      values.u8(b.overflowLinkType).map { .dataBufferOverflow(linkType: $0) }
    }
  }
}
