/// Subevents of the LE Meta event: connections, security, power, direction finding.
/// Core Specification, Vol 4, Part E, 7.7.65.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let le = HCIParameters.shared.le
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let timing: [Parameter] = [
    .u16(le.interval), .u16(le.latency), .u16(le.supervisionTimeout), .special(.timing),
  ]
  private static let peer: [Parameter] = [
    .u8(p.role), .u8(le.peerAddressType), .address(le.peerAddress),
  ]
  private static let enhanced: [Parameter] =
    handleStatus + peer + [
      .address(le.localResolvablePrivateAddress), .address(le.peerResolvablePrivateAddress),
    ] + timing + [.u8(le.centralClockAccuracy)]
  private static let samples: Parameter = .each(
    le.sampleCount, le.sample, [.u8(le.iSample), .u8(le.qSample)])

  static let leEvents: [Row] = leConnectionEvents + leLinkEvents

  private static let leConnectionEvents: [Row] = [
    Row(
      0x01, "HCI_LE_Connection_Complete",
      handleStatus + peer + timing + [.u8(le.centralClockAccuracy)]),
    Row(0x03, "HCI_LE_Connection_Update_Complete", handleStatus + timing),
    Row(
      0x04, "HCI_LE_Read_Remote_Features_Page_0_Complete",
      handleStatus + [.u64(p.information.leFeatures)]),
    Row(
      0x05, "HCI_LE_Long_Term_Key_Request",
      [.handle(p.handle), .bytes(8, pairing.randomNumber), .u16(pairing.encryptedDiversifier)]),
    Row(
      0x06, "HCI_LE_Remote_Connection_Parameter_Request",
      [
        .handle(p.handle), .u16(le.intervalMin), .u16(le.intervalMax), .u16(le.latency),
        .u16(le.supervisionTimeout), .special(.requestedTiming),
      ]),
    Row(
      0x07, "HCI_LE_Data_Length_Change",
      [
        .handle(p.handle), .u16(le.maxTxOctets), .u16(le.maxTxTime), .u16(le.maxRxOctets),
        .u16(le.maxRxTime),
      ]),
    Row(
      0x08, "HCI_LE_Read_Local_P-256_Public_Key_Complete",
      [.u8(p.status), .bytes(32, pairing.publicKeyX), .bytes(32, pairing.publicKeyY)]),
    Row(0x09, "HCI_LE_Generate_DHKey_Complete", [.u8(p.status), .bytes(32, pairing.dhKey)]),
    Row(0x0A, "HCI_LE_Enhanced_Connection_Complete", enhanced),
    Row(
      0x29, "HCI_LE_Enhanced_Connection_Complete [v2]",
      enhanced + [.u8(a.advertisingHandle), .u12(a.syncHandle)]),
    Row(
      0x0C, "HCI_LE_PHY_Update_Complete", handleStatus + [.u8(le.txPHY), .u8(le.rxPHY)]),
    Row(
      0x14, "HCI_LE_Channel_Selection_Algorithm",
      [.handle(p.handle), .u8(le.channelSelection)]),
    Row(
      0x23, "HCI_LE_Subrate_Change",
      handleStatus + [
        .u16(le.subrateFactor), .u16(le.latency), .u16(le.continuationNumber),
        .u16(le.supervisionTimeout),
      ]),
    // Core Specification 6.1 and later.
    Row(0x36, "HCI_LE_UTP_Receive"),
    Row(
      0x37, "HCI_LE_Connection_Rate_Change",
      handleStatus + [
        .u16(le.rateInterval), .u16(le.subrateFactor), .u16(le.latency),
        .u16(le.continuationNumber), .u16(le.supervisionTimeout),
      ]),
    Row(
      0x2B, "HCI_LE_Read_All_Remote_Features_Complete",
      handleStatus + [
        .u8(p.information.maxRemotePage), .u8(p.information.maxValidPage),
        .group(p.information.allLEFeatures, HCIFeatures.allPages),
      ]),
    Row(
      0x35, "HCI_LE_Frame_Space_Update_Complete",
      handleStatus + [
        .u8(le.frameSpaceInitiator), .u16(le.frameSpace), .u8(le.framePHYs),
        .u16(le.spacingTypes),
      ]),
  ]

  private static let leLinkEvents: [Row] = [
    Row(
      0x15, "HCI_LE_Connectionless_IQ_Report",
      [
        .u12(a.syncHandle), .u8(le.channelIndex), .u16(le.iqRSSI), .u8(le.rssiAntenna),
        .u8(a.cteType), .u8(le.slotDurations), .u8(le.packetStatus),
        .u16(a.periodicEventCounter), samples,
      ]),
    Row(
      0x16, "HCI_LE_Connection_IQ_Report",
      [
        .handle(p.handle), .u8(le.rxPHY), .u8(le.dataChannelIndex), .u16(le.iqRSSI),
        .u8(le.rssiAntenna), .u8(a.cteType), .u8(le.slotDurations), .u8(le.packetStatus),
        .u16(le.connectionEventCounter), samples,
      ]),
    Row(0x17, "HCI_LE_CTE_Request_Failed", handleStatus),
    Row(
      0x1F, "HCI_LE_Request_Peer_SCA_Complete", handleStatus + [.u8(le.peerClockAccuracy)]),
    Row(
      0x20, "HCI_LE_Path_Loss_Threshold",
      [.handle(p.handle), .u8(le.pathLoss), .u8(le.pathLossZone)]),
    Row(
      0x21, "HCI_LE_Transmit_Power_Reporting",
      handleStatus + [
        .u8(le.powerReason), .u8(le.powerPHY), .u8(le.reportedTxPowerLevel), .u8(le.txPowerFlag),
        .u8(le.powerDelta),
      ]),
  ]
}
