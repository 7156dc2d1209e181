import HarkCore

/// The parameters of LMP PDUs, by the names of the Core Specification, Vol 2, Part C, 5.2.
struct LMPFields: Sendable {
  static let shared = LMPFields()

  private static let packetTypes: [UInt64: StaticString] = [
    0x07: "EV3", 0x0C: "EV4", 0x0D: "EV5", 0x26: "2-EV3", 0x2C: "2-EV5", 0x37: "3-EV3",
    0x3D: "3-EV5",
  ]
  private static let powerResponses: [UInt64: StaticString] = [
    0: "not supported", 1: "changed one step", 2: "maximum power", 3: "minimum power",
  ]

  let transaction = Field(
    "TID", names: [0: "initiated by the Central", 1: "initiated by the Peripheral"])
  let opcode = Field("Opcode", lookup: { LMP.names[$0]?.description }, title: true)
  let escape = LMPEscape()
  let extendedOpcode = Field(
    "Extended opcode", lookup: { LMP.extendedNames[$0]?.description }, title: true)
  let acceptedOpcode = Field(
    "Accepted opcode", lookup: { LMP.names[$0]?.description }, inLine: true)
  let escapeOpcode = Field("Escape opcode", lookup: { LMP.names[$0]?.description })
  let acceptedExtendedOpcode = Field(
    "Accepted extended opcode", lookup: { LMP.extendedNames[$0]?.description }, inLine: true)
  let error = Field("Error_Code", .hex, names: HCIError.names, inLine: true)
  let nameOffset = Field("Name_Offset")
  let nameLength = Field("Name_Length")
  let nameFragment = Field("Name_Fragment", .text, inLine: true, personal: .name)
  let clockOffset = Field("Clock_Offset", .hex)
  // From these, anybody can find the PIN or the link key of a pairing.
  let random = Field("Random_Number", .bytes, personal: .key)
  let key = Field("Key", .bytes, secret: true, personal: .key)
  let response = Field("Authentication_Response", .bytes, personal: .key)
  let encryptionMode = Field(
    "Encryption_Mode", names: [0: "no encryption", 1: "encryption", 2: "encryption"], inLine: true)
  let keySize = Field("Key_Size", unit: "octets", inLine: true)
  let keySizeMask = Field("Key_Size_Mask", .hex)
  let instant = Field("Instant", .hex)
  let holdTime = Field("Hold_Time", unit: "slots", inLine: true)
  let timingControl = Field(
    "Timing_Control_Flags", .hex,
    flags: [0: "timing change", 1: "initialization 2", 2: "access window"])
  let dSniff = Field("D_sniff", unit: "slots")
  let tSniff = Field("T_sniff", unit: "slots", inLine: true)
  let sniffAttempt = Field("Sniff_Attempt", unit: "received slots")
  let sniffTimeout = Field("Sniff_Timeout", unit: "received slots")
  let futureUse = Field("Reserved", .hex, role: .reserved)
  let dataRate = Field("Data_Rate", .hex)
  let version = Field("VersNr", .hex, lookup: { HCICodes.versions[$0]?.description }, inLine: true)
  let company = Field(
    "CompId", .hex, lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) },
    inLine: true)
  let subversion = Field("SubVersNr", .hex)
  let features = Field("Features", .hex, flags: HCIFeatures.lmp)
  let featuresPage = Field("Features_Page", inLine: true)
  let maxSupportedPage = Field("Max_Supported_Page")
  let extendedFeatures = Field("Extended_Features", .hex)
  let pollInterval = Field("Poll_Interval", unit: "slots", inLine: true)
  let broadcastRepetitions = Field("N_BC")
  let scoHandle = Field("SCO_Handle", inLine: true)
  let dSCO = Field("D_SCO", unit: "slots")
  let tSCO = Field("T_SCO", unit: "slots")
  let scoPacket = Field("SCO_Packet", names: [0: "HV1", 1: "HV2", 2: "HV3"], inLine: true)
  let airMode = Field("Air_Mode", names: HCICodes.airModes)
  let maxSlots = Field("Max_Slots", unit: "slots", inLine: true)
  let drift = Field("Drift", unit: "ppm")
  let jitter = Field("Jitter", unit: "µs")
  let slotOffset = Field("Slot_Offset", unit: "µs")
  let address = Field("BD_ADDR", .address, inLine: true)
  let pagingScheme = Field("Paging_Scheme")
  let pagingSchemeSettings = Field("Paging_Scheme_Settings")
  let supervisionTimeout = Field("Supervision_Timeout", unit: "slots", inLine: true)
  let testScenario = Field("Test_Scenario", .hex)
  let hoppingMode = Field("Hopping_Mode", .hex)
  let txFrequency = Field("TX_Frequency")
  let rxFrequency = Field("RX_Frequency")
  let powerControlMode = Field("Power_Control_Mode")
  let pollPeriod = Field("Poll_Period")
  let testPacketType = Field("Packet_Type", .hex)
  let testDataLength = Field("Length_of_Test_Data")
  let afhMode = Field("AFH_Mode", names: [0: "AFH disabled", 1: "AFH enabled"], inLine: true)
  let channelMap = Field("AFH_Channel_Map", .bytes)
  let encapsulatedMajor = Field("Encapsulated_Major_Type", names: [1: "public key"])
  let encapsulatedMinor = Field(
    "Encapsulated_Minor_Type", names: [1: "P-192 public key", 2: "P-256 public key"], inLine: true)
  let encapsulatedLength = Field("Encapsulated_Payload_Length", unit: "octets")
  let encapsulatedData = Field("Encapsulated_Data", .bytes, personal: .identifier)
  let commitment = Field("Commitment_Value", .bytes, personal: .key)
  let nonce = Field("Nonce_Value", .bytes, personal: .key)
  let confirmation = Field("Confirmation_Value", .bytes, personal: .key)
  let adjustmentID = Field("Clk_Adj_ID")
  let adjustmentMicroseconds = Field("Clk_Adj_us", .signed, unit: "µs")
  let adjustmentSlots = Field("Clk_Adj_Slots", unit: "slots")
  let adjustmentMode = Field("Clk_Adj_Mode", names: [0: "before instant", 1: "after instant"])
  let adjustmentClock = Field("Clk_Adj_Clk", .hex)
  let adjustmentPeriod = Field("Clk_Adj_Period")
  let packetTypeTable = Field(
    "Packet_Type_Table", names: [0: "1 Mb/s only", 1: "2/3 Mb/s"], inLine: true)
  let eSCOHandle = Field("eSCO_Handle", inLine: true)
  let eSCOAddress = Field("eSCO_LT_ADDR")
  let dESCO = Field("D_eSCO", unit: "slots")
  let tESCO = Field("T_eSCO", unit: "slots")
  let wESCO = Field("W_eSCO", unit: "slots")
  let packetTypeToPeripheral = Field(
    "eSCO_Packet_Type_C→P", .hex, names: packetTypes.merging([0: "POLL"]) { name, _ in name })
  let packetTypeToCentral = Field(
    "eSCO_Packet_Type_P→C", .hex, names: packetTypes.merging([0: "NULL"]) { name, _ in name })
  let packetLengthToPeripheral = Field("Packet_Length_C→P", unit: "octets")
  let packetLengthToCentral = Field("Packet_Length_P→C", unit: "octets")
  let negotiationState = Field("Negotiation_State", .hex)
  let reportingMode = Field("AFH_Reporting_Mode", names: [0: "disabled", 1: "enabled"])
  let minInterval = Field("AFH_Min_Interval", unit: "slots")
  let maxInterval = Field("AFH_Max_Interval", unit: "slots")
  let channelClassification = Field("AFH_Channel_Classification", .bytes)
  let maxSniffSubrate = Field("Max_Sniff_Subrate")
  let minSniffModeTimeout = Field("Min_Sniff_Mode_Timeout", unit: "slots")
  let ioCapability = Field("IO_Capabilities", names: HCICodes.ioCapabilities, inLine: true)
  let oobData = Field("OOB_Authentication_Data", names: HCICodes.oobData)
  let authenticationRequirements = Field(
    "Authentication_Requirement", .hex, names: HCICodes.authenticationRequirements, inLine: true)
  let keypressType = Field(
    "Notification_Value",
    names: [
      0: "passkey entry started", 1: "passkey digit entered", 2: "passkey digit erased",
      3: "passkey cleared", 4: "passkey entry completed",
    ], inLine: true)
  let powerAdjustment = Field(
    "Power_Adj_Req",
    names: [
      0: "decrement power one step", 1: "increment power one step", 2: "increase to maximum",
    ],
    inLine: true)
  let powerResponseGFSK = Field("Power_Adj_Rsp_GFSK", names: powerResponses, inLine: true)
  let powerResponseDQPSK = Field("Power_Adj_Rsp_DQPSK", names: powerResponses, inLine: true)
  let powerResponse8DPSK = Field("Power_Adj_Rsp_8DPSK", names: powerResponses, inLine: true)
  let updateMode = Field("Update_Mode")
  let type0Submap = Field("SAM_Type0_Submap", .bytes)
  let samIndex = Field("SAM_Index")
  let submapLength = Field("T_SAM-SM", unit: "slots")
  let submapCount = Field("N_SAM-SM")
  let submaps = Field("SAM_Submaps", .bytes)
  let samOffset = Field("D_SAM", unit: "slots")
  let data = Field("Data", .bytes, inLine: true, personal: .opaque)
  let padding = Field("Padding", .bytes)
}

/// The opcode in front of an extended one, which names the PDU. Core Specification, Vol 2, Part C, 2.3.
struct LMPEscape: Sendable {
  let opcode = Field("Opcode", lookup: { LMP.names[$0]?.description })
}
