/// Controller and Baseband commands: coexistence with mobile wireless standards (MWS).
/// Core Specification, Vol 4, Part E, 7.3.80 to 7.3.85.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let w = HCIParameters.shared.wireless

  static let mobileWireless: [Row] = [
    Row(
      0x0C6E, "HCI_Set_MWS_Channel_Parameters",
      [
        .u8(w.channelEnable), .u16(w.rxCenter), .u16(w.txCenter), .u16(w.rxBandwidth),
        .u16(w.txBandwidth), .u8(w.channelType),
      ]),
    Row(
      0x0C6F, "HCI_Set_External_Frame_Configuration",
      [
        .u16(w.frameDuration), .u16(w.syncOffset), .u16(w.syncJitter),
        .each(w.numPeriods, w.mwsPeriod, [.u16(w.periodDuration), .u8(w.periodType)]),
      ]),
    Row(
      0x0C70, "HCI_Set_MWS_Signaling",
      [
        signal(w.rxAssert), signal(w.rxDeassert), signal(w.txAssert), signal(w.txDeassert),
        signal(w.patternAssert), signal(w.inactivityAssert), signal(w.scanFrequencyAssert),
        .u16(w.priorityAssertRequest),
      ],
      returns: [
        .u8(p.status), signal(w.rxPriorityAssert), signal(w.rxPriorityDeassert),
        signal(w.wlanRXPriorityAssert), signal(w.wlanRXPriorityDeassert),
        signal(w.txOnAssert), signal(w.txOnDeassert), signal(w.wlanTXOnAssert),
        signal(w.wlanTXOnDeassert),
      ]),
    Row(
      0x0C71, "HCI_Set_MWS_Transport_Layer",
      [.u8(w.transportLayer), .u32(w.toBaudRate), .u32(w.fromBaudRate)]),
    Row(
      0x0C72, "HCI_Set_MWS_Scan_Frequency_Table",
      [.each(w.numScanFrequencies, w.scanFrequency, [.u16(w.scanLow), .u16(w.scanHigh)])]),
    Row(
      0x0C73, "HCI_Set_MWS_PATTERN_Configuration",
      [
        .u8(w.patternIndex),
        .each(w.numIntervals, w.patternInterval, [.u16(w.intervalDuration), .u8(w.intervalType)]),
      ]),
  ]

  /// When a signal is there: its offset and the jitter of it.
  private static func signal(_ field: Field) -> Parameter {
    .group(field, [.u16(w.mwsOffset), .u16(w.jitter)])
  }
}
