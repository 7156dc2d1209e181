extension HCIParameters {
  /// Channel Sounding. 7.7.65.39 to 7.7.65.46, 7.8.130 to 7.8.143.
  struct Sounding: Sendable {
    typealias Names = [UInt64: StaticString]

    let config = Field("Config_ID", inLine: true)
    let createContext = Field(
      "Create_Context", names: [0: "Local Controller only", 1: "Local and remote Controller"])
    let csAction = Field("Action", names: [0: "Removed", 1: "Created"], inLine: true)
    let csEnable = Field("Enable", names: HCICodes.switches, inLine: true)
    let state = Field("State", names: HCICodes.switches, inLine: true)
    let faeTable = Field("Remote_FAE_Table", .bytes)
    let classification = Field("Channel_Classification", .bytes, structural: true)
    let roleEnable = Field("Role_Enable", .hex, flags: roleBits)
    let antennaSelection = Field(
      "CS_SYNC_Antenna_Selection", .hex,
      names: [
        1: "Antenna 1", 2: "Antenna 2", 3: "Antenna 3", 4: "Antenna 4",
        0xFD: "All in repetitive order, as long as they are used",
        0xFE: "All in repetitive order", 0xFF: "No recommendation",
      ])
    let csMaxTxPower = Field("Max_TX_Power", .signed, unit: "dBm")

    let numConfigs = Field("Num_Config_Supported")
    let maxProcedures = Field(
      "Max_Consecutive_Procedures_Supported", special: [0: "no limit"])
    let numAntennas = Field("Num_Antennas_Supported")
    let maxAntennaPaths = Field("Max_Antenna_Paths_Supported")
    let rolesSupported = Field("Roles_Supported", .hex, flags: roleBits)
    let modesSupported = Field("Modes_Supported", .hex, flags: [0: "Mode-3"])
    let rttCapability = Field(
      "RTT_Capability", .hex,
      flags: [
        0: "10 ns with AA only", 1: "10 ns with sounding sequence",
        2: "10 ns with random sequence", 3: "10 ns with AA only on LE 2M",
        4: "10 ns with sounding sequence on LE 2M", 5: "10 ns with random sequence on LE 2M",
      ])
    let rttAAOnlyN = Field("RTT_AA_Only_N", special: unsupported)
    let rttSoundingN = Field("RTT_Sounding_N", special: unsupported)
    let rttRandomN = Field("RTT_Random_Sequence_N", special: unsupported)
    let nadmSounding = Field("NADM_Sounding_Capability", .hex, flags: nadm)
    let nadmRandom = Field("NADM_Random_Capability", .hex, flags: nadm)
    let syncPHYs = Field(
      "CS_SYNC_PHYs_Supported", .hex, flags: [1: "LE 2M", 2: "LE 2M 2BT"])
    let subfeatures = Field(
      "Subfeatures_Supported", .hex,
      flags: [
        1: "No Frequency Actuation Error", 2: "Channel Selection Algorithm #3c",
        3: "Phase-based ranging from RTT sounding sequence",
        4: "Inline PCT transfer in the reflector role", 5: "RTT accuracy for each PHY",
      ])
    let tIP1Times = Field("T_IP1_Times_Supported", .hex, flags: interludes)
    let tIP2Times = Field("T_IP2_Times_Supported", .hex, flags: interludes)
    let tFCSTimes = Field(
      "T_FCS_Times_Supported", .hex,
      flags: [
        0: "15 µs", 1: "20 µs", 2: "30 µs", 3: "40 µs", 4: "50 µs", 5: "60 µs", 6: "80 µs",
        7: "100 µs", 8: "120 µs",
      ])
    let tPMTimes = Field("T_PM_Times_Supported", .hex, flags: [0: "10 µs", 1: "20 µs"])
    let tSWTimeSupported = Field("T_SW_Time_Supported", unit: "1 µs")
    let txSNR = Field(
      "TX_SNR_Capability", .hex,
      flags: [0: "18 dB", 1: "21 dB", 2: "24 dB", 3: "27 dB", 4: "30 dB"])
    let tIP2IPTTimes = Field("T_IP2_IPT_Times_Supported", .hex, flags: interludes)
    let tSWIPTTime = Field("T_SW_IPT_Time_Supported", unit: "1 µs")
    let rtt2MAAOnlyN = Field("RTT_2M_AA_Only_N", special: unsupported)
    let rtt2MSoundingN = Field("RTT_2M_Sounding_N", special: unsupported)
    let rtt2MRandomN = Field("RTT_2M_Random_Sequence_N", special: unsupported)

    let mainMode = Field("Main_Mode_Type", names: modes, inLine: true)
    let subMode = Field("Sub_Mode_Type", names: modes, inLine: true)
    let minMainModeSteps = Field("Min_Main_Mode_Steps")
    let maxMainModeSteps = Field("Max_Main_Mode_Steps")
    let mainModeRepetition = Field("Main_Mode_Repetition")
    let mode0Steps = Field("Mode_0_Steps")
    let csRole = Field("Role", names: [0: "Initiator", 1: "Reflector"], inLine: true)
    let rttType = Field("RTT_Type", names: rttTypes)
    let syncPHY = Field(
      "CS_SYNC_PHY", names: [1: "LE 1M", 2: "LE 2M", 3: "LE 2M 2BT"])
    let csChannelMap = Field("Channel_Map", .bytes, structural: true)
    let channelMapRepetition = Field("Channel_Map_Repetition")
    let csChannelSelection = Field(
      "Channel_Selection_Type", names: [0: "Algorithm #3b", 1: "Algorithm #3c"])
    let shape = Field("Ch3c_Shape", names: [0: "Hat", 1: "X"])
    let jump = Field("Ch3c_Jump")
    let enhancements = Field("CS_Enhancements_1", .hex, flags: [0: "Inline PCT transfer"])
    let tIP1 = Field("T_IP1_Time", unit: "1 µs")
    let tIP2 = Field("T_IP2_Time", unit: "1 µs")
    let tFCS = Field("T_FCS_Time", unit: "1 µs")
    let tPM = Field("T_PM_Time", unit: "1 µs")
    let tSW = Field("T_SW_Time", unit: "1 µs")

    let maxProcedureLength = Field("Max_Procedure_Len", unit: "0.625 ms")
    let minProcedureInterval = Field("Min_Procedure_Interval")
    let maxProcedureInterval = Field("Max_Procedure_Interval")
    let maxProcedureCount = Field("Max_Procedure_Count", special: [0: "until disabled"])
    let minSubeventLength = Field("Min_Subevent_Len", unit: "1 µs")
    let maxSubeventLength = Field("Max_Subevent_Len", unit: "1 µs")
    let toneAntennas = Field("Tone_Antenna_Config_Selection")
    let procedurePHY = Field(
      "PHY", names: HCICodes.codedPHYs)
    let txPowerDelta = Field(
      "TX_Power_Delta", .signed, unit: "dB", special: [0x80: "no recommendation"])
    let preferredAntenna = Field(
      "Preferred_Peer_Antenna", .hex,
      flags: [0: "First", 1: "Second", 2: "Third", 3: "Fourth"])
    let snrInitiator = Field("SNR_Control_Initiator", names: snrControls)
    let snrReflector = Field("SNR_Control_Reflector", names: snrControls)
    let selectedTxPower = Field(
      "Selected_TX_Power", .signed, unit: "dBm", special: [0x7F: "not available"])
    let subeventLength = Field("Subevent_Len", unit: "1 µs")
    let subeventsPerEvent = Field("Subevents_Per_Event")
    let csSubeventInterval = Field("Subevent_Interval", unit: "0.625 ms")
    let eventInterval = Field("Event_Interval")
    let procedureInterval = Field("Procedure_Interval")
    let procedureCount = Field("Procedure_Count")

    let maxNumSubevents = Field("Max_Num_Subevents")
    let csTransmitPower = Field(
      "Transmit_Power_Level", .signed, unit: "dBm", special: [0x7E: "minimum", 0x7F: "maximum"])
    let drbgNonce = Field("DRBG_Nonce", .hex)
    let overrideConfig = Field("Override_Config", .hex, flags: overrides)
    let overrideLength = Field("Override_Parameters_Length")
    let overrideData = Field("Override_Parameters_Data", .bytes)

    let startCounter = Field("Start_ACL_Conn_Event_Counter")
    let procedureCounter = Field("Procedure_Counter", inLine: true)
    let frequencyCompensation = Field(
      "Frequency_Compensation", .signed, unit: "0.01 ppm", special: [0xC000: "not available"])
    let referencePower = Field(
      "Reference_Power_Level", .signed, unit: "dBm", special: [0x7F: "not available"])
    let procedureDone = Field("Procedure_Done_Status", names: doneStatuses, inLine: true)
    let subeventDone = Field("Subevent_Done_Status", names: doneStatuses)
    let procedureAbort = Field(
      "Procedure_Abort_Reason",
      names: [
        0: "No abort", 1: "Local Host or remote request", 2: "Channel map has too few channels",
        3: "Channel map update instant passed", 0xF: "Unspecified reasons",
      ])
    let subeventAbort = Field(
      "Subevent_Abort_Reason",
      names: [
        0: "No abort", 1: "Local Host or remote request", 2: "No CS_SYNC (mode-0) received",
        3: "Scheduling conflicts or limited resources", 0xF: "Unspecified reasons",
      ])
    let steps = Steps()

    /// What each step measured: events alone have it. 7.7.65.44, 7.7.65.45
    struct Steps: Sendable {
      let numAntennaPaths = Field("Num_Antenna_Paths")
      let numSteps = Field("Num_Steps_Reported", inLine: true)
      let step = Field("Step", .list)
      let stepMode = Field(
        "Step_Mode", names: [0: "Mode-0", 1: "Mode-1", 2: "Mode-2", 3: "Mode-3"])
      let stepChannel = Field("Step_Channel")
      let stepDataLength = Field("Step_Data_Length")
      let stepData = Field("Step_Data", .bytes)
      let stepParts = Field("Step_Data", .group)
      let stepQuality = Field("Packet_Quality", names: qualities)
      let stepBitErrors = Field("Bit errors")
      let stepRSSI = Field("Packet_RSSI", .signed, unit: "dBm", special: [0x7F: "not available"])
      let stepAntenna = Field("Packet_Antenna")
      let stepFrequencyOffset = Field(
        "Measured_Freq_Offset", .signed, unit: "0.01 ppm", special: [0xC000: "not available"])
      let stepNADM = Field("Packet_NADM", names: attacks)
      let stepTime = Field(
        "ToA_ToD or ToD_ToA", .signed, unit: "0.5 ns", special: [0x8000: "not available"])
      let stepPacketPCT1 = Field("Packet_PCT1", .group)
      let stepPacketPCT2 = Field("Packet_PCT2", .group)
      let stepPermutation = Field("Antenna_Permutation_Index")
      let stepTone = Field("Tone", .list)
      let stepTonePCT = Field("Tone_PCT", .group)
      let stepToneQuality = Field(
        "Tone_Quality_Indicator", names: [0: "High", 1: "Medium", 2: "Low", 3: "Not available"])
      let stepToneExtension = Field(
        "Tone extension slot",
        names: [0: "No", 1: "Yes, tone not expected", 2: "Yes, tone expected"])
      let stepNoPCT = Field("PCT", .hex, special: [0xFFFF_FFFF: "not available"])
      let stepI = Field("I", .signed)
      let stepQ = Field("Q", .signed)
    }

    private static let overrides: Names = [
      0: "Channel list", 2: "Main mode steps", 3: "Tone extension", 4: "Antenna permutation",
      5: "Access Address", 6: "Sounding sequence marker positions",
      7: "Sounding sequence marker value", 8: "Random sequence payload", 10: "Stable phase test",
    ]
    private static let roleBits: Names = [0: "Initiator", 1: "Reflector"]
    private static let unsupported: Names = [0: "not supported"]
    private static let nadm: Names = [0: "Phase-based Normalized Attack Detector Metric"]
    private static let interludes: Names = [
      0: "10 µs", 1: "20 µs", 2: "30 µs", 3: "40 µs", 4: "50 µs", 5: "60 µs", 6: "80 µs",
    ]
    private static let modes: Names = [
      1: "Mode-1", 2: "Mode-2", 3: "Mode-3", 0xFF: "Unused",
    ]
    private static let rttTypes: Names = [
      0: "AA only", 1: "32-bit sounding sequence", 2: "96-bit sounding sequence",
      3: "32-bit random sequence", 4: "64-bit random sequence", 5: "96-bit random sequence",
      6: "128-bit random sequence",
    ]
    private static let qualities: Names = [
      0: "Access Address found", 1: "Access Address with bit errors", 2: "Access Address not found",
    ]
    private static let attacks: Names = [
      0: "Attack is extremely unlikely", 1: "Attack is very unlikely", 2: "Attack is unlikely",
      3: "Attack is possible", 4: "Attack is likely", 5: "Attack is very likely",
      6: "Attack is extremely likely", 0xFF: "Unknown",
    ]
    private static let snrControls: Names = [
      0: "18 dB", 1: "21 dB", 2: "24 dB", 3: "27 dB", 4: "30 dB", 0xFF: "Not applied",
    ]
    private static let doneStatuses: Names = [
      0: "All results complete", 1: "Partial results, more to follow", 0xF: "Aborted",
    ]
  }
}
