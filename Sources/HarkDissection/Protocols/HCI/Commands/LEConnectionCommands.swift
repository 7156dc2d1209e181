/// LE Controller commands: connections, their PHYs, lengths and timing.
/// Core Specification, Vol 4, Part E, 7.8.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let connection: [Parameter] = [
    .u16(le.intervalMin), .u16(le.intervalMax), .u16(le.maxPeripheralLatency),
    .u16(le.supervisionTimeout), .special(.requestedTiming), .u16(le.minCELength),
    .u16(le.maxCELength),
  ]
  private static let initiation: [Parameter] = [
    .u8(le.initiatorFilterPolicy), .u8(a.ownAddressType), .u8(le.peerAddressType),
    .address(le.peerAddress),
    .perBit(
      le.initiatingPHYs, le.initiatingPHY,
      [.u16(a.scanInterval), .u16(a.scanWindow)] + connection),
  ]
  private static let subrate: [Parameter] = [
    .u16(le.subrateMin), .u16(le.subrateMax), .u16(le.maxPeripheralLatency),
    .u16(le.continuationNumber), .u16(le.supervisionTimeout),
  ]

  private static let rate: [Parameter] = [
    .u16(le.rateIntervalMin), .u16(le.rateIntervalMax), .u16(le.subrateMin),
    .u16(le.subrateMax), .u16(le.latency), .u16(le.continuationNumber),
    .u16(le.supervisionTimeout), .u16(le.rateMinCELength), .u16(le.rateMaxCELength),
  ]

  static let leConnections: [Row] = creation + parameters + lengthsAndPHYs + rates

  // Core Specification 6.1 and later.
  private static let rates: [Row] = [
    Row(0x209F, "HCI_LE_Enable_UTP_OTA_Mode"),
    Row(0x20A0, "HCI_LE_UTP_Send"),
    Row(0x20A1, "HCI_LE_Connection_Rate_Request", [.handle(p.handle)] + rate),
    Row(0x20A2, "HCI_LE_Set_Default_Rate_Parameters", rate),
    Row(
      0x20A3, "HCI_LE_Read_Minimum_Supported_Connection_Interval", [],
      returns: [
        .u8(p.status), .u8(le.minSupportedInterval),
        .each(
          le.numGroups, le.intervalGroup,
          [.u16(le.groupMin), .u16(le.groupMax), .u16(le.groupStride)]),
      ]),
  ]

  private static let creation: [Row] = [
    Row(
      0x200D, "HCI_LE_Create_Connection",
      [
        .u16(a.scanInterval), .u16(a.scanWindow), .u8(le.initiatorFilterPolicy),
        .u8(le.peerAddressType), .address(le.peerAddress), .u8(a.ownAddressType),
      ] + connection),
    Row(0x200E, "HCI_LE_Create_Connection_Cancel", []),
    Row(0x2043, "HCI_LE_Extended_Create_Connection", initiation),
    Row(
      0x2085, "HCI_LE_Extended_Create_Connection [v2]",
      [.u8(a.advertisingHandle), .u8(a.subeventNumber)] + initiation),
  ]

  private static let parameters: [Row] = [
    Row(0x2013, "HCI_LE_Connection_Update", [.handle(p.handle)] + connection),
    Row(0x2014, "HCI_LE_Set_Host_Channel_Classification", [.bytes(5, le.channelMap)]),
    Row(
      0x2015, "HCI_LE_Read_Channel_Map", [.handle(p.handle)],
      returns: handleStatus + [.bytes(5, le.channelMap)]),
    Row(0x2016, "HCI_LE_Read_Remote_Features_Page_0", [.handle(p.handle)]),
    Row(
      0x2020, "HCI_LE_Remote_Connection_Parameter_Request_Reply",
      [.handle(p.handle)] + connection, returns: handleStatus),
    Row(
      0x2021, "HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply",
      [.handle(p.handle), .u8(p.reason)], returns: handleStatus),
    Row(0x205F, "HCI_LE_Modify_Sleep_Clock_Accuracy", [.u8(le.clockAction)]),
    Row(0x206D, "HCI_LE_Request_Peer_SCA", [.handle(p.handle)]),
    Row(0x207D, "HCI_LE_Set_Default_Subrate", subrate),
    Row(0x207E, "HCI_LE_Subrate_Request", [.handle(p.handle)] + subrate),
    Row(
      0x209D, "HCI_LE_Frame_Space_Update",
      [
        .handle(p.handle), .u16(le.frameSpaceMin), .u16(le.frameSpaceMax), .u8(le.framePHYs),
        .u16(le.spacingTypes),
      ]),
  ]

  private static let lengthsAndPHYs: [Row] = [
    Row(
      0x2022, "HCI_LE_Set_Data_Length", [.handle(p.handle), .u16(le.txOctets), .u16(le.txTime)],
      returns: handleStatus),
    Row(
      0x2023, "HCI_LE_Read_Suggested_Default_Data_Length", [],
      returns: [.u8(p.status), .u16(le.suggestedTxOctets), .u16(le.suggestedTxTime)]),
    Row(
      0x2024, "HCI_LE_Write_Suggested_Default_Data_Length",
      [.u16(le.suggestedTxOctets), .u16(le.suggestedTxTime)]),
    Row(
      0x202F, "HCI_LE_Read_Maximum_Data_Length", [],
      returns: [
        .u8(p.status), .u16(le.supportedTxOctets), .u16(le.supportedTxTime),
        .u16(le.supportedRxOctets), .u16(le.supportedRxTime),
      ]),
    Row(
      0x2030, "HCI_LE_Read_PHY", [.handle(p.handle)],
      returns: handleStatus + [.u8(le.txPHY), .u8(le.rxPHY)]),
    Row(0x2031, "HCI_LE_Set_Default_PHY", [.u8(le.allPHYs), .u8(le.txPHYs), .u8(le.rxPHYs)]),
    Row(
      0x2032, "HCI_LE_Set_PHY",
      [
        .handle(p.handle), .u8(le.allPHYs), .u8(le.txPHYs), .u8(le.rxPHYs), .u16(le.phyOptions),
      ]),
  ]
}
