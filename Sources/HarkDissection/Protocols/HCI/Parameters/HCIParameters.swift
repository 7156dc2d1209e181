/// The parameters that commands and events share, under the specification's names.
/// Core Specification, Vol 4, Part E, 7.
struct HCIParameters: Sendable {
  static let shared = HCIParameters()

  let status = Field("Status", .hex, names: HCIError.names, inLine: true)
  let handle = Field("Connection_Handle", .hex, inLine: true)
  let reason = Field("Reason", .hex, names: HCIError.names, inLine: true)
  let address = Field("BD_ADDR", .address, inLine: true)
  let role = Field("Role", names: [0: "Central", 1: "Peripheral"], inLine: true)
  let rssi = Field("RSSI", .signed, unit: "dBm", special: [0x7F: "not available"], inLine: true)
  let reserved = Field("Reserved", .hex, role: .reserved)
  let padding = Field("Non-significant octets", .bytes)

  let brEDR = BREDR()
  let pairing = Pairing()
  let baseband = Baseband()
  let information = Information()
  let advertising = Advertising()
  let le = LE()
  let isochronous = Isochronous()
  let sounding = Sounding()
  let amp = AMP()
  let broadcast = Broadcast()
  let wireless = MobileWireless()
  let android = Android()
  let quality = AndroidQuality()
  let broadcom = Broadcom()
  let intel = Intel()
  let microsoft = Microsoft()
  let realtek = Realtek()
  let zephyr = Zephyr()
}

extension HCIParameters {
  /// BR/EDR inquiry, connections, synchronous connections, link policy. 7.1, 7.2.
  struct BREDR: Sendable {
    let linkType = Field("Link_Type", names: [0: "SCO", 1: "ACL", 2: "eSCO"], inLine: true)
    let classOfDevice = ClassOfDevice.field("Class_Of_Device", inLine: true)
    let device = ClassOfDevice.Parts()
    let lap = Field("LAP", .hex, names: HCICodes.accessCodes)
    let inquiryLength = Field("Inquiry_Length", unit: "1.28 s", inLine: true)
    let maxResponses = Field("Num_Responses", special: [0: "unlimited"])
    let minPeriodLength = Field("Min_Period_Length", unit: "1.28 s")
    let maxPeriodLength = Field("Max_Period_Length", unit: "1.28 s")
    let numResponses = Field("Num_Responses", inLine: true)
    let response = Field("Response", .list)
    let pageScanRepetitionMode = Field(
      "Page_Scan_Repetition_Mode", names: [0: "R0", 1: "R1", 2: "R2"])
    let clockOffset = Field("Clock_Offset", .hex)
    // 7.1.5
    let packetType = Field(
      "Packet_Type", .hex,
      flags: [
        1: "2-DH1 shall not be used", 2: "3-DH1 shall not be used", 3: "DM1", 4: "DH1",
        8: "2-DH3 shall not be used", 9: "3-DH3 shall not be used", 10: "DM3", 11: "DH3",
        12: "2-DH5 shall not be used", 13: "3-DH5 shall not be used", 14: "DM5", 15: "DH5",
      ])
    let scoPacketType = Field("Packet_Type", .hex, flags: [5: "HV1", 6: "HV2", 7: "HV3"])
    let allowRoleSwitch = Field(
      "Allow_Role_Switch",
      names: [
        0: "Remain Central", 1: "May become Peripheral",
      ])
    let remoteName = Field("Remote_Name", .text, inLine: true, personal: .name)
    let lmpFeatures = Field("LMP_Features", .hex, flags: HCIFeatures.lmp)
    let hostSupportedFeatures = Field(
      "Host_Supported_Features", .hex, flags: HCIFeatures.lmpPage1)
    let pageNumber = Field("Page_Number")
    let maxPageNumber = Field("Max_Page_Number")
    let extendedLMPFeatures = Field("Extended_LMP_Features", .hex)
    let otherPage = Field("Extended features", .bytes)
    let extendedLMPPage1 = Field("Extended_LMP_Features", .hex, flags: HCIFeatures.lmpPage1)
    let extendedLMPPage2 = Field("Extended_LMP_Features", .hex, flags: HCIFeatures.lmpPage2)
    let lmpHandle = Field("LMP_Handle")

    let transmitBandwidth = Field(
      "Transmit_Bandwidth", unit: "octets/s", special: HCICodes.anyBandwidth, structural: true)
    let receiveBandwidth = Field(
      "Receive_Bandwidth", unit: "octets/s", special: HCICodes.anyBandwidth, structural: true)
    let maxLatency = Field("Max_Latency", unit: "1 ms", special: [0xFFFF: "any"])
    let voiceSetting = Field("Voice_Setting", .hex)
    let retransmissionEffort = Field(
      "Retransmission_Effort",
      names: [
        0: "No retransmissions", 1: "Optimized for power consumption",
        2: "Optimized for link quality", 0xFF: "Don't care",
      ])
    // 7.1.26
    let synchronousPacketType = Field(
      "Packet_Type", .hex,
      flags: [
        0: "HV1", 1: "HV2", 2: "HV3", 3: "EV3", 4: "EV4", 5: "EV5",
        6: "2-EV3 shall not be used", 7: "3-EV3 shall not be used", 8: "2-EV5 shall not be used",
        9: "3-EV5 shall not be used",
      ])
    let transmissionInterval = Field("Transmission_Interval", unit: "0.625 ms")
    let retransmissionWindow = Field("Retransmission_Window", unit: "0.625 ms")
    let rxPacketLength = Field("RX_Packet_Length")
    let txPacketLength = Field("TX_Packet_Length")
    let airMode = Field("Air_Mode", names: HCICodes.airModes, inLine: true)
    let transmitCoding = Field("Transmit_Coding_Format", .group)
    let receiveCoding = Field("Receive_Coding_Format", .group)
    let inputCoding = Field("Input_Coding_Format", .group)
    let outputCoding = Field("Output_Coding_Format", .group)
    let transmitCodecFrameSize = Field("Transmit_Codec_Frame_Size")
    let receiveCodecFrameSize = Field("Receive_Codec_Frame_Size")
    let inputBandwidth = Field("Input_Bandwidth", unit: "octets/s", structural: true)
    let outputBandwidth = Field("Output_Bandwidth", unit: "octets/s", structural: true)
    let inputCodedDataSize = Field("Input_Coded_Data_Size")
    let outputCodedDataSize = Field("Output_Coded_Data_Size")
    let inputPCMFormat = Field("Input_PCM_Data_Format", names: HCICodes.pcmFormats)
    let outputPCMFormat = Field("Output_PCM_Data_Format", names: HCICodes.pcmFormats)
    let inputMSBPosition = Field("Input_PCM_Sample_Payload_MSB_Position")
    let outputMSBPosition = Field("Output_PCM_Sample_Payload_MSB_Position")
    let inputDataPath = Field("Input_Data_Path", .hex, names: HCICodes.dataPaths)
    let outputDataPath = Field("Output_Data_Path", .hex, names: HCICodes.dataPaths)
    let inputUnitSize = Field("Input_Transport_Unit_Size")
    let outputUnitSize = Field("Output_Transport_Unit_Size")

    // 7.7.20
    let currentMode = Field(
      "Current_Mode", names: [0: "Active", 1: "Hold", 2: "Sniff", 3: "Park"], inLine: true)
    let modeInterval = Field("Interval", unit: "0.625 ms", inLine: true)
    let holdMaxInterval = Field("Hold_Mode_Max_Interval", unit: "0.625 ms")
    let holdMinInterval = Field("Hold_Mode_Min_Interval", unit: "0.625 ms")
    let beaconMaxInterval = Field("Beacon_Max_Interval", unit: "0.625 ms")
    let beaconMinInterval = Field("Beacon_Min_Interval", unit: "0.625 ms")
    let sniffMaxInterval = Field("Sniff_Max_Interval", unit: "0.625 ms", inLine: true)
    let sniffMinInterval = Field("Sniff_Min_Interval", unit: "0.625 ms", inLine: true)
    let sniffAttempt = Field("Sniff_Attempt")
    let sniffTimeout = Field("Sniff_Timeout")
    let maximumLatency = Field("Max_Latency", unit: "0.625 ms")
    let maxTransmitLatency = Field("Max_Transmit_Latency", unit: "0.625 ms")
    let maxReceiveLatency = Field("Max_Receive_Latency", unit: "0.625 ms")
    let minRemoteTimeout = Field("Min_Remote_Timeout", unit: "0.625 ms")
    let minLocalTimeout = Field("Min_Local_Timeout", unit: "0.625 ms")
    // 7.2.10
    let linkPolicySettings = Field(
      "Link_Policy_Settings", .hex,
      flags: [
        0: "Role switch", 1: "Hold mode", 2: "Sniff mode", 3: "Park state",
      ], inLine: true)
    let unused = Field("Unused", .hex, role: .reserved)
    let flowDirection = Field("Flow_Direction", names: [0: "Outgoing Flow", 1: "Incoming Flow"])
    // 7.2.6
    let serviceType = Field(
      "Service_Type", names: [0: "No Traffic", 1: "Best Effort", 2: "Guaranteed"])
    let tokenRate = Field("Token_Rate", unit: "octets/s", structural: true)
    let tokenBucketSize = Field("Token_Bucket_Size", structural: true)
    let peakBandwidth = Field("Peak_Bandwidth", unit: "octets/s", structural: true)
    let qosLatency = Field("Latency", unit: "1 µs", structural: true)
    let delayVariation = Field("Delay_Variation", unit: "1 µs", structural: true)
    let accessLatency = Field("Access_Latency", unit: "1 µs", structural: true)
  }

  /// Keys, pairing and encryption. 7.1, 7.3, 7.7.
  struct Pairing: Sendable {
    let linkKey = Field("Link_Key", .bytes, secret: true, personal: .key)
    let keyType = Field("Key_Type", names: HCICodes.keyTypes, inLine: true)
    let keyFlag = Field(
      "Key_Flag", names: [0: "Semi-permanent link keys", 1: "Temporary link key"])
    let numKeys = Field("Num_Keys")
    let key = Field("Key", .list)
    let pinLength = Field("PIN_Code_Length")
    let pin = Field("PIN_Code", .bytes, secret: true, personal: .key)
    let encryptionEnabled = Field("Encryption_Enabled", names: HCICodes.encryption, inLine: true)
    let encryptionEnable = Field("Encryption_Enable", names: HCICodes.encryption, inLine: true)
    let keySize = Field("Encryption_Key_Size", inLine: true)
    let minKeySize = Field("Min_Encryption_Key_Size", inLine: true)
    let ioCapability = Field("IO_Capability", names: HCICodes.ioCapabilities, inLine: true)
    let oobDataPresent = Field("OOB_Data_Present", names: HCICodes.oobData)
    let authenticationRequirements = Field(
      "Authentication_Requirements", names: HCICodes.authenticationRequirements, inLine: true)
    let numericValue = Field("Numeric_Value", inLine: true, personal: .passkey)
    let passkey = Field("Passkey", personal: .passkey)
    // 7.7.48
    let keypress = Field(
      "Notification_Type",
      names: [
        0: "Passkey entry started", 1: "Passkey digit entered", 2: "Passkey digit erased",
        3: "Passkey cleared", 4: "Passkey entry completed",
      ], inLine: true)
    let hash = Field("C", .bytes, secret: true, personal: .key)
    let randomizer = Field("R", .bytes, secret: true, personal: .key)
    let hash192 = Field("C_192", .bytes, secret: true, personal: .key)
    let randomizer192 = Field("R_192", .bytes, secret: true, personal: .key)
    let hash256 = Field("C_256", .bytes, secret: true, personal: .key)
    let randomizer256 = Field("R_256", .bytes, secret: true, personal: .key)
    let simplePairingOptions = Field(
      "Simple_Pairing_Options", .hex, flags: [0: "Remote public key validation"])
    let maxKeySize = Field("Max_Encryption_Key_Size")
    let readAll = Field("Read_All", names: [0: "Of BD_ADDR", 1: "All"])
    let deleteAll = Field("Delete_All", names: [0: "Of BD_ADDR", 1: "All"])
    let maxNumKeys = Field("Max_Num_Keys")
    let numKeysRead = Field("Num_Keys_Read")
    let numKeysWritten = Field("Num_Keys_Written")
    let numKeysDeleted = Field("Num_Keys_Deleted")

    let longTermKey = Field("Long_Term_Key", .bytes, secret: true, personal: .key)
    let randomNumber = Field("Random_Number", .bytes, personal: .identifier)
    let encryptedDiversifier = Field(
      "Encrypted_Diversifier", .hex, inLine: true, personal: .identifier)
    let encryptionKey = Field("Key", .bytes, secret: true, personal: .key)
    let plaintext = Field("Plaintext_Data", .bytes)
    let encryptedData = Field("Encrypted_Data", .bytes)
    let publicKeyX = Field("Key_X_Coordinate", .bytes)
    let publicKeyY = Field("Key_Y_Coordinate", .bytes)
    let dhKey = Field("DH_Key", .bytes, secret: true, personal: .key)
    let dhKeyType = Field("Key_Type", names: [0: "Generated key", 1: "Debug key"])
    let peerIRK = Field(
      "Peer_IRK", .bytes, secret: true, personal: .key, role: .identityResolvingKey)
    let localIRK = Field(
      "Local_IRK", .bytes, secret: true, personal: .key, role: .identityResolvingKey)
    let peerRPA = Field("Peer_Resolvable_Address", .address, role: .randomAddress)
    let localRPA = Field("Local_Resolvable_Address", .address, role: .randomAddress)
    let rpaTimeout = Field("RPA_Timeout", unit: "s", inLine: true)
    let rpaTimeoutMin = Field("RPA_Timeout_Min", unit: "s", inLine: true)
    let rpaTimeoutMax = Field("RPA_Timeout_Max", unit: "s", inLine: true)
    let addressResolution = Field(
      "Address_Resolution_Enable", names: HCICodes.switches, inLine: true)
    let privacyMode = Field(
      "Privacy_Mode", names: [0: "Network Privacy Mode", 1: "Device Privacy Mode"], inLine: true)
    let listSize = Field("List_Size", inLine: true)
    let changeReasons = Field(
      "Change_Reasons", .hex,
      flags: [0: "Change of advertising data", 1: "Change of scan response data"])
  }
}
