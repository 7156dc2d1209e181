/// The LMP PDUs and their parameters. Core Specification, Vol 2, Part C, 5.1, table 5.1.
enum LMPRows {
  private typealias P = LinkLayerParameter
  private static let f = LMPFields.shared

  static let plain = basics + security + modes + rates + tests + pairing

  private static let basics: [LMPRow] = [
    LMPRow(1, "LMP_NAME_REQ", [.octets(1, f.nameOffset)]),
    LMPRow(
      2, "LMP_NAME_RES",
      [.octets(1, f.nameOffset), .octets(1, f.nameLength), .octets(14, f.nameFragment)]),
    LMPRow(3, "LMP_ACCEPTED", [.octets(1, f.acceptedOpcode)]),
    LMPRow(4, "LMP_NOT_ACCEPTED", [.octets(1, f.acceptedOpcode), .octets(1, f.error)]),
    LMPRow(5, "LMP_CLKOFFSET_REQ"),
    LMPRow(6, "LMP_CLKOFFSET_RES", [.octets(2, f.clockOffset)]),
    LMPRow(7, "LMP_DETACH", [.octets(1, f.error)]),
    LMPRow(37, "LMP_VERSION_REQ", version),
    LMPRow(38, "LMP_VERSION_RES", version),
    LMPRow(39, "LMP_FEATURES_REQ", [.octets(8, f.features)]),
    LMPRow(40, "LMP_FEATURES_RES", [.octets(8, f.features)]),
    LMPRow(49, "LMP_SETUP_COMPLETE"),
    LMPRow(51, "LMP_HOST_CONNECTION_REQ"),
    LMPRow(52, "LMP_SLOT_OFFSET", [.octets(2, f.slotOffset), .octets(6, f.address)]),
    LMPRow(
      60, "LMP_SET_AFH",
      [.octets(4, f.instant), .octets(1, f.afhMode), .octets(10, f.channelMap)]),
  ]
  private static let version: [P] = [
    .octets(1, f.version), .octets(2, f.company), .octets(2, f.subversion),
  ]

  private static let security: [LMPRow] = [
    LMPRow(8, "LMP_IN_RAND", [.octets(16, f.random)]),
    LMPRow(9, "LMP_COMB_KEY", [.octets(16, f.key)]),
    LMPRow(10, "LMP_UNIT_KEY", [.octets(16, f.key)]),
    LMPRow(11, "LMP_AU_RAND", [.octets(16, f.random)]),
    LMPRow(12, "LMP_SRES", [.octets(4, f.response)]),
    LMPRow(13, "LMP_TEMP_RAND", [.octets(16, f.random)]),
    LMPRow(14, "LMP_TEMP_KEY", [.octets(16, f.key)]),
    LMPRow(15, "LMP_ENCRYPTION_MODE_REQ", [.octets(1, f.encryptionMode)]),
    LMPRow(16, "LMP_ENCRYPTION_KEY_SIZE_REQ", [.octets(1, f.keySize)]),
    LMPRow(17, "LMP_START_ENCRYPTION_REQ", [.octets(16, f.random)]),
    LMPRow(18, "LMP_STOP_ENCRYPTION_REQ"),
    LMPRow(50, "LMP_USE_SEMI_PERMANENT_KEY"),
    LMPRow(58, "LMP_ENCRYPTION_KEY_SIZE_MASK_REQ"),
    LMPRow(59, "LMP_ENCRYPTION_KEY_SIZE_MASK_RES", [.octets(2, f.keySizeMask)]),
    LMPRow(66, "LMP_PAUSE_ENCRYPTION_AES_REQ", [.octets(16, f.random)]),
  ]

  private static let modes: [LMPRow] = [
    LMPRow(19, "LMP_SWITCH_REQ", [.octets(4, f.instant)]),
    LMPRow(20, "LMP_HOLD", [.octets(2, f.holdTime), .octets(4, f.instant)]),
    LMPRow(21, "LMP_HOLD_REQ", [.octets(2, f.holdTime), .octets(4, f.instant)]),
    LMPRow(
      23, "LMP_SNIFF_REQ",
      [
        .octets(1, f.timingControl), .octets(2, f.dSniff), .octets(2, f.tSniff),
        .octets(2, f.sniffAttempt), .octets(2, f.sniffTimeout),
      ]),
    LMPRow(24, "LMP_UNSNIFF_REQ"),
    LMPRow(
      43, "LMP_SCO_LINK_REQ",
      [
        .octets(1, f.scoHandle), .octets(1, f.timingControl), .octets(1, f.dSCO),
        .octets(1, f.tSCO), .octets(1, f.scoPacket), .octets(1, f.airMode),
      ]),
    LMPRow(44, "LMP_REMOVE_SCO_LINK_REQ", [.octets(1, f.scoHandle), .octets(1, f.error)]),
    LMPRow(
      53, "LMP_PAGE_MODE_REQ", [.octets(1, f.pagingScheme), .octets(1, f.pagingSchemeSettings)]),
    LMPRow(
      54, "LMP_PAGE_SCAN_MODE_REQ",
      [.octets(1, f.pagingScheme), .octets(1, f.pagingSchemeSettings)]),
    LMPRow(55, "LMP_SUPERVISION_TIMEOUT", [.octets(2, f.supervisionTimeout)]),
  ]

  private static let rates: [LMPRow] = [
    LMPRow(31, "LMP_INCR_POWER_REQ", [.octets(1, f.futureUse)]),
    LMPRow(32, "LMP_DECR_POWER_REQ", [.octets(1, f.futureUse)]),
    LMPRow(33, "LMP_MAX_POWER"),
    LMPRow(34, "LMP_MIN_POWER"),
    LMPRow(35, "LMP_AUTO_RATE"),
    LMPRow(36, "LMP_PREFERRED_RATE", [.octets(1, f.dataRate)]),
    LMPRow(
      41, "LMP_QUALITY_OF_SERVICE",
      [.octets(2, f.pollInterval), .octets(1, f.broadcastRepetitions)]),
    LMPRow(
      42, "LMP_QUALITY_OF_SERVICE_REQ",
      [.octets(2, f.pollInterval), .octets(1, f.broadcastRepetitions)]),
    LMPRow(45, "LMP_MAX_SLOT", [.octets(1, f.maxSlots)]),
    LMPRow(46, "LMP_MAX_SLOT_REQ", [.octets(1, f.maxSlots)]),
    LMPRow(47, "LMP_TIMING_ACCURACY_REQ"),
    LMPRow(48, "LMP_TIMING_ACCURACY_RES", [.octets(1, f.drift), .octets(1, f.jitter)]),
  ]

  private static let tests: [LMPRow] = [
    LMPRow(56, "LMP_TEST_ACTIVATE"),
    LMPRow(
      57, "LMP_TEST_CONTROL",
      [
        .octets(1, f.testScenario), .octets(1, f.hoppingMode), .octets(1, f.txFrequency),
        .octets(1, f.rxFrequency), .octets(1, f.powerControlMode), .octets(1, f.pollPeriod),
        .octets(1, f.testPacketType), .octets(2, f.testDataLength),
      ]),
  ]

  private static let pairing: [LMPRow] = [
    LMPRow(
      61, "LMP_ENCAPSULATED_HEADER",
      [
        .octets(1, f.encapsulatedMajor), .octets(1, f.encapsulatedMinor),
        .octets(1, f.encapsulatedLength),
      ]),
    LMPRow(62, "LMP_ENCAPSULATED_PAYLOAD", [.octets(16, f.encapsulatedData)]),
    LMPRow(63, "LMP_SIMPLE_PAIRING_CONFIRM", [.octets(16, f.commitment)]),
    LMPRow(64, "LMP_SIMPLE_PAIRING_NUMBER", [.octets(16, f.nonce)]),
    LMPRow(65, "LMP_DHKEY_CHECK", [.octets(16, f.confirmation)]),
  ]

  /// Those after the escape opcode.
  static let extended: [LMPRow] = [
    LMPRow(
      1, "LMP_ACCEPTED_EXT", [.octets(1, f.escapeOpcode), .octets(1, f.acceptedExtendedOpcode)]),
    LMPRow(
      2, "LMP_NOT_ACCEPTED_EXT",
      [.octets(1, f.escapeOpcode), .octets(1, f.acceptedExtendedOpcode), .octets(1, f.error)]),
    LMPRow(3, "LMP_FEATURES_REQ_EXT", featuresPage),
    LMPRow(4, "LMP_FEATURES_RES_EXT", featuresPage),
    LMPRow(
      5, "LMP_CLK_ADJ",
      [
        .octets(1, f.adjustmentID), .octets(4, f.instant), .octets(2, f.adjustmentMicroseconds),
        .octets(1, f.adjustmentSlots), .octets(1, f.adjustmentMode), .octets(4, f.adjustmentClock),
      ]),
    LMPRow(6, "LMP_CLK_ADJ_ACK", [.octets(1, f.adjustmentID)]),
    LMPRow(
      7, "LMP_CLK_ADJ_REQ",
      [
        .octets(2, f.adjustmentMicroseconds), .octets(1, f.adjustmentSlots),
        .octets(1, f.adjustmentPeriod),
      ]),
    LMPRow(11, "LMP_PACKET_TYPE_TABLE_REQ", [.octets(1, f.packetTypeTable)]),
    LMPRow(
      12, "LMP_ESCO_LINK_REQ",
      [
        .octets(1, f.eSCOHandle), .octets(1, f.eSCOAddress), .octets(1, f.timingControl),
        .octets(1, f.dESCO), .octets(1, f.tESCO), .octets(1, f.wESCO),
        .octets(1, f.packetTypeToPeripheral), .octets(1, f.packetTypeToCentral),
        .octets(2, f.packetLengthToPeripheral), .octets(2, f.packetLengthToCentral),
        .octets(1, f.airMode), .octets(1, f.negotiationState),
      ]),
    LMPRow(13, "LMP_REMOVE_ESCO_LINK_REQ", [.octets(1, f.eSCOHandle), .octets(1, f.error)]),
    LMPRow(
      16, "LMP_CHANNEL_CLASSIFICATION_REQ",
      [.octets(1, f.reportingMode), .octets(2, f.minInterval), .octets(2, f.maxInterval)]),
    LMPRow(17, "LMP_CHANNEL_CLASSIFICATION", [.octets(10, f.channelClassification)]),
    LMPRow(21, "LMP_SNIFF_SUBRATING_REQ", subrating),
    LMPRow(22, "LMP_SNIFF_SUBRATING_RES", subrating),
    LMPRow(23, "LMP_PAUSE_ENCRYPTION_REQ"),
    LMPRow(24, "LMP_RESUME_ENCRYPTION_REQ"),
    LMPRow(25, "LMP_IO_CAPABILITY_REQ", capability),
    LMPRow(26, "LMP_IO_CAPABILITY_RES", capability),
    LMPRow(27, "LMP_NUMERIC_COMPARISON_FAILED"),
    LMPRow(28, "LMP_PASSKEY_FAILED"),
    LMPRow(29, "LMP_OOB_FAILED"),
    LMPRow(30, "LMP_KEYPRESS_NOTIFICATION", [.octets(1, f.keypressType)]),
    LMPRow(31, "LMP_POWER_CONTROL_REQ", [.octets(1, f.powerAdjustment)]),
    LMPRow(
      32, "LMP_POWER_CONTROL_RES",
      P.bits(
        of: 1, (f.powerResponseGFSK, 2), (f.powerResponseDQPSK, 2), (f.powerResponse8DPSK, 2),
        (f.futureUse, 2))),
    LMPRow(33, "LMP_PING_REQ"),
    LMPRow(34, "LMP_PING_RES"),
    LMPRow(35, "LMP_SAM_SET_TYPE0", [.octets(1, f.updateMode), .octets(14, f.type0Submap)]),
    LMPRow(
      36, "LMP_SAM_DEFINE_MAP",
      [
        .octets(1, f.samIndex), .octets(1, f.submapLength), .octets(1, f.submapCount),
        .octets(12, f.submaps),
      ]),
    LMPRow(
      37, "LMP_SAM_SWITCH",
      [
        .octets(1, f.samIndex), .octets(1, f.timingControl), .octets(1, f.samOffset),
        .octets(4, f.instant),
      ]),
  ]
  private static let featuresPage: [P] = [
    .octets(1, f.featuresPage), .octets(1, f.maxSupportedPage), .octets(8, f.extendedFeatures),
  ]
  private static let subrating: [P] = [
    .octets(1, f.maxSniffSubrate), .octets(2, f.minSniffModeTimeout), .octets(4, f.instant),
  ]
  private static let capability: [P] = [
    .octets(1, f.ioCapability), .octets(1, f.oobData), .octets(1, f.authenticationRequirements),
  ]
}
