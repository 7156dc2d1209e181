/// The PDUs of Channel Sounding. Core Specification, Vol 6, Part B, 2.4.2.42 to 2.4.2.53. Their
/// lengths (20, 25, 27, 1, 28, 21, 18, 4, 0, 72 and 12 octets) and the order of their fields are those
/// that the Link Layers of Apache NimBLE and of Zephyr write, too.
enum LinkLayerSoundingRows {
  private typealias P = LinkLayerParameter
  private static let f = LinkLayerControlFields.shared
  private static let s = LinkLayerControlFields.shared.sounding

  static let all: [LinkLayerControlRow] = [
    LinkLayerControlRow(
      0x2D, "LL_CS_SEC_RSP",
      [.octets(8, s.csPeripheralIV), .octets(4, s.csPeripheralIN), .octets(8, s.csPeripheralPV)]),
    LinkLayerControlRow(0x2E, "LL_CS_CAPABILITIES_REQ", capabilities),
    LinkLayerControlRow(0x2F, "LL_CS_CAPABILITIES_RSP", capabilities),
    LinkLayerControlRow(0x30, "LL_CS_CONFIG_REQ", configuration),
    LinkLayerControlRow(0x31, "LL_CS_CONFIG_RSP", identifier),
    LinkLayerControlRow(0x32, "LL_CS_REQ", request),
    LinkLayerControlRow(0x33, "LL_CS_RSP", response),
    LinkLayerControlRow(0x34, "LL_CS_IND", indication),
    LinkLayerControlRow(0x35, "LL_CS_TERMINATE_REQ", termination),
    LinkLayerControlRow(0x36, "LL_CS_FAE_REQ"),
    LinkLayerControlRow(0x37, "LL_CS_FAE_RSP", [.octets(72, s.faeTable)]),
    LinkLayerControlRow(
      0x38, "LL_CS_CHANNEL_MAP_IND", [.octets(10, s.channelMap), .octets(2, f.instant)]),
    LinkLayerControlRow(
      0x39, "LL_CS_SEC_REQ",
      [.octets(8, s.csCentralIV), .octets(4, s.csCentralIN), .octets(8, s.csCentralPV)]),
    LinkLayerControlRow(0x3A, "LL_CS_TERMINATE_RSP", termination),
  ]

  private static let identifier = P.bits(of: 1, (s.configID, 6), (f.reserved, 2))

  private static let capabilities: [P] =
    [
      .octets(1, s.modeTypes), .octets(1, s.rttCapability), .octets(1, s.rttAAOnly),
      .octets(1, s.rttSounding), .octets(1, s.rttRandom), .octets(2, s.nadmSounding),
      .octets(2, s.nadmRandom), .octets(1, s.syncPHYCapability),
    ]
    + P.bits(of: 1, (s.numAntennas, 4), (s.maxAntennaPaths, 4))
    + P.bits(
      of: 1, (s.role, 2), (f.reserved, 1), (s.noFAE, 1), (s.selection3c, 1),
      (s.soundingEstimate, 1), (f.reserved, 2))
    + [
      .octets(1, s.numConfigs), .octets(2, s.maxProcedures), .octets(1, s.tSW),
      .octets(2, s.tIP1Capability), .octets(2, s.tIP2Capability), .octets(2, s.tFCSCapability),
      .octets(2, s.tPMCapability),
    ]
    + P.bits(of: 1, (f.reserved, 1), (s.txSNRCapability, 7))

  private static let configuration: [P] =
    P.bits(of: 1, (s.configID, 6), (s.action, 2))
    + [
      .octets(10, s.channelMap), .octets(1, s.channelMapRepetition), .octets(1, s.mainMode),
      .octets(1, s.subMode), .octets(1, s.mainModeMinSteps), .octets(1, s.mainModeMaxSteps),
      .octets(1, s.mainModeRepetition), .octets(1, s.mode0Steps), .octets(1, s.syncPHY),
    ]
    + P.bits(of: 1, (s.rttType, 4), (s.role, 2), (f.reserved, 2))
    + P.bits(of: 1, (s.chSel, 4), (s.ch3cShape, 4))
    + [
      .octets(1, s.ch3cJump), .octets(1, s.tIP1), .octets(1, s.tIP2), .octets(1, s.tFCS),
      .octets(1, s.tPM), .octets(1, f.reserved),
    ]

  private static let subevents: [P] = [
    .octets(2, s.eventInterval), .octets(1, s.subeventsPerEvent), .octets(2, s.csSubeventInterval),
    .octets(3, s.subeventLength),
  ]
  private static let offsets: [P] = [
    .octets(2, f.connEventCount), .octets(3, s.offsetMin), .octets(3, s.offsetMax),
  ]
  private static let power: [P] = [.octets(1, f.phy), .octets(1, s.powerDelta)]

  private static let request =
    identifier + offsets + [.octets(2, s.maxProcedureLength)] + subevents
    + [
      .octets(2, s.procedureInterval), .octets(2, s.procedureCount), .octets(1, s.aci),
      .octets(1, s.preferredPeerAntenna),
    ] + power + P.bits(of: 1, (s.txSNRInitiator, 4), (s.txSNRReflector, 4))
  private static let response =
    identifier + offsets + subevents + [.octets(1, s.aci)] + power + [.octets(1, f.reserved)]
  private static let indication =
    identifier + [.octets(2, f.connEventCount), .octets(3, s.csOffset)] + subevents
    + [.octets(1, s.aci)] + power + [.octets(1, f.reserved)]
  private static let termination =
    identifier + [.octets(2, s.procCount), .octets(1, f.error)]
}
