/// LE Controller commands: Constant Tone Extensions.
/// Core Specification, Vol 4, Part E, 7.8.80 to 7.8.87.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let leDirectionFinding: [Row] = [
    Row(
      0x2051, "HCI_LE_Set_Connectionless_CTE_Transmit_Parameters",
      [
        .u8(a.advertisingHandle), .u8(le.cteLength), .u8(a.cteType), .u8(le.cteCount),
        .counted(le.patternLength, le.antennaIDs),
      ]),
    Row(
      0x2052, "HCI_LE_Set_Connectionless_CTE_Transmit_Enable",
      [.u8(a.advertisingHandle), .u8(le.cteEnable)]),
    Row(
      0x2053, "HCI_LE_Set_Connectionless_IQ_Sampling_Enable",
      [
        .u12(a.syncHandle), .u8(le.samplingEnable), .u8(le.slotDurations),
        .u8(le.maxSampledCTEs), .counted(le.patternLength, le.antennaIDs),
      ], returns: [.u8(p.status), .u12(a.syncHandle)]),
    Row(
      0x2054, "HCI_LE_Set_Connection_CTE_Receive_Parameters",
      [
        .handle(p.handle), .u8(le.samplingEnable), .u8(le.slotDurations),
        .counted(le.patternLength, le.antennaIDs),
      ], returns: handleStatus),
    Row(
      0x2055, "HCI_LE_Set_Connection_CTE_Transmit_Parameters",
      [.handle(p.handle), .u8(le.cteTypes), .counted(le.patternLength, le.antennaIDs)],
      returns: handleStatus),
    Row(
      0x2056, "HCI_LE_Connection_CTE_Request_Enable",
      [
        .handle(p.handle), .u8(a.enable), .u16(le.cteRequestInterval),
        .u8(le.requestedCTELength), .u8(le.requestedCTEType),
      ], returns: handleStatus),
    Row(
      0x2057, "HCI_LE_Connection_CTE_Response_Enable", [.handle(p.handle), .u8(a.enable)],
      returns: handleStatus),
    Row(
      0x2058, "HCI_LE_Read_Antenna_Information", [],
      returns: [
        .u8(p.status), .u8(le.switchingRates), .u8(le.numAntennae), .u8(le.maxPatternLength),
        .u8(le.maxCTELength),
      ]),
  ]
}
