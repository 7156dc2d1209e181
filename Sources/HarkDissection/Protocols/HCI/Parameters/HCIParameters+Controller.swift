extension HCIParameters {
  /// Controller and Baseband, status and testing commands. 7.3, 7.5, 7.6.
  struct Baseband: Sendable {
    let eventMask = Field("Event_Mask", .hex, flagTable: { HCIEventMasks.page1 })
    let eventMaskPage2 = Field("Event_Mask_Page_2", .hex, flagTable: { HCIEventMasks.page2 })
    // 7.3.3
    let filterType = Field(
      "Filter_Type",
      names: [
        0: "Clear All Filters", 1: "Inquiry Result", 2: "Connection Setup",
      ], inLine: true)
    let filterCondition = Field("Filter_Condition", .bytes)
    let filterConditionType = Field(
      "Filter_Condition_Type",
      names: [0: "All devices", 1: "Class_Of_Device", 2: "BD_ADDR"], inLine: true)
    let classOfDeviceMask = Field("Class_Of_Device_Mask", .hex, structural: true)
    let autoAccept = Field(
      "Auto_Accept_Flag",
      names: [1: "No", 2: "Yes, no role switch", 3: "Yes, with role switch"])
    let pinType = Field("PIN_Type", names: [0: "Variable PIN", 1: "Fixed PIN"])
    let localName = Field("Local_Name", .text, inLine: true, personal: .name)
    let acceptTimeout = Field("Connection_Accept_Timeout", unit: "0.625 ms", inLine: true)
    let pageTimeout = Field("Page_Timeout", unit: "0.625 ms", inLine: true)
    let extendedPageTimeout = Field("Extended_Page_Timeout", unit: "0.625 ms", inLine: true)
    // 7.3.18
    let scanEnable = Field(
      "Scan_Enable", .hex, flags: [0: "Inquiry Scan", 1: "Page Scan"], inLine: true)
    let pageScanInterval = Field("Page_Scan_Interval", unit: "0.625 ms")
    let pageScanWindow = Field("Page_Scan_Window", unit: "0.625 ms")
    let inquiryScanInterval = Field("Inquiry_Scan_Interval", unit: "0.625 ms")
    let inquiryScanWindow = Field("Inquiry_Scan_Window", unit: "0.625 ms")
    let authenticationEnable = Field(
      "Authentication_Enable", names: HCICodes.switches, inLine: true)
    let flushTimeout = Field(
      "Flush_Timeout", unit: "0.625 ms", special: [0: "no automatic flush"], inLine: true)
    let broadcastRetransmissions = Field("Num_Broadcast_Retransmissions")
    let holdModeActivity = Field("Hold_Mode_Activity", .hex)
    let powerLevelType = Field("Type", names: [0: "Current", 1: "Maximum"])
    let transmitPower = Field("TX_Power_Level", .signed, unit: "dBm", inLine: true)
    let powerGFSK = Field("TX_Power_Level_GFSK", .signed, unit: "dBm")
    let powerDQPSK = Field("TX_Power_Level_DQPSK", .signed, unit: "dBm")
    let power8DPSK = Field("TX_Power_Level_8DPSK", .signed, unit: "dBm")
    let synchronousFlowControl = Field(
      "Synchronous_Flow_Control_Enable", names: HCICodes.switches)
    // 7.3.38
    let flowControlEnable = Field(
      "Flow_Control_Enable",
      names: [
        0: "Off", 1: "On for ACL, off for synchronous data",
        2: "Off for ACL, on for synchronous data",
        3: "On",
      ], inLine: true)
    let hostACLLength = Field("Host_ACL_Data_Packet_Length", inLine: true)
    let hostSynchronousLength = Field("Host_Synchronous_Data_Packet_Length")
    let hostNumACL = Field("Host_Total_Num_ACL_Data_Packets", inLine: true)
    let hostNumSynchronous = Field("Host_Total_Num_Synchronous_Data_Packets")
    let numHandles = Field("Num_Handles")
    let completed = Field("Completed", .list)
    let numCompletedPackets = Field("Num_Completed_Packets", inLine: true)
    let numCompletedBlocks = Field("Num_Completed_Blocks")
    let hostNumCompletedPackets = Field("Host_Num_Completed_Packets", inLine: true)
    let linkSupervisionTimeout = Field(
      "Link_Supervision_Timeout", unit: "0.625 ms", special: [0: "none"], inLine: true)
    let numSupportedIAC = Field("Num_Support_IAC")
    let numCurrentIAC = Field("Num_Current_IAC")
    let iacLAP = Field("IAC_LAP", .hex, names: HCICodes.accessCodes)
    let channelClassification = Field("AFH_Host_Channel_Classification", .bytes, structural: true)
    let scanType = Field("Scan_Type", names: HCICodes.scanTypesBR)
    // 7.3.50
    let inquiryMode = Field(
      "Inquiry_Mode",
      names: [
        0: "Standard Inquiry Result", 1: "Inquiry Result with RSSI",
        2: "Inquiry Result with RSSI or Extended Inquiry Result",
      ], inLine: true)
    let pageScanType = Field("Page_Scan_Type", names: HCICodes.scanTypesBR)
    let assessmentMode = Field("AFH_Channel_Assessment_Mode", names: HCICodes.switches)
    let fecRequired = Field("FEC_Required", names: HCICodes.truths)
    let simplePairingMode = Field("Simple_Pairing_Mode", names: HCICodes.switches, inLine: true)
    let erroneousDataReporting = Field("Erroneous_Data_Reporting", names: HCICodes.switches)
    let packetTypeToFlush = Field(
      "Packet_Type", names: [0: "Automatically-Flushable Only"])
    let leSupportedHost = Field("LE_Supported_Host", names: HCICodes.switches, inLine: true)
    let secureConnections = Field(
      "Secure_Connections_Host_Support", names: HCICodes.switches, inLine: true)
    let authenticatedPayloadTimeout = Field(
      "Authenticated_Payload_Timeout", unit: "10 ms", inLine: true)
    let extendedInquiryLength = Field("Extended_Inquiry_Length", unit: "0.625 ms")
    let ecosystemInterval = Field("Interval", unit: "1.25 ms")
    let dataPathDirection = Field(
      "Data_Path_Direction", names: HCICodes.pathDirections, inLine: true)
    let dataPathID = Field("Data_Path_ID", .hex, names: HCICodes.dataPaths, inLine: true)
    let vendorConfigLength = Field("Vendor_Specific_Config_Length")
    let vendorConfig = Field("Vendor_Specific_Config", .bytes)
    let logicalTransport = Field("LT_ADDR")
    let trainInterval = Field("Sync_Train_Interval", unit: "0.625 ms")
    let trainIntervalMin = Field("Interval_Min", unit: "0.625 ms")
    let trainIntervalMax = Field("Interval_Max", unit: "0.625 ms")
    let trainTimeout = Field("synchronization_trainTO", unit: "0.625 ms")
    let trainServiceData = Field("Service_Data", .hex)
    let flowControlMode = Field(
      "Flow_Control_Mode", names: [0: "Packet based", 1: "Data block based"])

    let failedContacts = Field("Failed_Contact_Counter", inLine: true)
    let linkQuality = Field("Link_Quality", inLine: true)
    let afhMode = Field("AFH_Mode", names: HCICodes.switches)
    let afhChannelMap = Field("AFH_Channel_Map", .bytes, structural: true)
    let whichClock = Field("Which_Clock", names: [0: "Local Clock", 1: "Piconet Clock"])
    let clock = Field("Clock", unit: "0.3125 ms")
    let accuracy = Field("Accuracy", unit: "0.3125 ms", special: [0xFFFF: "unknown"])
    let loopbackMode = Field(
      "Loopback_Mode", names: [0: "No loopback", 1: "Local", 2: "Remote"], inLine: true)
    let debugMode = Field("Simple_Pairing_Debug_Mode", names: HCICodes.switches)
    let testMode = Field("Test_Mode", .hex, inLine: true)
    let hardwareCode = Field("Hardware_Code", .hex, inLine: true)
    let loopbackCommand = Field("HCI_Command_Packet", .bytes)
    let overflowLinkType = Field(
      "Link_Type", names: [0: "Synchronous", 1: "ACL", 2: "ISO"])
    let maxSlots = Field("LMP_Max_Slots", inLine: true)
  }

  /// What a Controller says about itself. 7.4, 7.8.
  struct Information: Sendable {
    let hciVersion = Field("HCI_Version", .hex, names: HCICodes.versions, inLine: true)
    let hciSubversion = Field("HCI_Subversion", .hex)
    let lmpVersion = Field("LMP_Version", .hex, names: HCICodes.versions)
    let lmpSubversion = Field("LMP_Subversion", .hex)
    let remoteVersion = Field("Version", .hex, names: HCICodes.versions, inLine: true)
    let remoteSubversion = Field("Subversion", .hex)
    let companyIdentifier = Field(
      "Company_Identifier", .hex,
      lookup: { AssignedNumbers.company(UInt16(truncatingIfNeeded: $0)) }, inLine: true)
    let supportedCommands = Field("Supported_Commands", .group)
    let commands0 = Field("Octets 0 to 7", .hex, flags: HCISupportedCommands.octets0)
    let commands8 = Field("Octets 8 to 15", .hex, flags: HCISupportedCommands.octets8)
    let commands16 = Field("Octets 16 to 23", .hex, flags: HCISupportedCommands.octets16)
    let commands24 = Field("Octets 24 to 31", .hex, flags: HCISupportedCommands.octets24)
    let commands32 = Field("Octets 32 to 39", .hex, flags: HCISupportedCommands.octets32)
    let commands40 = Field("Octets 40 to 47", .hex, flags: HCISupportedCommands.octets40)
    let commands48 = Field("Octets 48 to 55", .hex, flags: HCISupportedCommands.octets48)
    let commands56 = Field("Octets 56 to 63", .hex)
    let aclDataPacketLength = Field("ACL_Data_Packet_Length", inLine: true)
    let synchronousDataPacketLength = Field("Synchronous_Data_Packet_Length")
    let totalNumACLDataPackets = Field("Total_Num_ACL_Data_Packets", inLine: true)
    let totalNumSynchronousDataPackets = Field("Total_Num_Synchronous_Data_Packets")
    let leACLDataPacketLength = Field("LE_ACL_Data_Packet_Length", inLine: true)
    let totalNumLEACLDataPackets = Field("Total_Num_LE_ACL_Data_Packets", inLine: true)
    let isoDataPacketLength = Field("ISO_Data_Packet_Length", inLine: true)
    let totalNumISODataPackets = Field("Total_Num_ISO_Data_Packets", inLine: true)
    let maxBlockACLLength = Field("Max_ACL_Data_Packet_Length")
    let dataBlockLength = Field("Data_Block_Length")
    let totalNumDataBlocks = Field("Total_Num_Data_Blocks")
    let numStandardCodecs = Field("Num_Supported_Standard_Codecs")
    let standardCodec = Field("Standard_Codec", .list)
    let numVendorCodecs = Field("Num_Supported_Vendor_Specific_Codecs")
    let vendorCodec = Field("Vendor_Specific_Codec", .list)
    let codec = Field("Codec_ID", .group)
    let codingFormat = Field("Coding_Format", .hex, names: HCICodes.codingFormats, inLine: true)
    let codecCompany = Field("Company_ID", .hex)
    let vendorCodecID = Field("Vendor-Defined_Codec_ID", .hex)
    let codecTransport = Field(
      "Transport", .hex,
      flags: [0: "BR/EDR ACL", 1: "BR/EDR SCO and eSCO", 2: "LE CIS", 3: "LE BIS"])
    let transportType = Field(
      "Logical_Transport_Type",
      names: [0: "BR/EDR ACL", 1: "BR/EDR SCO or eSCO", 2: "LE CIS", 3: "LE BIS"])
    let codecDirection = Field("Direction", names: HCICodes.pathDirections)
    let numCapabilities = Field("Num_Codec_Capabilities")
    let capability = Field("Codec_Capability", .list)
    let capabilityLength = Field("Codec_Capability_Length")
    let capabilityData = Field("Codec_Capability_Data", .bytes)
    let codecConfigurationLength = Field("Codec_Configuration_Length")
    let codecConfiguration = Field("Codec_Configuration", .bytes)
    let controllerDelay = Field("Controller_Delay", unit: "1 µs")
    let minControllerDelay = Field("Min_Controller_Delay", unit: "1 µs")
    let maxControllerDelay = Field("Max_Controller_Delay", unit: "1 µs")
    let leFeatures = Field("LE_Features", .hex, flags: HCIFeatures.le)
    let allLEFeatures = Field("LE_Features", .group)
    let leFeaturesPage0 = Field("Page 0", .hex, flags: HCIFeatures.le)
    let leFeaturesPage1 = Field("Page 1", .hex, flags: HCIFeatures.lePage1)
    let leFeaturesMore = Field("Further pages", .bytes)
    let maxPage = Field("Max_Page")
    let maxRemotePage = Field("Max_Remote_Page")
    let maxValidPage = Field("Max_Valid_Page")
    let pagesRequested = Field("Pages_Requested")
    let leStates = Field("LE_States", .hex, flags: HCIFeatures.leStates)
  }
}
