/// Commands of the Linux Bluetooth management interface from 0x30 on, and what they return (mgmt-api).
extension ManagementCommands {
  private static let m = MonitorRecord.shared.management
  private static let device: [Parameter] = [.bytes(6, m.mgmtAddress), .u8(m.mgmtAddressType)]

  /// Parameters of the system or of the runtime, as many as there are. Events give them, too.
  static let configuration: [Parameter] = [
    .untilEnd(
      m.mgmtConfigurations,
      [
        .u16(m.mgmtParameterType), .counted(m.mgmtValueLength, m.mgmtParameterValue),
      ])
  ]

  static let laterCommands: [Row] = [
    Row(
      0x30, "Load Identity Resolving Keys",
      [.eachOf16(m.mgmtKeyCount, m.mgmtKey, device + [.bytes(16, m.mgmtValue)])], returns: []),
    Row(
      0x31, "Get Connection Information", device,
      returns: device + [.u8(m.mgmtRSSI), .u8(m.mgmtTXPower), .u8(m.mgmtMaxTXPower)]),
    Row(
      0x32, "Get Clock Information", device,
      returns: device + [.u32(m.mgmtLocalClock), .u32(m.mgmtPiconetClock), .u16(m.mgmtAccuracy)]),
    Row(0x33, "Add Device", device + [.u8(m.mgmtAction)], returns: device),
    Row(0x34, "Remove Device", device, returns: device),
    Row(
      0x35, "Load Connection Parameters",
      [
        .eachOf16(
          m.mgmtParamCount, m.mgmtParam,
          device + [
            .u16(m.mgmtMinInterval), .u16(m.mgmtMaxInterval), .u16(m.mgmtLatency),
            .u16(m.mgmtSupervision),
          ])
      ], returns: []),
    Row(
      0x36, "Read Unconfigured Controller Index List", [],
      returns: [.eachOf16(m.mgmtNumControllers, m.mgmtController, [.u16(m.mgmtIndex)])]),
    Row(
      0x37, "Read Controller Configuration Information", [],
      returns: [.u16(m.mgmtManufacturer), .u32(m.mgmtSupportedOptions), .u32(m.mgmtMissingOptions)]),
    Row(
      0x38, "Set External Configuration", [.u8(m.mgmtConfiguration)],
      returns: [.u32(m.mgmtMissingOptions)]),
    Row(
      0x39, "Set Public Address", [.bytes(6, m.mgmtAddress)], returns: [.u32(m.mgmtMissingOptions)]),
    Row(
      0x3A, "Start Service Discovery",
      [
        .u8(m.mgmtAddressTypes), .u8(m.mgmtThreshold),
        .eachOf16(m.mgmtUUIDCount, m.mgmtUUIDs, [.bytes(16, m.mgmtUUID)]),
      ], returns: [.u8(m.mgmtAddressTypes)]),
    Row(
      0x3B, "Read Local Out Of Band Extended Data", [.u8(m.mgmtAddressTypes)],
      returns: [.u8(m.mgmtAddressTypes), .u16(m.mgmtDataLength), .rest(m.mgmtOutOfBand)]),
    Row(
      0x3C, "Read Extended Controller Index List", [],
      returns: [
        .eachOf16(
          m.mgmtNumControllers, m.mgmtController,
          [.u16(m.mgmtIndex), .u8(m.mgmtType), .u8(m.mgmtBus)])
      ]),
    Row(
      0x3D, "Read Advertising Features", [],
      returns: [
        .u32(m.mgmtSupportedFlags), .u8(m.mgmtMaxData), .u8(m.mgmtMaxScan), .u8(m.mgmtMaxInstances),
        .each(m.mgmtNumInstances, .u8(m.mgmtInstance)),
      ]),
    Row(
      0x3E, "Add Advertising",
      [
        .u8(m.mgmtInstance), .u32(m.mgmtFlags), .u16(m.mgmtDuration), .u16(m.mgmtTimeout),
        .special(.advertisingAndScanResponse),
      ], returns: [.u8(m.mgmtInstance)]),
    Row(0x3F, "Remove Advertising", [.u8(m.mgmtInstance)], returns: [.u8(m.mgmtInstance)]),
    Row(
      0x40, "Get Advertising Size Information", [.u8(m.mgmtInstance), .u32(m.mgmtFlags)],
      returns: [.u8(m.mgmtInstance), .u32(m.mgmtFlags), .u8(m.mgmtMaxData), .u8(m.mgmtMaxScan)]),
    Row(
      0x41, "Start Limited Discovery", [.u8(m.mgmtAddressTypes)], returns: [.u8(m.mgmtAddressTypes)]
    ),
    Row(
      0x42, "Read Extended Controller Information", [],
      returns: [
        .bytes(6, m.mgmtAddress), .u8(m.mgmtBluetoothVersion), .u16(m.mgmtManufacturer),
        .u32(m.mgmtSupported), .u32(m.mgmtCurrent),
        .longAdvertisingData(m.mgmtDataLength, m.mgmtData),
      ]),
    Row(0x43, "Set Appearance", [.u16(m.mgmtAppearance)], returns: []),
    Row(
      0x44, "Get PHY Configuration", [],
      returns: [.u32(m.mgmtSupportedPHYs), .u32(m.mgmtConfigurablePHYs), .u32(m.mgmtSelectedPHYs)]),
    Row(0x45, "Set PHY Configuration", [.u32(m.mgmtSelectedPHYs)], returns: []),
    Row(
      0x46, "Load Blocked Keys",
      [.eachOf16(m.mgmtKeyCount, m.mgmtKey, [.u8(m.mgmtBlockedType), .bytes(16, m.mgmtValue)])],
      returns: []),
    Row(0x47, "Set Wideband Speech", [.u8(m.mgmtWideband)], returns: [.u32(m.mgmtCurrent)]),
    Row(
      0x48, "Read Controller Capabilities", [],
      returns: [.special(.capabilities)]),
    Row(
      0x49, "Read Experimental Features Information", [],
      returns: [
        .eachOf16(
          m.mgmtFeatureCount, m.mgmtFeature, [.bytes(16, m.mgmtUUID), .u32(m.mgmtFeatureFlags)])
      ]),
    Row(
      0x4A, "Set Experimental Feature", [.bytes(16, m.mgmtUUID), .u8(m.mgmtFeatureAction)],
      returns: [.bytes(16, m.mgmtUUID), .u32(m.mgmtFeatureFlags)]),
    Row(0x4B, "Read Default System Configuration", [], returns: configuration),
    Row(0x4C, "Set Default System Configuration", configuration, returns: []),
    Row(0x4D, "Read Default Runtime Configuration", [], returns: configuration),
    Row(0x4E, "Set Default Runtime Configuration", configuration, returns: []),
    Row(
      0x4F, "Get Device Flags", device,
      returns: device + [.u32(m.mgmtSupportedDevice), .u32(m.mgmtCurrentDevice)]),
    Row(0x50, "Set Device Flags", device + [.u32(m.mgmtCurrentDevice)], returns: device),
    Row(
      0x51, "Read Advertisement Monitor Features", [],
      returns: [
        .u32(m.mgmtSupportedFeatures), .u32(m.mgmtEnabledFeatures), .u16(m.mgmtMaxHandles),
        .u8(m.mgmtMaxPatterns), .eachOf16(m.mgmtNumHandles, m.mgmtHandles, [.u16(m.mgmtMonitor)]),
      ]),
    Row(
      0x52, "Add Advertisement Patterns Monitor",
      [
        .each(
          m.mgmtPatterns, m.mgmtPattern,
          [.u8(m.mgmtADType), .u8(m.mgmtOffset), .u8(m.mgmtLength), .bytes(31, m.mgmtPatternValue)])
      ], returns: [.u16(m.mgmtMonitor)]),
    Row(
      0x53, "Remove Advertisement Monitor", [.u16(m.mgmtMonitor)], returns: [.u16(m.mgmtMonitor)]),
    Row(
      0x54, "Add Extended Advertising Parameters",
      [
        .u8(m.mgmtInstance), .u32(m.mgmtFlags), .u16(m.mgmtDuration), .u16(m.mgmtTimeout),
        .u32(m.mgmtAdvertisingMin), .u32(m.mgmtAdvertisingMax), .u8(m.mgmtTXPower),
      ], returns: [.u8(m.mgmtInstance), .u8(m.mgmtTXPower), .u8(m.mgmtMaxData), .u8(m.mgmtMaxScan)]),
    Row(
      0x55, "Add Extended Advertising Data",
      [
        .u8(m.mgmtInstance), .special(.advertisingAndScanResponse),
      ], returns: [.u8(m.mgmtInstance)]),
    Row(
      0x56, "Add Advertisement Patterns Monitor With RSSI Threshold",
      [
        .u8(m.mgmtHigh), .u16(m.mgmtHighTimer), .u8(m.mgmtLow), .u16(m.mgmtLowTimer),
        .u8(m.mgmtSampling),
        .each(
          m.mgmtPatterns, m.mgmtPattern,
          [.u8(m.mgmtADType), .u8(m.mgmtOffset), .u8(m.mgmtLength), .bytes(31, m.mgmtPatternValue)]),
      ], returns: [.u16(m.mgmtMonitor)]),
    Row(
      0x57, "Set Mesh Receiver",
      [
        .u8(m.mgmtMeshEnable), .u16(m.mgmtWindow), .u16(m.mgmtPeriod),
        .each(m.mgmtNumTypes, .u8(m.mgmtADType)),
      ], returns: []),
    Row(
      0x58, "Read Mesh Features", [],
      returns: [
        .u16(m.mgmtIndex), .u8(m.mgmtMeshMax), .each(m.mgmtMeshUsed, .u8(m.mgmtMeshHandle)),
      ]),
    Row(
      0x59, "Mesh Send",
      device + [
        .u64(m.mgmtInstant), .u16(m.mgmtDelay), .u8(m.mgmtCount),
        .counted(m.mgmtMeshLength, m.mgmtMeshData),
      ], returns: [.u8(m.mgmtMeshHandle)]),
    Row(0x5A, "Mesh Send Cancel", [.u8(m.mgmtMeshHandle)], returns: []),
    Row(
      0x5B, "Send HCI command and wait for event",
      [
        .u16(m.mgmtHCIOpcode), .u8(m.mgmtHCIEvent), .u8(m.mgmtHCITimeout),
        .u16(m.mgmtHCILength), .rest(m.mgmtHCIParameters),
      ], returns: [.rest(m.mgmtHCIResponse)]),
    Row(
      0x5C, "Load Connection Subrate",
      [
        .eachOf16(
          m.mgmtParamCount, m.mgmtParam,
          device + [
            .u16(m.mgmtMinRate), .u16(m.mgmtMaxRate), .u16(m.mgmtSubrateMin),
            .u16(m.mgmtSubrateMax), .u16(m.mgmtMaxLatency), .u16(m.mgmtContinuation),
            .u16(m.mgmtSupervision),
          ])
      ], returns: []),
  ]
}
