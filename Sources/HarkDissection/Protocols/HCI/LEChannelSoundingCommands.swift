/// LE Controller commands: Channel Sounding. Core Specification, Vol 4, Part E, 7.8.130 to 7.8.143.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let cs = HCIParameters.shared.sounding
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let leChannelSounding: [Row] = [
    Row(
      0x2089, "HCI_LE_CS_Read_Local_Supported_Capabilities", [],
      returns: [.u8(p.status), .rest(cs.capabilities)]),
    Row(0x208A, "HCI_LE_CS_Read_Remote_Supported_Capabilities", [.handle(p.handle)]),
    Row(
      0x208B, "HCI_LE_CS_Write_Cached_Remote_Supported_Capabilities",
      [.handle(p.handle), .rest(cs.capabilities)], returns: handleStatus),
    Row(0x208C, "HCI_LE_CS_Security_Enable", [.handle(p.handle)]),
    Row(
      0x208D, "HCI_LE_CS_Set_Default_Settings",
      [
        .handle(p.handle), .u8(cs.roleEnable), .u8(cs.antennaSelection), .u8(cs.csMaxTxPower),
      ], returns: handleStatus),
    Row(0x208E, "HCI_LE_CS_Read_Remote_FAE_Table", [.handle(p.handle)]),
    Row(
      0x208F, "HCI_LE_CS_Write_Cached_Remote_FAE_Table",
      [.handle(p.handle), .bytes(72, cs.faeTable)], returns: handleStatus),
    Row(
      0x2090, "HCI_LE_CS_Create_Config",
      [
        .handle(p.handle), .u8(cs.config), .u8(cs.createContext), .rest(cs.configuration),
      ]),
    Row(0x2091, "HCI_LE_CS_Remove_Config", [.handle(p.handle), .u8(cs.config)]),
    Row(
      0x2092, "HCI_LE_CS_Set_Channel_Classification", [.bytes(10, cs.classification)]),
    Row(
      0x2093, "HCI_LE_CS_Set_Procedure_Parameters",
      [.handle(p.handle), .u8(cs.config), .rest(cs.procedure)], returns: handleStatus),
    Row(
      0x2094, "HCI_LE_CS_Procedure_Enable",
      [.handle(p.handle), .u8(cs.config), .u8(cs.csEnable)]),
    Row(0x2095, "HCI_LE_CS_Test"),
    Row(0x2096, "HCI_LE_CS_Test_End", []),
  ]
}
