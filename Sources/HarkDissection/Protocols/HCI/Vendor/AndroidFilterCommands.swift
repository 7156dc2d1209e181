/// Advertising Packet Content Filter (APCF) of Android: source.android.com, HCI requirements.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let v = HCIParameters.shared.android

  private static let parameters: [Parameter] = [
    .choice(
      v.androidAction,
      [
        0: [
          .u8(v.androidFilterIndex), .u16(v.androidFeatures), .u16(v.androidListLogic),
          .u8(v.androidFilterLogic), .u8(v.androidRSSIHigh), .u8(v.androidDelivery), .optional,
          .u16(v.androidFoundTimeout), .u8(v.androidFoundCount), .u8(v.androidRSSILow),
          .u16(v.androidLostTimeout), .u16(v.androidTrackingEntries),
        ],
        1: [.u8(v.androidFilterIndex)], 2: [.optional, .u8(v.androidFilterIndex)],
      ], orElse: v.androidOther)
  ]
  private static let address: [Parameter] = [
    .u8(v.androidAction), .u8(v.androidFilterIndex), .optional,
    .bytes(6, v.androidBroadcaster), .u8(v.androidBroadcasterType),
  ]
  private static let adType: [Parameter] = [
    .u8(v.androidAction), .u8(v.androidFilterIndex), .optional, .u8(v.androidADType),
    .counted(v.androidADLength, v.androidADData), .rest(v.androidADMask),
  ]
  private static func filter(_ data: Field) -> [Parameter] {
    [.u8(v.androidAction), .u8(v.androidFilterIndex), .rest(data)]
  }
  private static let spaces: [Parameter] = [.u8(v.androidAction), .u8(v.androidSpaces)]

  static let androidFilters: [Row] = [
    Row(
      0xFD57, "LE_APCF",
      [
        .choice(
          v.androidAPCFOpcode,
          [
            0x00: [.u8(v.androidEnable)], 0x01: parameters, 0x02: address,
            0x03: filter(v.androidUUIDData), 0x04: filter(v.androidUUIDData),
            0x05: filter(v.androidLocalName), 0x06: filter(v.androidManufacturerData),
            0x07: filter(v.androidServiceData), 0x08: filter(v.androidDiscoveryData),
            0x09: adType, 0xFF: [],
          ], orElse: v.androidOther)
      ],
      returns: [
        .u8(p.status),
        .choice(
          v.androidAPCFOpcode,
          [
            0x00: [.u8(v.androidEnable)], 0x01: spaces, 0x02: spaces, 0x03: spaces, 0x04: spaces,
            0x05: spaces, 0x06: spaces, 0x07: spaces, 0x08: spaces, 0x09: spaces,
            0xFF: [.u16(v.androidExtendedFeatures)],
          ], orElse: v.androidOther),
      ])
  ]
}
