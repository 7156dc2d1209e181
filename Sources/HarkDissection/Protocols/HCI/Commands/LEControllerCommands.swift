/// LE Controller commands: the Controller itself, its buffers, features, power and tests.
/// Core Specification, Vol 4, Part E, 7.8.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.information
  private static let le = HCIParameters.shared.le
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let leController: [Row] = leInformation + lePower + leTests

  private static let leInformation: [Row] = [
    Row(0x2001, "HCI_LE_Set_Event_Mask", [.u64(le.leEventMask)]),
    Row(
      0x2002, "HCI_LE_Read_Buffer_Size", [],
      returns: [
        .u8(p.status), .u16(i.leACLDataPacketLength), .u8(i.totalNumLEACLDataPackets),
      ]),
    Row(
      0x2003, "HCI_LE_Read_Local_Supported_Features_Page_0", [],
      returns: [.u8(p.status), .u64(i.leFeatures)]),
    Row(0x201C, "HCI_LE_Read_Supported_States", [], returns: [.u8(p.status), .u64(i.leStates)]),
    Row(
      0x2060, "HCI_LE_Read_Buffer_Size [v2]", [],
      returns: [
        .u8(p.status), .u16(i.leACLDataPacketLength), .u8(i.totalNumLEACLDataPackets),
        .u16(i.isoDataPacketLength), .u8(i.totalNumISODataPackets),
      ]),
    Row(0x2074, "HCI_LE_Set_Host_Feature", [.u8(le.bitNumber), .u8(le.bitValue)]),
    Row(0x2097, "HCI_LE_Set_Host_Feature [v2]", [.u16(le.bitNumber), .u8(le.bitValue)]),
    Row(
      0x2087, "HCI_LE_Read_All_Local_Supported_Features", [],
      returns: [.u8(p.status), .u8(i.maxPage), .group(i.allLEFeatures, HCIFeatures.allPages)]),
    Row(
      0x2088, "HCI_LE_Read_All_Remote_Features", [.handle(p.handle), .u8(i.pagesRequested)]),
  ]

  private static let lePower: [Row] = [
    Row(
      0x204B, "HCI_LE_Read_Transmit_Power", [],
      returns: [.u8(p.status), .u8(le.minTxPower), .u8(le.maxTxPower)]),
    Row(
      0x204C, "HCI_LE_Read_RF_Path_Compensation", [],
      returns: [.u8(p.status), .u16(le.txPathCompensation), .u16(le.rxPathCompensation)]),
    Row(
      0x204D, "HCI_LE_Write_RF_Path_Compensation",
      [.u16(le.txPathCompensation), .u16(le.rxPathCompensation)]),
    Row(
      0x2076, "HCI_LE_Enhanced_Read_Transmit_Power_Level",
      [.handle(p.handle), .u8(le.powerPHY)],
      returns: [
        .u8(p.status), .handle(p.handle), .u8(le.powerPHY), .u8(le.currentTxPower),
        .u8(le.maxTxPowerLevel),
      ]),
    Row(
      0x2077, "HCI_LE_Read_Remote_Transmit_Power_Level", [.handle(p.handle), .u8(le.powerPHY)]),
    Row(
      0x2078, "HCI_LE_Set_Path_Loss_Reporting_Parameters",
      [
        .handle(p.handle), .u8(le.highThreshold), .u8(le.highHysteresis), .u8(le.lowThreshold),
        .u8(le.lowHysteresis), .u16(le.minTimeSpent),
      ], returns: handleStatus),
    Row(
      0x2079, "HCI_LE_Set_Path_Loss_Reporting_Enable",
      [.handle(p.handle), .u8(p.advertising.enable)], returns: handleStatus),
    Row(
      0x207A, "HCI_LE_Set_Transmit_Power_Reporting_Enable",
      [.handle(p.handle), .u8(le.localEnable), .u8(le.remoteEnable)], returns: handleStatus),
  ]

  private static let leTests: [Row] = [
    Row(0x201D, "HCI_LE_Receiver_Test", [.u8(le.rxChannel)]),
    Row(
      0x201E, "HCI_LE_Transmitter_Test",
      [.u8(le.txChannel), .u8(le.testDataLength), .u8(le.packetPayload)]),
    Row(0x201F, "HCI_LE_Test_End", [], returns: [.u8(p.status), .u16(le.numPackets)]),
    Row(
      0x2033, "HCI_LE_Receiver_Test [v2]",
      [.u8(le.rxChannel), .u8(le.testPHY), .u8(le.modulationIndex)]),
    Row(
      0x2034, "HCI_LE_Transmitter_Test [v2]",
      [.u8(le.txChannel), .u8(le.testDataLength), .u8(le.packetPayload), .u8(le.testPHY)]),
    Row(
      0x204F, "HCI_LE_Receiver_Test [v3]",
      [
        .u8(le.rxChannel), .u8(le.testPHY), .u8(le.modulationIndex), .u8(le.expectedCTELength),
        .u8(le.expectedCTEType), .u8(le.slotDurations),
        .counted(le.patternLength, le.antennaIDs),
      ]),
    Row(
      0x2050, "HCI_LE_Transmitter_Test [v3]",
      [
        .u8(le.txChannel), .u8(le.testDataLength), .u8(le.packetPayload), .u8(le.testPHY),
        .u8(le.cteLength), .u8(p.advertising.cteType),
        .counted(le.patternLength, le.antennaIDs),
      ]),
    Row(
      0x207B, "HCI_LE_Transmitter_Test [v4]",
      [
        .u8(le.txChannel), .u8(le.testDataLength), .u8(le.packetPayload), .u8(le.testPHY),
        .u8(le.cteLength), .u8(p.advertising.cteType),
        .counted(le.patternLength, le.antennaIDs), .u8(le.testTxPowerLevel),
      ]),
  ]
}
