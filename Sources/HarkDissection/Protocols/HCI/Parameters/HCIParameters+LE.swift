extension HCIParameters {
  /// Advertising, scanning and periodic advertising. 7.8.
  struct Advertising: Sendable {
    let addressType = Field("Address_Type", .hex, names: HCICodes.addressTypes, role: .addressType)
    // 7.8.5
    let ownAddressType = Field(
      "Own_Address_Type", .hex,
      names: [
        0: "Public Device Address", 1: "Random Device Address",
        2: "Resolvable Private Address or else public",
        3: "Resolvable Private Address or else random",
      ], role: .addressType)
    let randomAddress = Field("Random_Address", .address, inLine: true, role: .randomAddress)
    let advertisingIntervalMin = Field("Advertising_Interval_Min", unit: "0.625 ms", inLine: true)
    let advertisingIntervalMax = Field("Advertising_Interval_Max", unit: "0.625 ms", inLine: true)
    let primaryIntervalMin = Field(
      "Primary_Advertising_Interval_Min", unit: "0.625 ms", inLine: true)
    let primaryIntervalMax = Field(
      "Primary_Advertising_Interval_Max", unit: "0.625 ms", inLine: true)
    let advertisingType = Field(
      "Advertising_Type",
      names: [
        0: "ADV_IND", 1: "ADV_DIRECT_IND (high duty cycle)", 2: "ADV_SCAN_IND",
        3: "ADV_NONCONN_IND", 4: "ADV_DIRECT_IND (low duty cycle)",
      ], inLine: true)
    let advertisingChannelMap = Field(
      "Advertising_Channel_Map", .hex, flags: [0: "37", 1: "38", 2: "39"])
    let filterPolicy = Field(
      "Advertising_Filter_Policy",
      names: [
        0: "Scan and connection requests from all devices",
        1: "Connection requests from all devices, scan requests from the Filter Accept List",
        2: "Scan requests from all devices, connection requests from the Filter Accept List",
        3: "Scan and connection requests from the Filter Accept List",
      ])
    let advertisingEnable = Field("Advertising_Enable", names: HCICodes.switches, inLine: true)
    let enable = Field("Enable", names: HCICodes.switches, inLine: true)
    let advertisingHandle = Field("Advertising_Handle", .hex, inLine: true)
    // 7.8.53
    let properties = Field(
      "Advertising_Event_Properties", .hex,
      flags: [
        0: "Connectable", 1: "Scannable", 2: "Directed", 3: "High duty cycle directed connectable",
        4: "Legacy", 5: "Anonymous", 6: "Include TxPower", 7: "Decision PDUs",
        8: "Include AdvA", 9: "Include ADI",
      ])
    let txPower = Field("TX_Power", .signed, unit: "dBm", special: [0x7F: "not available"])
    let advertisingTXPower = Field(
      "Advertising_TX_Power", .signed, unit: "dBm", special: [0x7F: "no preference"])
    let selectedTXPower = Field("Selected_TX_Power", .signed, unit: "dBm", inLine: true)
    let primaryPHY = Field("Primary_Advertising_PHY", names: HCICodes.advertisingPHYs)
    let secondaryPHY = Field("Secondary_Advertising_PHY", names: HCICodes.advertisingPHYs)
    let primaryPHYOptions = Field("Primary_Advertising_PHY_Options", names: HCICodes.phyOptions)
    let secondaryPHYOptions = Field(
      "Secondary_Advertising_PHY_Options", names: HCICodes.phyOptions)
    let maxSkip = Field("Secondary_Advertising_Max_Skip")
    let sid = Field("Advertising_SID", .hex, special: [0xFF: "no ADI field"])
    let scanRequestNotification = Field(
      "Scan_Request_Notification_Enable", names: HCICodes.switches)
    // 7.8.54
    let operation = Field(
      "Operation",
      names: [
        0: "Intermediate fragment", 1: "First fragment", 2: "Last fragment", 3: "Complete data",
        4: "Unchanged data",
      ])
    let fragmentPreference = Field(
      "Fragment_Preference",
      names: [
        0: "Controller may fragment", 1: "Controller should not fragment",
      ])
    let dataLength = Field("Data_Length")
    let data = Field("Data", .bytes)
    let dataFragment = Field("Fragment of advertising data", .bytes, inLine: true, role: .fragment)
    let secret = Secret()

    /// Where secrets pass in advertising.
    struct Secret: Sendable {
      let dataFragment = Field(
        "Fragment of advertising data", .bytes, inLine: true, secret: true, personal: .opaque,
        role: .fragment)
    }

    let maxDataLength = Field("Max_Advertising_Data_Length", inLine: true)
    let numSupportedSets = Field("Num_Supported_Advertising_Sets", inLine: true)
    let numSets = Field("Num_Sets")
    let set = Field("Set", .list)
    let duration = Field("Duration", unit: "10 ms", special: [0: "without end"])
    let maxEvents = Field("Max_Extended_Advertising_Events", special: [0: "without end"])
    let numCompletedEvents = Field("Num_Completed_Extended_Advertising_Events")

    let leScanType = Field("LE_Scan_Type", names: HCICodes.scanTypes, inLine: true)
    let scanInterval = Field("LE_Scan_Interval", unit: "0.625 ms", inLine: true)
    let scanWindow = Field("LE_Scan_Window", unit: "0.625 ms", inLine: true)
    let scanningFilterPolicy = Field(
      "Scanning_Filter_Policy",
      names: [
        0: "Basic unfiltered", 1: "Basic filtered", 2: "Extended unfiltered",
        3: "Extended filtered",
        4: "Basic unfiltered, all PDUs", 5: "Basic filtered, all PDUs",
        6: "Extended unfiltered, all PDUs", 7: "Extended filtered, all PDUs",
        12: "Basic unfiltered, decision PDUs only", 13: "Basic filtered, decision PDUs only",
        14: "Extended unfiltered, decision PDUs only", 15: "Extended filtered, decision PDUs only",
      ])
    let leScanEnable = Field("LE_Scan_Enable", names: HCICodes.switches, inLine: true)
    let filterDuplicates = Field(
      "Filter_Duplicates",
      names: [
        0: "Disabled", 1: "Enabled", 2: "Enabled, reset for each scan period",
      ], inLine: true)
    let scanningPHYs = Field("Scanning_PHYs", .hex, flags: HCICodes.physBits)
    let scanPHY = Field("Scanning_PHY", .list)
    let period = Field("Period", unit: "1.28 s", special: [0: "without a break"])

    let numReports = Field("Num_Reports")
    let report = Field("Report", .list)
    // 7.7.65.2, 7.7.65.11
    let eventType = Field(
      "Event_Type", .hex,
      names: [
        0: "ADV_IND", 1: "ADV_DIRECT_IND", 2: "ADV_SCAN_IND", 3: "ADV_NONCONN_IND", 4: "SCAN_RSP",
      ], inLine: true)
    // 7.7.65.13
    let extendedEventType = Field(
      "Event_Type", .hex,
      flags: [
        0: "Connectable", 1: "Scannable", 2: "Directed", 3: "Scan response", 4: "Legacy",
        5: "Incomplete, more data to come", 6: "Incomplete, data truncated",
      ], inLine: true)
    let directAddressType = Field(
      "Direct_Address_Type", .hex, names: HCICodes.addressTypes, role: .addressType)
    let directAddress = Field("Direct_Address", .address)
    let periodicInterval = Field(
      "Periodic_Advertising_Interval", unit: "1.25 ms", special: [0: "no periodic advertising"])
    let scannerAddressType = Field(
      "Scanner_Address_Type", .hex, names: HCICodes.addressTypes, role: .addressType)
    let scannerAddress = Field("Scanner_Address", .address, inLine: true)

    let periodicIntervalMin = Field("Periodic_Advertising_Interval_Min", unit: "1.25 ms")
    let periodicIntervalMax = Field("Periodic_Advertising_Interval_Max", unit: "1.25 ms")
    let periodicProperties = Field(
      "Periodic_Advertising_Properties", .hex, flags: [6: "Include TxPower"])
    let periodicEnable = Field(
      "Enable", .hex, flags: [0: "Periodic advertising", 1: "Include ADI"], inLine: true)
    let numSubevents = Field("Num_Subevents")
    let subeventInterval = Field("Subevent_Interval", unit: "1.25 ms")
    let responseSlotDelay = Field(
      "Response_Slot_Delay", unit: "1.25 ms", special: [0: "no response slots"])
    let responseSlotSpacing = Field(
      "Response_Slot_Spacing", unit: "0.125 ms", special: [0: "no response slots"])
    let numResponseSlots = Field("Num_Response_Slots")
    let subeventData = Field("Subevent_Data", .list)
    let subeventNumber = Field("Subevent")
    let responseSlotStart = Field("Response_Slot_Start")
    let responseSlotCount = Field("Response_Slot_Count")
    let subeventDataLength = Field("Subevent_Data_Length")
    let requestEvent = Field("Request_Event")
    let requestSubevent = Field("Request_Subevent")
    let responseSubevent = Field("Response_Subevent")
    let responseSlot = Field("Response_Slot")
    let responseDataLength = Field("Response_Data_Length")
    let numSubeventsToSync = Field("Num_Subevents_To_Sync")
    let subeventDataStart = Field("Subevent_Start")
    let subeventDataCount = Field("Subevent_Data_Count")
    let txStatus = Field(
      "TX_Status", names: [0: "AUX_SYNC_SUBEVENT_IND transmitted", 1: "Not transmitted"])
    let numResponseReports = Field("Num_Responses")
    let responseReport = Field("Response", .list)

    let options = Field(
      "Options", .hex,
      flags: [
        0: "Use the Periodic Advertiser List", 1: "Reporting initially disabled",
        2: "Duplicate filtering initially enabled",
      ])
    let advertiserAddressType = Field(
      "Advertiser_Address_Type", .hex, names: HCICodes.addressTypes, role: .addressType)
    let advertiserAddress = Field("Advertiser_Address", .address, inLine: true)
    let skip = Field("Skip")
    let syncTimeout = Field("Sync_Timeout", unit: "10 ms")
    let syncCTEType = Field("Sync_CTE_Type", .hex)
    let cteType = Field("CTE_Type", .hex, names: HCICodes.cteTypes)
    let syncHandle = Field("Sync_Handle", .hex, inLine: true)
    let advertiserPHY = Field("Advertiser_PHY", names: HCICodes.phys)
    let advertiserClockAccuracy = Field(
      "Advertiser_Clock_Accuracy", names: HCICodes.clockAccuracies)
    let periodicEventCounter = Field("Periodic_Event_Counter")
    let dataStatus = Field(
      "Data_Status",
      names: [
        0: "Complete", 1: "Incomplete, more data to come", 2: "Incomplete, data truncated",
        0xFF: "Failed to receive",
      ])
    let receiveEnable = Field(
      "Enable", .hex, flags: [0: "Reporting", 1: "Duplicate filtering"], inLine: true)
    let serviceData = Field("Service_Data", .hex)
    let transferMode = Field(
      "Mode",
      names: [
        0: "No attempt to synchronize", 1: "Synchronize, reports disabled",
        2: "Synchronize, reports enabled",
        3: "Synchronize, reports enabled with duplicate filtering",
      ], inLine: true)
    let decisionTypeFlags = Field(
      "Decision_Type_Flags", .hex, flags: [0: "Resolvable Tag present"])
    let decisionDataLength = Field("Decision_Data_Length")
    let decisionData = Field("Decision_Data", .bytes)
    let numTests = Field("Num_Tests")
    let test = Field("Test", .list)
    // LE Set Decision Instructions
    let testFlags = Field(
      "Test_Flags", .hex,
      flags: [
        0: "New group of tests", 1: "Pass if present and the check passes",
        2: "Pass if present and the check fails", 3: "Pass if not present",
      ])
    let testField = Field("Test_Field", .hex, lookup: HCICodes.decisionTestField)
    let testParameters = Field("Test_Parameters", .bytes)
    let thresholdLow = Field("RSSI_Threshold_Low", .signed, unit: "dBm")
    let thresholdHigh = Field("RSSI_Threshold_High", .signed, unit: "dBm")
    let monitorTimeout = Field("Timeout", unit: "1 s")
    let condition = Field(
      "Condition",
      names: [
        0: "RSSI below the low threshold for the timeout", 1: "RSSI above the high threshold",
      ])
  }

  /// LE connections, PHYs, data length, power, direction finding. 7.8, 7.7.65.
  struct LE: Sendable {
    let leEventMask = Field("LE_Event_Mask", .hex, flagTable: { HCIEventMasks.le })
    let peerAddressType = Field(
      "Peer_Address_Type", .hex, names: HCICodes.addressTypes, role: .addressType)
    let peerAddress = Field("Peer_Address", .address, inLine: true)
    let localResolvablePrivateAddress = Field(
      "Local_Resolvable_Private_Address", .address, role: .randomAddress)
    let peerResolvablePrivateAddress = Field(
      "Peer_Resolvable_Private_Address", .address, role: .randomAddress)
    let interval = Field("Connection_Interval", unit: "1.25 ms", inLine: true)
    let intervalMin = Field("Connection_Interval_Min", unit: "1.25 ms", inLine: true)
    let intervalMax = Field("Connection_Interval_Max", unit: "1.25 ms", inLine: true)
    let latency = Field("Peripheral_Latency")
    // Of commands, and counted in events, which the Max_Latency of synchronous links is not. 7.8.12
    let maxPeripheralLatency = Field("Max_Latency")
    let supervisionTimeout = Field("Supervision_Timeout", unit: "10 ms")
    let minCELength = Field("Min_CE_Length", unit: "0.625 ms")
    let maxCELength = Field("Max_CE_Length", unit: "0.625 ms")
    let centralClockAccuracy = Field("Central_Clock_Accuracy", names: HCICodes.clockAccuracies)
    // 7.8.12
    let initiatorFilterPolicy = Field(
      "Initiator_Filter_Policy",
      names: [
        0: "Peer_Address", 1: "Filter Accept List", 2: "Decision PDUs only",
        3: "Filter Accept List, all PDUs", 4: "All decision PDUs, Filter Accept List for others",
      ])
    let initiatingPHYs = Field("Initiating_PHYs", .hex, flags: HCICodes.physBits)
    let initiatingPHY = Field("Initiating_PHY", .list)
    let channelMap = Field("Channel_Map", .bytes, structural: true)
    let txPHY = Field("TX_PHY", names: HCICodes.phys, inLine: true)
    let rxPHY = Field("RX_PHY", names: HCICodes.phys, inLine: true)
    let allPHYs = Field(
      "All_PHYs", .hex, flags: [0: "No preference for TX", 1: "No preference for RX"])
    let txPHYs = Field("TX_PHYs", .hex, flags: HCICodes.physBits, inLine: true)
    let rxPHYs = Field("RX_PHYs", .hex, flags: HCICodes.physBits, inLine: true)
    let phyOptions = Field("PHY_Options", names: HCICodes.phyOptions)
    let txOctets = Field("TX_Octets", inLine: true)
    let txTime = Field("TX_Time", unit: "1 µs", inLine: true)
    let suggestedTxOctets = Field("Suggested_Max_TX_Octets")
    let suggestedTxTime = Field("Suggested_Max_TX_Time", unit: "1 µs")
    let supportedTxOctets = Field("Supported_Max_TX_Octets")
    let supportedTxTime = Field("Supported_Max_TX_Time", unit: "1 µs")
    let supportedRxOctets = Field("Supported_Max_RX_Octets")
    let supportedRxTime = Field("Supported_Max_RX_Time", unit: "1 µs")
    let maxTxOctets = Field("Max_TX_Octets", inLine: true)
    let maxTxTime = Field("Max_TX_Time", unit: "1 µs")
    let maxRxOctets = Field("Max_RX_Octets", inLine: true)
    let maxRxTime = Field("Max_RX_Time", unit: "1 µs")
    let channelSelection = Field(
      "Channel_Selection_Algorithm", names: [0: "#1", 1: "#2"], inLine: true)
    let bitNumber = Field("Bit_Number", names: HCIFeatures.host, inLine: true)
    let bitValue = Field("Bit_Value", inLine: true)
    let subrateMin = Field("Subrate_Min")
    let subrateMax = Field("Subrate_Max")
    let subrateFactor = Field("Subrate_Factor", inLine: true)
    let continuationNumber = Field("Continuation_Number")
    let clockAction = Field("Action", names: [0: "More accurate clock", 1: "Less accurate clock"])
    let peerClockAccuracy = Field("Peer_Clock_Accuracy", names: HCICodes.sleepClockAccuracies)
    let frameSpaceMin = Field("Frame_Space_Min", unit: "1 µs")
    let frameSpaceMax = Field("Frame_Space_Max", unit: "1 µs")
    let frameSpace = Field("Frame_Space", unit: "1 µs", inLine: true)
    let frameSpaceInitiator = Field(
      "Initiator", names: [0: "Local Host", 1: "Local Controller", 2: "Peer"])
    let framePHYs = Field("PHYS", .hex, flags: HCICodes.physBits)
    let spacingTypes = Field(
      "Spacing_Types", .hex,
      flags: [0: "T_IFS_ACL_CP", 1: "T_IFS_ACL_PC", 2: "T_MCES", 3: "T_IFS_CIS", 4: "T_MSS_CIS"])
    let minSupportedInterval = Field("Minimum_Supported_Connection_Interval", unit: "125 µs")
    let numGroups = Field("Num_Groups")
    let intervalGroup = Field("Group", .list)
    let groupMin = Field("Group_Min", unit: "125 µs")
    let groupMax = Field("Group_Max", unit: "125 µs")
    let groupStride = Field("Group_Stride", unit: "125 µs")
    let rateIntervalMin = Field("Connection_Interval_Min", unit: "125 µs")
    let rateIntervalMax = Field("Connection_Interval_Max", unit: "125 µs")
    let rateInterval = Field("Connection_Interval", unit: "125 µs", inLine: true)
    let rateMinCELength = Field("Min_CE_Length", unit: "125 µs")
    let rateMaxCELength = Field("Max_CE_Length", unit: "125 µs")

    let minTxPower = Field("Min_TX_Power", .signed, unit: "dBm")
    let maxTxPower = Field("Max_TX_Power", .signed, unit: "dBm")
    let txPathCompensation = Field("RF_TX_Path_Compensation_Value", .signed, unit: "× 0.1 dB")
    let rxPathCompensation = Field("RF_RX_Path_Compensation_Value", .signed, unit: "× 0.1 dB")
    let currentTxPower = Field(
      "Current_TX_Power_Level", .signed, unit: "dBm", special: [0x7F: "not available"], inLine: true
    )
    let maxTxPowerLevel = Field("Max_TX_Power_Level", .signed, unit: "dBm")
    let txPowerLevel = Field("TX_Power_Level", .signed, unit: "dBm", inLine: true)
    let testTxPowerLevel = Field(
      "TX_Power_Level", .signed, unit: "dBm", special: [0x7E: "minimum", 0x7F: "maximum"],
      inLine: true)
    let reportedTxPowerLevel = Field(
      "TX_Power_Level", .signed, unit: "dBm",
      special: [0x7E: "not managed by the peer", 0x7F: "not available"], inLine: true)
    let txPowerFlag = Field("TX_Power_Level_Flag", .hex, flags: [0: "At minimum", 1: "At maximum"])
    let powerDelta = Field("Delta", .signed, unit: "dB", special: [0x7F: "not available"])
    // 7.7.65.33
    let powerReason = Field(
      "Reason",
      names: [
        0: "Local transmit power changed", 1: "Remote transmit power changed",
        2: "Reply to HCI_LE_Read_Remote_Transmit_Power_Level",
      ])
    let powerPHY = Field("PHY", names: HCICodes.codedPHYs)
    let highThreshold = Field("High_Threshold", unit: "dB")
    let highHysteresis = Field("High_Hysteresis", unit: "dB")
    let lowThreshold = Field("Low_Threshold", unit: "dB")
    let lowHysteresis = Field("Low_Hysteresis", unit: "dB")
    let minTimeSpent = Field("Min_Time_Spent")
    let localEnable = Field("Local_Enable", names: HCICodes.switches)
    let remoteEnable = Field("Remote_Enable", names: HCICodes.switches)
    let pathLoss = Field(
      "Current_Path_Loss", unit: "dB", special: [0xFF: "not available"], inLine: true)
    let pathLossZone = Field(
      "Zone_Entered",
      names: [
        0: "Low path loss", 1: "Moderate path loss", 2: "High path loss",
      ], inLine: true)

    let rxChannel = Field("RX_Channel")
    let txChannel = Field("TX_Channel")
    let testPHY = Field(
      "PHY", names: HCICodes.codedPHYs)
    let modulationIndex = Field("Modulation_Index", names: [0: "Standard", 1: "Stable"])
    let testDataLength = Field("Test_Data_Length")
    let packetPayload = Field(
      "Packet_Payload",
      names: [
        0: "PRBS9", 1: "11110000", 2: "10101010", 3: "PRBS15", 4: "11111111", 5: "00000000",
        6: "00001111", 7: "01010101",
      ])
    let numPackets = Field("Num_Packets", inLine: true)
    let expectedCTELength = Field("Expected_CTE_Length", unit: "8 µs")
    let expectedCTEType = Field("Expected_CTE_Type", .hex, names: HCICodes.cteTypes)

    let cteLength = Field("CTE_Length", unit: "8 µs")
    let cteCount = Field("CTE_Count")
    let cteTypes = Field(
      "CTE_Types", .hex, flags: [0: "AoA", 1: "AoD with 1 µs slots", 2: "AoD with 2 µs slots"])
    let cteEnable = Field("CTE_Enable", names: HCICodes.switches, inLine: true)
    let patternLength = Field("Switching_Pattern_Length")
    let antennaIDs = Field("Antenna_IDs", .bytes)
    let samplingEnable = Field("Sampling_Enable", names: HCICodes.switches, inLine: true)
    let slotDurations = Field("Slot_Durations", names: [1: "1 µs", 2: "2 µs"])
    let maxSampledCTEs = Field("Max_Sampled_CTEs")
    let cteRequestInterval = Field("CTE_Request_Interval")
    let requestedCTELength = Field("Requested_CTE_Length", unit: "8 µs")
    let requestedCTEType = Field("Requested_CTE_Type", .hex, names: HCICodes.cteTypes)
    let switchingRates = Field(
      "Supported_Switching_Sampling_Rates", .hex,
      flags: [
        0: "1 µs switching for AoD transmission", 1: "1 µs sampling for AoD reception",
        2: "1 µs switching and sampling for AoA reception",
      ])
    let numAntennae = Field("Num_Antennae")
    let maxPatternLength = Field("Max_Switching_Pattern_Length")
    let maxCTELength = Field("Max_CTE_Length", unit: "8 µs")
    let channelIndex = Field("Channel_Index")
    let iqRSSI = Field("RSSI", .signed, unit: "× 0.1 dBm", inLine: true)
    let rssiAntenna = Field("RSSI_Antenna_ID")
    let packetStatus = Field("Packet_Status", .hex)
    let connectionEventCounter = Field("Connection_Event_Counter")
    let dataChannelIndex = Field("Data_Channel_Index")
    let sampleCount = Field("Sample_Count")
    let sample = Field("Sample", .list)
    let iSample = Field("I_Sample", .signed)
    let qSample = Field("Q_Sample", .signed)
  }
}
