extension HCIParameters {
  /// Connectionless Peripheral Broadcast, triggered clocks, Slot Availability Masks. 7.1, 7.3, 7.7.
  struct Broadcast: Sendable {
    let cpbEnable = Field("Enable", names: HCICodes.switches, inLine: true)
    let lpoAllowed = Field("LPO_Allowed", names: HCICodes.truths)
    let cpbSupervisionTimeout = Field("CPB_supervisionTO", unit: "0.625 ms")
    let cpbInterval = Field("Interval", unit: "0.625 ms", inLine: true)
    let cpbClockOffset = Field("Clock_Offset", .hex)
    let nextClock = Field("Next_Connectionless_Peripheral_Broadcast_Clock")
    let timingAccuracy = Field("Remote_Timing_Accuracy", unit: "ppm")
    let cpbSkip = Field("Skip")
    let scanTimeout = Field("Synchronization_Scan_TO", unit: "0.625 ms")
    let cpbScanWindow = Field("Sync_Scan_Window", unit: "0.625 ms")
    let cpbScanInterval = Field("Sync_Scan_Interval", unit: "0.625 ms")
    let fragment = Field(
      "Fragment",
      names: [0: "Continuation", 1: "Starting", 2: "Ending", 3: "No fragmentation"])
    let cpbDataLength = Field("Data_Length")
    let cpbData = Field("Data", .bytes)
    let rxStatus = Field("RX_Status", names: [0: "Received", 1: "Not received"], inLine: true)
    let cpbOffset = Field("Offset")
    let nextInstant = Field("Next_Broadcast_Instant")
    let capturesToFilter = Field("Num_Clock_Captures_To_Filter")
    let slotOffset = Field("Slot_Offset", unit: "1 µs")
    let localIndex = Field("Local_SAM_Index")
    let localTX = Field("Local_SAM_TX_Availability", special: availability)
    let localRX = Field("Local_SAM_RX_Availability", special: availability)
    let remoteIndex = Field("Remote_SAM_Index")
    let remoteTX = Field("Remote_SAM_TX_Availability", special: availability)
    let remoteRX = Field("Remote_SAM_RX_Availability", special: availability)

    // 7.7.74
    private static let availability: [UInt64: StaticString] = [
      0xFE: "some slots, unknown how many", 0xFF: "all slots",
    ]
  }

  /// Coexistence with mobile wireless standards. 7.3.80 to 7.3.85, 7.5.11.
  struct MobileWireless: Sendable {
    let channelEnable = Field("MWS_Channel_Enable", names: HCICodes.switches)
    let rxCenter = Field("MWS_RX_Center_Frequency", unit: "1 MHz")
    let txCenter = Field("MWS_TX_Center_Frequency", unit: "1 MHz")
    let rxBandwidth = Field("MWS_RX_Channel_Bandwidth", unit: "1 kHz")
    let txBandwidth = Field("MWS_TX_Channel_Bandwidth", unit: "1 kHz")
    let channelType = Field("MWS_Channel_Type", .hex, names: [0: "TDD", 1: "FDD"])
    let frameDuration = Field("MWS_Frame_Duration", unit: "1 µs")
    let syncOffset = Field("MWS_Frame_Sync_Assert_Offset", .signed, unit: "1 µs")
    let syncJitter = Field("MWS_Frame_Sync_Assert_Jitter", unit: "1 µs")
    let numPeriods = Field("MWS_Num_Periods")
    let mwsPeriod = Field("Period", .list)
    let periodDuration = Field("Period_Duration", unit: "1 µs")
    let periodType = Field(
      "Period_Type",
      names: [0: "Downlink", 1: "Uplink", 2: "Bi-directional", 3: "Guard Period"])
    let mwsOffset = Field("Offset", .signed, unit: "1 µs")
    let jitter = Field("Jitter", unit: "1 µs")
    let rxAssert = Field("MWS_RX_Assert", .group)
    let rxDeassert = Field("MWS_RX_Deassert", .group)
    let txAssert = Field("MWS_TX_Assert", .group)
    let txDeassert = Field("MWS_TX_Deassert", .group)
    let patternAssert = Field("MWS_Pattern_Assert", .group)
    let inactivityAssert = Field("MWS_Inactivity_Duration_Assert", .group)
    let scanFrequencyAssert = Field("MWS_Scan_Frequency_Assert", .group)
    let priorityAssertRequest = Field("MWS_Priority_Assert_Offset_Request", unit: "1 µs")
    let rxPriorityAssert = Field("Bluetooth_RX_Priority_Assert", .group)
    let rxPriorityDeassert = Field("Bluetooth_RX_Priority_Deassert", .group)
    let wlanRXPriorityAssert = Field("802_RX_Priority_Assert", .group)
    let wlanRXPriorityDeassert = Field("802_RX_Priority_Deassert", .group)
    let txOnAssert = Field("Bluetooth_TX_On_Assert", .group)
    let txOnDeassert = Field("Bluetooth_TX_On_Deassert", .group)
    let wlanTXOnAssert = Field("802_TX_On_Assert", .group)
    let wlanTXOnDeassert = Field("802_TX_On_Deassert", .group)
    let transportLayer = Field(
      "Transport_Layer", .hex, names: [0: "Disabled", 1: "WCI-1", 2: "WCI-2"])
    let toBaudRate = Field("To_MWS_Baud_Rate", unit: "baud", structural: true)
    let fromBaudRate = Field("From_MWS_Baud_Rate", unit: "baud", structural: true)
    let numScanFrequencies = Field("Num_Scan_Frequencies")
    let scanFrequency = Field("Scan_Frequency", .list)
    let scanLow = Field("Scan_Frequency_Low", unit: "1 MHz")
    let scanHigh = Field("Scan_Frequency_High", unit: "1 MHz")
    let patternIndex = Field("MWS_PATTERN_Index")
    let numIntervals = Field("MWS_PATTERN_NumIntervals")
    let patternInterval = Field("MWS_PATTERN_Interval", .list)
    let intervalDuration = Field("MWS_PATTERN_IntervalDuration", unit: "1 µs")
    let intervalType = Field(
      "MWS_PATTERN_IntervalType",
      names: [
        0: "No transmission or reception", 1: "Transmission", 2: "Reception",
        3: "Transmission and reception", 4: "As the frame configuration says",
      ])
    let numTransports = Field("Num_Transports")
    let transport = Field("Transport", .list)
    let numBaudRates = Field("Num_Baud_Rates")
    let baudRates = Field("Baud_Rates", .bytes)
  }
}
