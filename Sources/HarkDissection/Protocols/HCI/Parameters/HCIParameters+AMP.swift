extension HCIParameters {
  /// What editions up to 5.2 have and 6.0 has no more: Alternate MAC/PHYs, page scan modes, encryption
  /// modes. Core Specification 5.2, Vol 4, Part E, 7.1.37 to 7.1.44, 7.3.80 to 7.3.88, 7.5.8 to
  /// 7.5.10, 7.7.39 to 7.7.53; 1.1 and 4.0 for what is older.
  struct AMP: Sendable {
    let physicalLink = Field("Physical_Link_Handle", .hex, inLine: true)
    let dedicatedKeyLength = Field("Dedicated_AMP_Key_Length")
    let dedicatedKeyType = Field("Dedicated_AMP_Key_Type", .hex)
    let dedicatedKey = Field("Dedicated_AMP_Key", .bytes, secret: true, personal: .key)
    let txFlowSpec = Field("TX_Flow_Spec", .bytes)
    let rxFlowSpec = Field("RX_Flow_Spec", .bytes)
    let logicalLink = Field("Logical_Link_Handle", .hex, inLine: true)
    let txFlowSpecID = Field("TX_Flow_Spec_ID", .hex)
    let logicalTimeout = Field("Logical_Link_Accept_Timeout", unit: "0.625 ms")
    let domainAware = Field("Location_Domain_Aware", names: HCICodes.truths)
    let domain = Field("Location_Domain", .hex)
    let domainOptions = Field("Location_Domain_Options", .hex)
    let locationOptions = Field("Location_Options", .hex)
    let bestEffortTimeout = Field(
      "Best_Effort_Flush_Timeout", unit: "1 µs", special: [0xFFFF_FFFF: "no flush"],
      structural: true)
    let shortRangeMode = Field("Short_Range_Mode", names: HCICodes.switches, inLine: true)
    let ampStatus = Field("AMP_Status", .hex, inLine: true)
    let totalBandwidth = Field("Total_Bandwidth", unit: "kb/s", structural: true)
    let guaranteedBandwidth = Field("Max_Guaranteed_Bandwidth", unit: "kb/s", structural: true)
    let minLatency = Field("Min_Latency", unit: "1 µs", structural: true)
    let maxPDUSize = Field("Max_PDU_Size", unit: "octets", structural: true)
    let ampControllerType = Field(
      "Controller_Type", .hex, names: [0: "Primary", 1: "802.11 AMP"], inLine: true)
    let palCapabilities = Field("PAL_Capabilities", .hex)
    let maxAssocLength = Field("Max_AMP_ASSOC_Length")
    let maxFlushTimeout = Field(
      "Max_Flush_Timeout", unit: "1 µs", special: [0xFFFF_FFFF: "no flush"], structural: true)
    let lengthSoFar = Field("Length_So_Far")
    let assocLength = Field("AMP_ASSOC_Length")
    let assocRemaining = Field("AMP_ASSOC_Remaining_Length")
    let assoc = Field("AMP_ASSOC_Fragment", .bytes, personal: .opaque)
    let receiverReports = Field("Enable", names: HCICodes.switches, inLine: true)
    let reportInterval = Field("Interval", unit: "s")
    let ampTestParameters = Field("Test_Parameters", .bytes)
    let scenario = Field("Test_Scenario", .hex)
    let lossReason = Field(
      "Link_Loss_Reason",
      names: [
        0: "Unknown", 1: "Range related", 2: "Bandwidth related", 3: "Resolving conflict",
        4: "Interference",
      ], inLine: true)
    let reportReason = Field("Reason", .hex)
    let reportEventType = Field(
      "Event_Type", .hex, names: [0: "Frames received", 1: "Frames received with errors"])
    let frames = Field("Number_Of_Frames")
    let errorFrames = Field("Number_Of_Error_Frames")
    let bits = Field("Number_Of_Bits")
    let errorBits = Field("Number_Of_Error_Bits")
    let encryptionMode = Field(
      "Encryption_Mode",
      names: [0: "Disabled", 1: "Point-to-point only", 2: "Point-to-point and broadcast"],
      inLine: true)
    let pageScanPeriodMode = Field(
      "Page_Scan_Period_Mode", names: [0: "P0", 1: "P1", 2: "P2"], inLine: true)
    let pageScanMode = Field(
      "Page_Scan_Mode",
      names: [0: "Mandatory", 1: "Optional I", 2: "Optional II", 3: "Optional III"], inLine: true)
    let countryCode = Field("Country_Code", .hex, inLine: true)
  }
}
