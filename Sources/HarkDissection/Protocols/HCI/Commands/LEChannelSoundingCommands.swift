/// LE Controller commands: Channel Sounding. Core Specification, Vol 4, Part E, 7.8.130 to 7.8.143.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let cs = HCIParameters.shared.sounding
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let csConfig: [Parameter] = [.handle(p.handle), .u8(cs.config)]

  /// What a Controller can do; events give it of the remote one.
  static let soundingCapabilities: [Parameter] = [
    .u8(cs.numConfigs), .u16(cs.maxProcedures), .u8(cs.numAntennas), .u8(cs.maxAntennaPaths),
    .u8(cs.rolesSupported), .u8(cs.modesSupported), .u8(cs.rttCapability), .u8(cs.rttAAOnlyN),
    .u8(cs.rttSoundingN), .u8(cs.rttRandomN), .u16(cs.nadmSounding), .u16(cs.nadmRandom),
    .u8(cs.syncPHYs), .u16(cs.subfeatures), .u16(cs.tIP1Times), .u16(cs.tIP2Times),
    .u16(cs.tFCSTimes), .u16(cs.tPMTimes), .u8(cs.tSWTimeSupported), .u8(cs.txSNR),
  ]
  /// What version 2 adds. Some Controllers know only its first three octets.
  static let laterSoundingCapabilities: [Parameter] = [
    .u16(cs.tIP2IPTTimes), .u8(cs.tSWIPTTime), .optional, .u8(cs.rtt2MAAOnlyN),
    .u8(cs.rtt2MSoundingN),
    .u8(cs.rtt2MRandomN),
  ]
  /// A configuration, after what names it.
  static let soundingConfiguration: [Parameter] = [
    .u8(cs.mainMode), .u8(cs.subMode), .u8(cs.minMainModeSteps), .u8(cs.maxMainModeSteps),
    .u8(cs.mainModeRepetition), .u8(cs.mode0Steps), .u8(cs.csRole), .u8(cs.rttType),
    .u8(cs.syncPHY), .bytes(10, cs.csChannelMap), .u8(cs.channelMapRepetition),
    .u8(cs.csChannelSelection), .u8(cs.shape), .u8(cs.jump), .u8(cs.enhancements),
  ]
  private static let test: [Parameter] = [
    .u8(cs.mainMode), .u8(cs.subMode), .u8(cs.mainModeRepetition), .u8(cs.mode0Steps),
    .u8(cs.csRole), .u8(cs.rttType), .u8(cs.syncPHY), .u8(cs.antennaSelection),
    .u24(cs.subeventLength), .u16(cs.csSubeventInterval), .u8(cs.maxNumSubevents),
    .u8(cs.csTransmitPower), .u8(cs.tIP1), .u8(cs.tIP2), .u8(cs.tFCS), .u8(cs.tPM),
    .u8(cs.tSW), .u8(cs.toneAntennas), .u8(cs.enhancements), .u8(cs.snrInitiator),
    .u8(cs.snrReflector), .u16(cs.drbgNonce), .u8(cs.channelMapRepetition),
    .u16(cs.overrideConfig), .counted(cs.overrideLength, cs.overrideData),
  ]

  static let leChannelSounding: [Row] = [
    Row(
      0x2089, "HCI_LE_CS_Read_Local_Supported_Capabilities", [],
      returns: [.u8(p.status)] + soundingCapabilities),
    Row(
      0x20A5, "HCI_LE_CS_Read_Local_Supported_Capabilities [v2]", [],
      returns: [.u8(p.status)] + soundingCapabilities + laterSoundingCapabilities),
    Row(0x208A, "HCI_LE_CS_Read_Remote_Supported_Capabilities", [.handle(p.handle)]),
    Row(
      0x208B, "HCI_LE_CS_Write_Cached_Remote_Supported_Capabilities",
      [.handle(p.handle)] + soundingCapabilities, returns: handleStatus),
    Row(
      0x20A6, "HCI_LE_CS_Write_Cached_Remote_Supported_Capabilities [v2]",
      [.handle(p.handle)] + soundingCapabilities + laterSoundingCapabilities,
      returns: handleStatus),
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
      csConfig + [.u8(cs.createContext)] + soundingConfiguration),
    Row(0x2091, "HCI_LE_CS_Remove_Config", csConfig),
    Row(
      0x2092, "HCI_LE_CS_Set_Channel_Classification", [.bytes(10, cs.classification)]),
    Row(
      0x2093, "HCI_LE_CS_Set_Procedure_Parameters",
      csConfig + [
        .u16(cs.maxProcedureLength), .u16(cs.minProcedureInterval),
        .u16(cs.maxProcedureInterval), .u16(cs.maxProcedureCount), .u24(cs.minSubeventLength),
        .u24(cs.maxSubeventLength), .u8(cs.toneAntennas), .u8(cs.procedurePHY),
        .u8(cs.txPowerDelta), .u8(cs.preferredAntenna), .u8(cs.snrInitiator),
        .u8(cs.snrReflector),
      ], returns: handleStatus),
    Row(0x2094, "HCI_LE_CS_Procedure_Enable", csConfig + [.u8(cs.csEnable)]),
    Row(0x2095, "HCI_LE_CS_Test", test),
    Row(0x2096, "HCI_LE_CS_Test_End", []),
  ]
}
