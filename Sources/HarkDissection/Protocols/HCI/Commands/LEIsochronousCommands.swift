/// LE Controller commands: isochronous streams and their data paths.
/// Core Specification, Vol 4, Part E, 7.8.96 to 7.8.116.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let s = HCIParameters.shared.isochronous
  private static let i = HCIParameters.shared.information
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let cigStart: [Parameter] = [
    .u8(s.cig), .u24(s.sduIntervalCToP), .u24(s.sduIntervalPToC),
  ]
  private static let cigReturns: [Parameter] = [
    .u8(p.status), .u8(s.cig), .each(s.cisCount, .handle(p.handle)),
  ]
  private static let testCounters: [Parameter] =
    handleStatus + [.u32(s.receivedSDUs), .u32(s.missedSDUs), .u32(s.failedSDUs)]

  static let leIsochronous: [Row] = streams + isochronousBroadcasts + isochronousData

  private static let streams: [Row] = [
    Row(
      0x2062, "HCI_LE_Set_CIG_Parameters",
      cigStart + [
        .u8(s.worstCaseSCA), .u8(s.packing), .u8(s.framing), .u16(s.maxLatencyCToP),
        .u16(s.maxLatencyPToC),
        .each(
          s.cisCount, s.cisParameters,
          [
            .u8(s.cis), .u16(s.maxSDUCToP), .u16(s.maxSDUPToC), .u8(s.physCToP),
            .u8(s.physPToC), .u8(s.rtnCToP), .u8(s.rtnPToC),
          ]),
      ], returns: cigReturns),
    Row(
      0x2063, "HCI_LE_Set_CIG_Parameters_Test",
      cigStart + [
        .u8(s.ftCToP), .u8(s.ftPToC), .u16(s.isoInterval), .u8(s.worstCaseSCA), .u8(s.packing),
        .u8(s.framing),
        .each(
          s.cisCount, s.cisParameters,
          [
            .u8(s.cis), .u8(s.nse), .u16(s.maxSDUCToP), .u16(s.maxSDUPToC),
            .u16(s.maxPDUCToP), .u16(s.maxPDUPToC), .u8(s.physCToP), .u8(s.physPToC),
            .u8(s.bnCToP), .u8(s.bnPToC),
          ]),
      ], returns: cigReturns),
    Row(
      0x2064, "HCI_LE_Create_CIS",
      [.each(s.cisCount, s.cisParameters, [.handle(s.cisHandle), .handle(s.aclHandle)])]),
    Row(0x2065, "HCI_LE_Remove_CIG", [.u8(s.cig)], returns: [.u8(p.status), .u8(s.cig)]),
    Row(0x2066, "HCI_LE_Accept_CIS_Request", [.handle(p.handle)]),
    Row(
      0x2067, "HCI_LE_Reject_CIS_Request", [.handle(p.handle), .u8(p.reason)],
      returns: handleStatus),
  ]

  private static let isochronousBroadcasts: [Row] = [
    Row(
      0x2068, "HCI_LE_Create_BIG",
      [
        .u8(s.big), .u8(p.advertising.advertisingHandle), .u8(s.numBIS), .u24(s.sduInterval),
        .u16(s.maxSDU), .u16(s.maxTransportLatency), .u8(s.rtn), .u8(s.phys), .u8(s.packing),
        .u8(s.framing), .u8(s.encryption), .bytes(16, s.broadcastCode),
      ]),
    Row(
      0x2069, "HCI_LE_Create_BIG_Test",
      [
        .u8(s.big), .u8(p.advertising.advertisingHandle), .u8(s.numBIS), .u24(s.sduInterval),
        .u16(s.isoInterval), .u8(s.nse), .u16(s.maxSDU), .u16(s.maxPDU), .u8(s.phys),
        .u8(s.packing), .u8(s.framing), .u8(s.bn), .u8(s.irc), .u8(s.pto), .u8(s.encryption),
        .bytes(16, s.broadcastCode),
      ]),
    Row(0x206A, "HCI_LE_Terminate_BIG", [.u8(s.big), .u8(p.reason)]),
    Row(
      0x206B, "HCI_LE_BIG_Create_Sync",
      [
        .u8(s.big), .u12(p.advertising.syncHandle), .u8(s.encryption),
        .bytes(16, s.broadcastCode), .u8(s.mse), .u16(s.bigSyncTimeout),
        .each(s.numBIS, .u8(s.bis)),
      ]),
    Row(
      0x206C, "HCI_LE_BIG_Terminate_Sync", [.u8(s.big)], returns: [.u8(p.status), .u8(s.big)]),
  ]

  private static let isochronousData: [Row] = [
    Row(
      0x2061, "HCI_LE_Read_ISO_TX_Sync", [.handle(p.handle)],
      returns: handleStatus + [
        .u16(s.packetSequenceNumber), .u32(s.txTimestamp), .u24(s.timeOffset),
      ]),
    Row(
      0x206E, "HCI_LE_Setup_ISO_Data_Path",
      [
        .handle(p.handle), .u8(p.baseband.dataPathDirection), .u8(p.baseband.dataPathID),
        .group(i.codec, [.u8(i.codingFormat), .u16(i.codecCompany), .u16(i.vendorCodecID)]),
        .u24(i.controllerDelay), .counted(i.codecConfigurationLength, i.codecConfiguration),
      ], returns: handleStatus),
    Row(
      0x206F, "HCI_LE_Remove_ISO_Data_Path", [.handle(p.handle), .u8(s.pathDirections)],
      returns: handleStatus),
    Row(
      0x2070, "HCI_LE_ISO_Transmit_Test", [.handle(p.handle), .u8(s.testPayload)],
      returns: handleStatus),
    Row(
      0x2071, "HCI_LE_ISO_Receive_Test", [.handle(p.handle), .u8(s.testPayload)],
      returns: handleStatus),
    Row(0x2072, "HCI_LE_ISO_Read_Test_Counters", [.handle(p.handle)], returns: testCounters),
    Row(0x2073, "HCI_LE_ISO_Test_End", [.handle(p.handle)], returns: testCounters),
    Row(
      0x2075, "HCI_LE_Read_ISO_Link_Quality", [.handle(p.handle)],
      returns: handleStatus + [
        .u32(s.txUnacked), .u32(s.txFlushed), .u32(s.txLast), .u32(s.retransmitted),
        .u32(s.crcErrors), .u32(s.rxUnreceived), .u32(s.duplicates),
      ]),
  ]
}
