/// HCI extensions of Microsoft, which each manufacturer has under an opcode of its own choice, and
/// whose events have a prefix of its choice: learn.microsoft.com, Microsoft-defined Bluetooth HCI
/// extensions.
extension HCIParameters {
  struct Microsoft: Sendable {
    let msftOpcode = Field("Subcommand_opcode", .hex, names: subcommands, title: true)
    let msftFeatures = Field("Supported_features", .hex, flags: features)
    let msftPrefixLength = Field("Microsoft_event_prefix_length")
    let msftPrefix = Field("Microsoft_event_prefix", .bytes)
    let msftHigh = Field("RSSI_threshold_high", .signed, unit: "dBm")
    let msftLow = Field("RSSI_threshold_low", .signed, unit: "dBm")
    let msftLowInterval = Field("RSSI_threshold_low_time_interval", unit: "s")
    let msftSampling = Field("RSSI_sampling_period", unit: "100 ms")
    let msftCondition = Field("Condition_type", names: conditions, inLine: true)
    let msftNumPatterns = Field("Number_of_patterns")
    let msftPattern = Field("Pattern_data", .list)
    let msftPatternLength = Field("Length")
    let msftPatternData = Field("Pattern", .bytes)
    let msftUUIDType = Field("UUID_type", names: [1: "16 bits", 2: "32 bits", 3: "128 bits"])
    let msftUUID = Field("UUID", .uuid)
    let msftIRK = Field("IRK", .bytes, secret: true, role: .identityResolvingKey)
    let msftHandle = Field("Monitor_handle", inLine: true)
    let msftEnable = Field("Enable", names: HCICodes.switches, inLine: true)
    let msftOther = Field("Parameters of the subcommand", .bytes)
    let msftSecondOctet = Field("Second octet of the prefix", .hex)
    let msftEvent = Field(
      "Microsoft_event_code", .hex,
      names: [
        1: "MSFT_Rssi_Event", 2: "MSFT_LE_Monitor_Device_Event", 3: "Extended Telemetry of Intel",
      ],
      title: true)
    let msftState = Field(
      "Monitor_state", names: [0: "No longer monitored", 1: "Monitored"], inLine: true)

    private static let subcommands: [UInt64: StaticString] = [
      0: "HCI_VS_MSFT_Read_Supported_Features", 1: "HCI_VS_MSFT_Monitor_Rssi",
      2: "HCI_VS_MSFT_Cancel_Monitor_Rssi", 3: "HCI_VS_MSFT_LE_Monitor_Advertisement",
      4: "HCI_VS_MSFT_LE_Cancel_Monitor_Advertisement",
      5: "HCI_VS_MSFT_LE_Set_Advertisement_Filter_Enable", 6: "HCI_VS_MSFT_Read_Absolute_Rssi",
    ]
    private static let features: [UInt64: StaticString] = [
      0: "RSSI monitoring of BR/EDR connections", 1: "RSSI monitoring of LE connections",
      2: "RSSI monitoring of LE advertisements", 3: "Monitoring of LE advertisements",
      4: "Verification of P-192 and P-256 public keys",
      5: "Continuous monitoring of LE advertisements",
    ]
    private static let conditions: [UInt64: StaticString] = [
      1: "Pattern", 2: "UUID", 3: "IRK", 4: "Address",
    ]
  }
}

extension HCICommand {
  private static let p = HCIParameters.shared
  private static let m = HCIParameters.shared.microsoft
  private static let connection: [Parameter] = [.u12(p.handle)]
  private static let thresholds: [Parameter] = [
    .u8(m.msftHigh), .u8(m.msftLow), .u8(m.msftLowInterval), .u8(m.msftSampling),
  ]
  private static let condition: Parameter = .choice(
    m.msftCondition,
    [
      1: [
        .each(m.msftNumPatterns, m.msftPattern, [.counted(m.msftPatternLength, m.msftPatternData)])
      ],
      2: [.u8(m.msftUUIDType), .rest(m.msftUUID)], 3: [.bytes(16, m.msftIRK)],
      4: [.u8(p.advertising.addressType), .bytes(6, p.address)],
    ], orElse: m.msftOther)

  /// The command that holds all of Microsoft's.
  static func microsoft(_ opcode: UInt16) -> Row {
    Row(
      opcode, "Microsoft extension",
      [
        .choice(
          m.msftOpcode,
          [
            0: [], 1: connection + thresholds, 2: connection, 3: thresholds + [condition],
            4: [.u8(m.msftHandle)], 5: [.u8(m.msftEnable)], 6: connection,
          ], orElse: m.msftOther)
      ],
      returns: [
        .u8(p.status),
        .choice(
          m.msftOpcode,
          [
            0: [.u64(m.msftFeatures), .counted(m.msftPrefixLength, m.msftPrefix)], 1: [], 2: [],
            3: [.u8(m.msftHandle)], 4: [], 5: [], 6: connection + [.u8(p.rssi)],
          ], orElse: m.msftOther),
      ])
  }
}

extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let m = HCIParameters.shared.microsoft
  private static let i = HCIParameters.shared.intel

  /// Intel's prefix has two octets: 0x87, 0x80. It has an event of its own after it.
  static let microsoftOfIntel = Row(
    0x87, "Microsoft extension",
    [
      .u8(m.msftSecondOctet),
      .choice(
        m.msftEvent,
        [
          1: [.u8(p.status), .u12(p.handle), .u8(p.rssi)],
          3: [
            .untilEnd(
              i.intelTelemetry,
              [.u8(i.intelTelemetryType), .counted(i.intelTelemetryLength, i.intelTelemetryValue)])
          ],
          2: [
            .u8(p.advertising.addressType), .bytes(6, p.address), .u8(m.msftHandle),
            .u8(m.msftState),
          ],
        ], orElse: m.msftOther),
    ])
}
