/// One LL Control PDU: its opcode, its name, and its parameters in order.
struct LinkLayerControlRow: Sendable {
  let opcode: UInt8
  let name: StaticString
  let parameters: [LinkLayerParameter]

  init(_ opcode: UInt8, _ name: StaticString, _ parameters: [LinkLayerParameter] = []) {
    (self.opcode, self.name, self.parameters) = (opcode, name, parameters)
  }
}

/// The LL Control PDUs. Core Specification, Vol 6, Part B, 2.4.2.
enum LinkLayerControlRows {
  private typealias P = LinkLayerParameter
  private static let f = LinkLayerControlFields.shared
  private static let sync = LinkLayerControlFields.shared.sync

  static let all =
    connection + encryption + features + parameters + lengthsAndPHYs + directionAndSync
    + LinkLayerIsochronousRows.all + powerAndSubrating + LinkLayerSoundingRows.all

  private static let connection: [LinkLayerControlRow] = [
    LinkLayerControlRow(
      0x00, "LL_CONNECTION_UPDATE_IND",
      [
        .octets(1, f.winSize), .octets(2, f.winOffset), .octets(2, f.interval),
        .octets(2, f.latency), .octets(2, f.timeout), .octets(2, f.instant),
      ]),
    LinkLayerControlRow(
      0x01, "LL_CHANNEL_MAP_IND", [.octets(5, f.channelMap), .octets(2, f.instant)]),
    LinkLayerControlRow(0x02, "LL_TERMINATE_IND", [.octets(1, f.error)]),
    LinkLayerControlRow(0x07, "LL_UNKNOWN_RSP", [.octets(1, f.unknownType)]),
    LinkLayerControlRow(0x0D, "LL_REJECT_IND", [.octets(1, f.error)]),
    LinkLayerControlRow(
      0x11, "LL_REJECT_EXT_IND", [.octets(1, f.rejectOpcode), .octets(1, f.error)]),
    LinkLayerControlRow(0x12, "LL_PING_REQ"),
    LinkLayerControlRow(0x13, "LL_PING_RSP"),
  ]

  private static let encryption: [LinkLayerControlRow] = [
    LinkLayerControlRow(
      0x03, "LL_ENC_REQ",
      [
        .octets(8, f.rand), .octets(2, f.ediv), .octets(8, f.centralSKD), .octets(4, f.centralIV),
      ]),
    LinkLayerControlRow(
      0x04, "LL_ENC_RSP", [.octets(8, f.peripheralSKD), .octets(4, f.peripheralIV)]),
    LinkLayerControlRow(0x05, "LL_START_ENC_REQ"),
    LinkLayerControlRow(0x06, "LL_START_ENC_RSP"),
    LinkLayerControlRow(0x0A, "LL_PAUSE_ENC_REQ"),
    LinkLayerControlRow(0x0B, "LL_PAUSE_ENC_RSP"),
  ]

  private static let features: [LinkLayerControlRow] = [
    LinkLayerControlRow(0x08, "LL_FEATURE_REQ", [.octets(8, f.featureSet)]),
    LinkLayerControlRow(0x09, "LL_FEATURE_RSP", [.octets(8, f.featureSet)]),
    LinkLayerControlRow(
      0x0C, "LL_VERSION_IND",
      [.octets(1, f.version), .octets(2, f.company), .octets(2, f.subversion)]),
    LinkLayerControlRow(0x0E, "LL_PERIPHERAL_FEATURE_REQ", [.octets(8, f.featureSet)]),
    LinkLayerControlRow(0x2B, "LL_FEATURE_EXT_REQ", featurePage),
    LinkLayerControlRow(0x2C, "LL_FEATURE_EXT_RSP", featurePage),
  ]
  private static let featurePage: [P] = [
    .octets(1, f.maxPage), .octets(1, f.page), .octets(24, f.featurePage),
  ]

  private static let requested: [P] = [
    .octets(2, f.intervalMin), .octets(2, f.intervalMax), .octets(2, f.latency),
    .octets(2, f.timeout), .octets(1, f.periodicity), .octets(2, f.referenceCount),
    .octets(2, f.offset0), .octets(2, f.offset1), .octets(2, f.offset2), .octets(2, f.offset3),
    .octets(2, f.offset4), .octets(2, f.offset5),
  ]
  private static let parameters: [LinkLayerControlRow] = [
    LinkLayerControlRow(0x0F, "LL_CONNECTION_PARAM_REQ", requested),
    LinkLayerControlRow(0x10, "LL_CONNECTION_PARAM_RSP", requested),
  ]

  private static let lengths: [P] = [
    .octets(2, f.maxRxOctets), .octets(2, f.maxRxTime), .octets(2, f.maxTxOctets),
    .octets(2, f.maxTxTime),
  ]
  private static let phys: [P] = [.octets(1, f.txPHYs), .octets(1, f.rxPHYs)]
  private static let lengthsAndPHYs: [LinkLayerControlRow] = [
    LinkLayerControlRow(0x14, "LL_LENGTH_REQ", lengths),
    LinkLayerControlRow(0x15, "LL_LENGTH_RSP", lengths),
    LinkLayerControlRow(0x16, "LL_PHY_REQ", phys),
    LinkLayerControlRow(0x17, "LL_PHY_RSP", phys),
    LinkLayerControlRow(
      0x18, "LL_PHY_UPDATE_IND",
      [.octets(1, f.phyToPeripheral), .octets(1, f.phyToCentral), .octets(2, f.instant)]),
    LinkLayerControlRow(
      0x19, "LL_MIN_USED_CHANNELS_IND", [.octets(1, f.phys), .octets(1, f.minUsedChannels)]),
  ]

  private static let syncInfo: [P] =
    P.bits(of: 2, (sync.offset, 13), (sync.units, 1), (sync.adjust, 1), (sync.reserved, 1))
    + [.octets(2, sync.interval)]
    + P.bits(of: 5, (sync.channelMap, 37), (sync.accuracy, 3))
    + [.octets(4, sync.aa), .octets(3, sync.crcInit), .octets(2, sync.eventCounter)]
  private static let periodicSync: [P] =
    [.octets(2, f.id)] + syncInfo
    + [.octets(2, f.connEventCount), .octets(2, f.lastPAEventCounter)]
    + P.bits(of: 1, (f.sid, 4), (f.addressType, 1), (f.accuracy, 3))
    + [.octets(1, f.phy), .octets(6, f.advA), .octets(2, f.syncConnEventCount)]
  private static let directionAndSync: [LinkLayerControlRow] = [
    LinkLayerControlRow(
      0x1A, "LL_CTE_REQ", P.bits(of: 1, (f.minCTELength, 5), (f.reserved, 1), (f.cteType, 2))),
    LinkLayerControlRow(0x1B, "LL_CTE_RSP"),
    LinkLayerControlRow(0x1C, "LL_PERIODIC_SYNC_IND", periodicSync),
    LinkLayerControlRow(0x1D, "LL_CLOCK_ACCURACY_REQ", [.octets(1, f.accuracy)]),
    LinkLayerControlRow(0x1E, "LL_CLOCK_ACCURACY_RSP", [.octets(1, f.accuracy)]),
    LinkLayerControlRow(
      0x2A, "LL_PERIODIC_SYNC_WR_IND",
      periodicSync + [
        .octets(4, f.rspAA), .octets(1, f.numSubevents), .octets(1, f.subeventInterval),
        .octets(1, f.responseSlotDelay), .octets(1, f.responseSlotSpacing),
      ]),
  ]

  private static let limits = P.bits(of: 1, (f.minimum, 1), (f.maximum, 1), (f.reserved, 6))
  private static let powerAndSubrating: [LinkLayerControlRow] = [
    LinkLayerControlRow(
      0x23, "LL_POWER_CONTROL_REQ",
      [.octets(1, f.powerPHY), .octets(1, f.delta), .octets(1, f.txPower)]),
    LinkLayerControlRow(
      0x24, "LL_POWER_CONTROL_RSP",
      limits + [.octets(1, f.delta), .octets(1, f.txPower), .octets(1, f.reduction)]),
    LinkLayerControlRow(
      0x25, "LL_POWER_CHANGE_IND",
      [.octets(1, f.powerPHY)] + limits + [.octets(1, f.delta), .octets(1, f.txPower)]),
    LinkLayerControlRow(
      0x26, "LL_SUBRATE_REQ",
      [
        .octets(2, f.subrateMin), .octets(2, f.subrateMax), .octets(2, f.maxLatency),
        .octets(2, f.continuation), .octets(2, f.timeout),
      ]),
    LinkLayerControlRow(
      0x27, "LL_SUBRATE_IND",
      [
        .octets(2, f.subrate), .octets(2, f.subrateBase), .octets(2, f.latency),
        .octets(2, f.continuation), .octets(2, f.timeout),
      ]),
    LinkLayerControlRow(
      0x28, "LL_CHANNEL_REPORTING_IND",
      [.octets(1, f.enable), .octets(1, f.minSpacing), .octets(1, f.maxDelay)]),
    LinkLayerControlRow(0x29, "LL_CHANNEL_STATUS_IND", [.octets(10, f.classification)]),
    LinkLayerControlRow(
      0x3B, "LL_FRAME_SPACE_REQ",
      [
        .octets(2, f.spacingMin), .octets(2, f.spacingMax), .octets(1, f.phys),
        .octets(2, f.spacingTypes),
      ]),
    LinkLayerControlRow(
      0x3C, "LL_FRAME_SPACE_RSP",
      [.octets(2, f.spacing), .octets(1, f.phys), .octets(2, f.spacingTypes)]),
  ]
}

/// The PDUs that make and end a Connected Isochronous Stream. 2.4.2.29 to 2.4.2.32.
enum LinkLayerIsochronousRows {
  private typealias P = LinkLayerParameter
  private static let f = LinkLayerControlFields.shared
  private static let i = LinkLayerControlFields.shared.isochronous

  static let all: [LinkLayerControlRow] = [
    LinkLayerControlRow(0x1F, "LL_CIS_REQ", request),
    LinkLayerControlRow(
      0x20, "LL_CIS_RSP",
      [.octets(3, i.cisOffsetMin), .octets(3, i.cisOffsetMax), .octets(2, f.connEventCount)]),
    LinkLayerControlRow(
      0x21, "LL_CIS_IND",
      [
        .octets(4, i.aa), .octets(3, i.cisOffset), .octets(3, i.cigSyncDelay),
        .octets(3, i.cisSyncDelay), .octets(2, f.connEventCount),
      ]),
    LinkLayerControlRow(
      0x22, "LL_CIS_TERMINATE_IND",
      [.octets(1, i.cigID), .octets(1, i.cisID), .octets(1, f.error)]),
  ]

  private static let request: [P] =
    [
      .octets(1, i.cigID), .octets(1, i.cisID), .octets(1, f.phyToPeripheral),
      .octets(1, f.phyToCentral),
    ]
    + P.bits(
      of: 2, (i.maxSDUToPeripheral, 12), (f.reserved, 2), (i.framingMode, 1), (i.framed, 1))
    + P.bits(of: 2, (i.maxSDUToCentral, 12), (f.reserved, 4))
    + P.bits(of: 3, (i.sduIntervalToPeripheral, 20), (f.reserved, 4))
    + P.bits(of: 3, (i.sduIntervalToCentral, 20), (f.reserved, 4))
    + [
      .octets(2, i.maxPDUToPeripheral), .octets(2, i.maxPDUToCentral), .octets(1, i.nse),
      .octets(3, i.subInterval),
    ]
    + P.bits(of: 1, (i.bnToPeripheral, 4), (i.bnToCentral, 4))
    + [
      .octets(1, i.ftToPeripheral), .octets(1, i.ftToCentral), .octets(2, i.isoInterval),
      .octets(3, i.cisOffsetMin), .octets(3, i.cisOffsetMax), .octets(2, f.connEventCount),
    ]
}
