/// Events that Android asks for: source.android.com, HCI requirements.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let v = HCIParameters.shared.android
  private static let q = HCIParameters.shared.quality

  private static let linkQuality: [Parameter] = [
    .u8(q.bqrPacketType), .u12(p.handle), .u8(p.role), .u8(q.bqrTXPower), .u8(q.bqrRSSI),
    .u8(q.bqrSNR), .u8(q.bqrUnusedChannels), .u8(q.bqrUnidealChannels), .u16(q.bqrTimeout),
    .u32(q.bqrClock), .u32(q.bqrRetransmissions), .u32(q.bqrNoRX), .u32(q.bqrNAK),
    .u32(q.bqrLastACK), .u32(q.bqrFlowOff), .u32(q.bqrLastFlowOn), .u32(q.bqrOverflow),
    .u32(q.bqrUnderflow), .optional, .bytes(6, p.address), .u8(q.bqrCalibration),
    .u32(q.bqrTXTotal), .u32(q.bqrTXUnacked), .u32(q.bqrTXFlushed), .u32(q.bqrTXLast),
    .u32(q.bqrCRCErrors), .u32(q.bqrDuplicates), .u32(q.bqrUnreceived), .rest(q.bqrVendor),
  ]
  private static let energy: [Parameter] = [
    .u16(q.bqrCurrent), .u32(q.bqrIdleTime), .u32(q.bqrIdleCount), .u32(q.bqrActiveTime),
    .u32(q.bqrActiveCount), .u32(q.bqrClassicTXTime), .u32(q.bqrClassicTXCount),
    .u8(q.bqrClassicTXPower), .u32(q.bqrClassicRXTime), .u32(q.bqrClassicRXCount),
    .u32(q.bqrLETXTime), .u32(q.bqrLETXCount), .u8(q.bqrLETXPower), .u32(q.bqrLERXTime),
    .u32(q.bqrLERXCount), .optional, .u32(q.bqrPeriod), .u32(q.bqrRXOneChain),
    .u32(q.bqrRXTwoChains), .u32(q.bqrInternalOneChain), .u32(q.bqrInternalTwoChains),
    .u32(q.bqrExternalOneChain), .u32(q.bqrExternalTwoChains), .u32(q.bqrClassicScanTime),
    .u32(q.bqrLEScanTime), .rest(q.bqrVendor),
  ]
  private static let radio: [Parameter] =
    [.u8(q.bqrExtension), .u32(q.bqrPeriod)]
    + [
      q.bqrInternalBF, q.bqrExternalBF, q.bqrInternalDiv, q.bqrExternalDiv, q.bqrAbove50,
      q.bqr50To55, q.bqr55To60, q.bqr60To65, q.bqr65To70, q.bqr70To75, q.bqr75To80, q.bqr80To85,
      q.bqr85To90, q.bqrBelow90, q.bqrDeltaUnder2, q.bqrDelta2To5, q.bqrDelta5To8,
      q.bqrDelta8To11, q.bqrDeltaOver11,
    ].map { Parameter.u32($0) } + [.rest(q.bqrVendor)]
  private static let trace: [Parameter] = [.u12(p.handle), .rest(q.bqrTrace)]

  static let android: [Row] = [
    Row(0x54, "Storage_Threshold_Breach", []),
    Row(
      0x55, "LE_Multi_Advt_State_Change",
      [.u8(v.androidInstance), .u8(v.androidReason), .u12(p.handle)]),
    Row(
      0x56, "LE_Advertisement_Tracking",
      [
        .u8(v.androidFilterIndex), .u8(v.androidState), .u8(v.androidInfoPresent),
        .bytes(6, p.address), .u8(p.advertising.addressType), .optional,
      ] + HCICommand.androidAdvertisement),
    Row(
      0x57, "Controller_Debug_Info",
      [
        .u16(v.androidBlockOffset), .u8(v.androidLastBlock), .u16(v.androidDebugLength),
        .rest(v.androidDebugData),
      ]),
    Row(
      0x58, "Bluetooth_Quality_Report",
      [
        .choice(
          q.bqrReport,
          [
            0x01: linkQuality, 0x02: linkQuality, 0x03: linkQuality, 0x04: linkQuality,
            0x06: energy, 0x07: linkQuality, 0x08: linkQuality, 0x09: radio, 0x0A: radio,
            0x05: [.u8(q.bqrError), .u8(q.bqrVendorError), .rest(q.bqrVendor)], 0x11: trace,
            0x12: trace, 0x13: trace,
          ], orElse: q.bqrVendor)
      ]),
  ]
}
