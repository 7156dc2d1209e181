/// Subevents of the LE Meta event: Channel Sounding.
/// Core Specification, Vol 4, Part E, 7.7.65.39 to 7.7.65.46.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let cs = HCIParameters.shared.sounding
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let outcome: [Parameter] = [
    .u8(cs.procedureDone), .u8(cs.subeventDone), .nibbles(cs.procedureAbort, cs.subeventAbort),
    .special(.soundingSteps),
  ]

  static let leSoundingEvents: [Row] = [
    Row(
      0x2C, "HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete",
      handleStatus + HCICommand.soundingCapabilities),
    Row(
      0x38, "HCI_LE_CS_Read_Remote_Supported_Capabilities_Complete [v2]",
      handleStatus + HCICommand.soundingCapabilities + HCICommand.laterSoundingCapabilities),
    Row(
      0x2D, "HCI_LE_CS_Read_Remote_FAE_Table_Complete",
      handleStatus + [.bytes(72, cs.faeTable)]),
    Row(0x2E, "HCI_LE_CS_Security_Enable_Complete", handleStatus),
    Row(
      0x2F, "HCI_LE_CS_Config_Complete",
      handleStatus + [.u8(cs.config), .u8(cs.csAction)] + HCICommand.soundingConfiguration + [
        .u8(cs.tIP1), .u8(cs.tIP2), .u8(cs.tFCS), .u8(cs.tPM),
      ]),
    Row(
      0x30, "HCI_LE_CS_Procedure_Enable_Complete",
      handleStatus + [
        .u8(cs.config), .u8(cs.state), .u8(cs.toneAntennas), .u8(cs.selectedTxPower),
        .u24(cs.subeventLength), .u8(cs.subeventsPerEvent), .u16(cs.csSubeventInterval),
        .u16(cs.eventInterval), .u16(cs.procedureInterval), .u16(cs.procedureCount),
        .u16(cs.maxProcedureLength),
      ]),
    Row(
      0x31, "HCI_LE_CS_Subevent_Result",
      [
        .handle(p.handle), .u8(cs.config), .u16(cs.startCounter), .u16(cs.procedureCounter),
        .special(.frequencyCompensation), .u8(cs.referencePower),
      ] + outcome),
    Row(
      0x32, "HCI_LE_CS_Subevent_Result_Continue", [.handle(p.handle), .u8(cs.config)] + outcome),
    Row(0x33, "HCI_LE_CS_Test_End_Complete", [.u8(p.status)]),
  ]
}
