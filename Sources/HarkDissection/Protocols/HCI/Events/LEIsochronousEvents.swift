/// Subevents of the LE Meta event: isochronous streams.
/// Core Specification, Vol 4, Part E, 7.7.65.25 to 7.7.65.34.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let s = HCIParameters.shared.isochronous
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let stream: [Parameter] =
    handleStatus + [
      .u24(s.cigSyncDelay), .u24(s.cisSyncDelay), .u24(s.transportLatencyCToP),
      .u24(s.transportLatencyPToC), .u8(s.phyCToP), .u8(s.phyPToC), .u8(s.nse),
      .u8(s.bnCToP), .u8(s.bnPToC), .u8(s.ftCToP), .u8(s.ftPToC), .u16(s.maxPDUCToP),
      .u16(s.maxPDUPToC), .u16(s.isoInterval),
    ]
  private static let broadcast: [Parameter] = [
    .u8(s.nse), .u8(s.bn), .u8(s.pto), .u8(s.irc), .u16(s.maxPDU), .u16(s.isoInterval),
    .each(s.numBIS, .handle(p.handle)),
  ]

  static let leIsochronousEvents: [Row] = [
    Row(0x19, "HCI_LE_CIS_Established", stream),
    Row(
      0x2A, "HCI_LE_CIS_Established [v2]",
      stream + [
        .u24(s.subInterval), .u16(s.maxSDUCToP), .u16(s.maxSDUPToC), .u24(s.sduIntervalCToP),
        .u24(s.sduIntervalPToC), .u8(s.framing),
      ]),
    Row(
      0x1A, "HCI_LE_CIS_Request",
      // The ACL_Connection_Handle is the first.
      [.handle(p.handle), .u12(s.cisHandle), .u8(s.cig), .u8(s.cis)]),
    Row(
      0x1B, "HCI_LE_Create_BIG_Complete",
      [.u8(p.status), .u8(s.big), .u24(s.bigSyncDelay), .u24(s.bigTransportLatency), .u8(s.phy)]
        + broadcast),
    Row(0x1C, "HCI_LE_Terminate_BIG_Complete", [.u8(s.big), .u8(p.reason)]),
    Row(
      0x1D, "HCI_LE_BIG_Sync_Established",
      [.u8(p.status), .u8(s.big), .u24(s.bigTransportLatency)] + broadcast),
    Row(0x1E, "HCI_LE_BIG_Sync_Lost", [.u8(s.big), .u8(p.reason)]),
    Row(
      0x22, "HCI_LE_BIGInfo_Advertising_Report",
      [
        .u12(p.advertising.syncHandle), .u8(s.numBIS), .u8(s.nse), .u16(s.isoInterval),
        .u8(s.bn), .u8(s.pto), .u8(s.irc), .u16(s.maxPDU), .u24(s.sduInterval), .u16(s.maxSDU),
        .u8(s.phy), .u8(s.framing), .u8(s.encryption),
      ]),
  ]
}
