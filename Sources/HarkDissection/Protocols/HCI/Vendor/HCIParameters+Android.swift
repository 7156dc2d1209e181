extension HCIParameters {
  /// Commands that Android requires of Controllers: source.android.com, HCI requirements.
  struct Android: Sendable {
    typealias Names = [UInt64: StaticString]

    let androidMaxInstances = Field("max_advt_instances")
    let androidResolution = Field("offloaded_resolution_of_private_address", names: HCICodes.truths)
    let androidScanStorage = Field("total_scan_results_storage", unit: "octets")
    let androidMaxIRKs = Field("max_irk_list_sz")
    let androidFiltering = Field("filtering_support", names: HCICodes.truths)
    let androidMaxFilter = Field("max_filter")
    let androidEnergyInfo = Field("activity_energy_info_support", names: HCICodes.truths)
    let androidVersion = Field("version_supported", .hex, inLine: true)
    let androidTracked = Field("total_num_of_advt_tracked")
    let androidExtendedScan = Field("extended_scan_support", names: HCICodes.truths)
    let androidDebugLogging = Field("debug_logging_supported", names: HCICodes.truths)
    let androidAddressGeneration = Field(
      "LE_address_generation_offloading_support", names: HCICodes.truths)
    let androidA2DPMask = Field("A2DP_source_offload_capability_mask", .hex, flags: codecs)
    let androidQuality = Field("bluetooth_quality_report_support", names: HCICodes.truths)
    let androidAudioBuffer = Field("dynamic_audio_buffer_support", .hex, flags: codecs)
    let androidA2DPv2 = Field("a2dp_offload_v2_support", names: HCICodes.truths)
    let androidISOFeedback = Field("iso_link_feedback_support", names: HCICodes.truths)
    let androidSniffOffload = Field("sniff_offload_support", names: HCICodes.truths)
    let androidBIGMap = Field("big_set_channel_map_classification_support", .hex)
    let androidHandleMin = Field("vendor_connection_handle_min", .hex)
    let androidHandleMax = Field("vendor_connection_handle_max", .hex)
    let androidProximity = Field(
      "connection_proximity_threshold_support", names: HCICodes.truths)
    let androidMore = Field("Further capabilities", .bytes)
    let androidMultiOpcode = Field(
      "Multi_advt_opcode", .hex,
      names: [
        1: "LE_Set_Multi_Advt_Param", 2: "LE_Set_Multi_Advt_Data", 3: "LE_Set_Multi_Scan_Rsp_Data",
        4: "LE_Set_Random_Addr", 5: "LE_Set_Multi_Advt_Enable",
      ], title: true)
    let androidInstance = Field("Adv_Instance", inLine: true)
    let androidOwnAddress = Field("Own_Address", .address)
    let androidTXPower = Field("TX_Power", .signed, unit: "dBm")
    let androidEnable = Field("enable", names: HCICodes.switches, inLine: true)
    let androidOther = Field("Parameters of the operation", .bytes)
    let androidRPAOpcode = Field(
      "RPA_Offload_Opcode", .hex,
      names: [
        1: "Enable", 2: "Add IRK", 3: "Remove IRK", 4: "Clear IRK list", 5: "Read IRK list entry",
      ], title: true)
    let androidIndex = Field("List_Index")
    let androidSpaces = Field("APCF_available_spaces", inLine: true)
    let androidBatchOpcode = Field(
      "Batch_scan_opcode", .hex,
      names: [
        1: "Enable", 2: "Set storage parameters", 3: "Set scan parameters",
        4: "Read result parameters",
      ], title: true)
    let androidFullMax = Field("Batch_scan_full_max_percentage", unit: "%")
    let androidTruncatedMax = Field("Batch_scan_truncated_max_percentage", unit: "%")
    let androidNotify = Field("Batch_scan_notify_threshold_percentage", unit: "%")
    let androidBatchMode = Field(
      "Batch_scan_mode", .hex, flags: [0: "Truncated mode", 1: "Full mode"])
    let androidDutyWindow = Field(
      "Duty_cycle_scan_window_slots", unit: "0.625 ms", structural: true)
    let androidDutyInterval = Field(
      "Duty_cycle_scan_interval_slots", unit: "0.625 ms", structural: true)
    let androidDiscard = Field("Batch_scan_discard_rule", names: [0: "Oldest", 1: "Weakest RSSI"])
    let androidDataRead = Field(
      "Batch_scan_data_read", names: [1: "Truncated mode", 2: "Full mode"], inLine: true)
    let androidNumResults = Field("Num_of_records", inLine: true)
    let androidResult = Field("Result", .list)
    let androidTimestamp = Field("timestamp", unit: "50 ms")
    let androidPacketLength = Field("adv_packet_len")
    let androidPacket = Field("adv_packet", .group)
    let androidScanLength = Field("scan_data_resp_len")
    let androidScan = Field("scan_data_resp", .group)
    let androidAPCFOpcode = Field("APCF_opcode", .hex, names: filters, title: true)
    let androidAction = Field(
      "APCF_Action", names: [0: "Add", 1: "Delete", 2: "Clear"], inLine: true)
    let androidFilterIndex = Field("APCF_Filter_Index", inLine: true)
    let androidFeatures = Field("APCF_Feature_Selection", .hex, flags: selections)
    let androidListLogic = Field("APCF_List_Logic_Type", .hex, flags: selections)
    let androidFilterLogic = Field("APCF_Filter_Logic_Type", names: [0: "OR", 1: "AND"])
    let androidRSSIHigh = Field("RSSI_High_Thresh", .signed, unit: "dBm")
    let androidDelivery = Field(
      "Delivery_mode", names: [0: "Immediate", 1: "On found", 2: "Batched"])
    let androidFoundTimeout = Field("onfound_timeout", unit: "ms")
    let androidFoundCount = Field("onfound_timeout_cnt")
    let androidRSSILow = Field("RSSI_Low_Thresh", .signed, unit: "dBm")
    let androidLostTimeout = Field("onlost_timeout", unit: "ms")
    let androidTrackingEntries = Field("num_of_tracking_entries")
    let androidBroadcaster = Field("APCF_Broadcaster_Address", .address, inLine: true)
    let androidBroadcasterType = Field(
      "APCF_Application_Address_Type", names: [0: "Public", 1: "Random", 2: "Not applicable"])
    let androidUUIDData = Field("APCF_UUID_Data", .bytes)
    let androidLocalName = Field("APCF_Local_Name", .text, inLine: true, personal: .name)
    let androidManufacturerData = Field("APCF_Manufacturer_Data", .bytes)
    let androidServiceData = Field("APCF_Service_Data", .bytes)
    let androidDiscoveryData = Field("APCF_Transport_Discovery_Data", .bytes)
    let androidADType = Field("APCF_AD_Type", .hex)
    let androidADLength = Field("APCF_AD_Data_Length")
    let androidADData = Field("APCF_AD_Data", .bytes)
    let androidADMask = Field("APCF_AD_Data_Mask", .bytes)
    let androidExtendedFeatures = Field(
      "APCF_Extended_Features", .hex,
      flags: [0: "Transport Discovery Data filter", 1: "AD type filter"])
    let androidTXTime = Field("total_tx_time_ms", unit: "ms", inLine: true)
    let androidRXTime = Field("total_rx_time_ms", unit: "ms", inLine: true)
    let androidIdleTime = Field("total_idle_time_ms", unit: "ms")
    let androidEnergy = Field("total_energy_used", unit: "µA · V · ms", inLine: true)
    let androidScanType = Field("LE_Ex_Scan_Type", names: HCICodes.scanTypes)
    let androidScanInterval = Field("LE_Ex_Scan_Interval", unit: "0.625 ms", structural: true)
    let androidScanWindow = Field("LE_Ex_Scan_Window", unit: "0.625 ms", structural: true)
    let androidScanPolicy = Field(
      "LE_Ex_Scan_Filter_Policy", names: [0: "Accept all", 1: "Filter Accept List"])
    let androidA2DPOpcode = Field(
      "A2DP_offload_opcode", .hex,
      names: [
        1: "Start A2DP offload (legacy)", 2: "Stop A2DP offload (legacy)", 3: "Start A2DP offload",
        4: "Stop A2DP offload",
      ], title: true)
    let androidCodec = Field("Codec", .hex, flags: codecs, inLine: true)
    let androidMaxLatency = Field("Max_Latency", unit: "ms")
    let androidSCMST = Field("SCMS-T_Enable", .hex)
    let androidSampling = Field(
      "Sampling_Frequency", .hex,
      flags: [
        0: "44100 Hz", 1: "48000 Hz", 2: "88200 Hz", 3: "96000 Hz", 4: "176400 Hz", 5: "192000 Hz",
      ])
    let androidBits = Field("Bits_Per_Sample", .hex, flags: [0: "16", 1: "24", 2: "32"])
    let androidChannels = Field("Channel_Mode", .hex, flags: [0: "Mono", 1: "Stereo"])
    let androidBitrate = Field("Encoded_Audio_Bitrate", unit: "bit/s", structural: true)
    let androidCID = Field("L2CAP_Channel_ID", .hex)
    let androidMTU = Field("L2CAP_MTU_Size")
    let androidCodecInformation = Field("Codec_Information", .bytes)
    let androidPathDirection = Field(
      "Data_Path_Direction", names: [0: "Output (AVDTP source)", 1: "Input (AVDTP sink)"])
    let androidPeerMTU = Field("Peer_MTU")
    let androidCPEnable = Field("CP_Enable_SCMST", names: HCICodes.switches)
    let androidCPHeader = Field("CP_Header_SCMST", .hex)
    let androidVendorLength = Field("Vendor_Specific_Parameters_Length")
    let androidVendor = Field("Vendor_Specific_Parameters", .bytes)
    let androidReportAction = Field(
      "Report_Action", names: [0: "Add", 1: "Delete", 2: "Clear", 3: "Read"], inLine: true)
    let androidQualityMask = Field("Quality_Event_Mask", .hex, flags: qualityEvents)
    let androidReportInterval = Field("Minimum_Report_Interval", unit: "ms")
    let androidVendorMask = Field("Vendor_Specific_Quality_Event_Mask", .hex)
    let androidTraceMask = Field("Vendor_Specific_Trace_Mask", .hex)
    let androidMultiple = Field("Report_interval_multiple")
    let androidCurrentMask = Field("Current_Quality_Event_Mask", .hex, flags: qualityEvents)
    let androidBufferOpcode = Field(
      "Dynamic_Audio_Buffer_opcode", .hex,
      names: [1: "Get audio buffer time capability", 2: "Set audio buffer time"], title: true)
    let androidBufferTime = Field("Audio_Codec_Buffer_Time", unit: "ms")
    let androidCurrentTime = Field("Current_buffer_time", unit: "ms")
    let androidBufferCodecs = Field("Audio_Codec_Type_Supported", .hex, flags: codecs)
    let androidBufferTimes = Field("Audio_Codec_Buffer_Times", .list)
    let androidBufferDefault = Field("Default_Time", unit: "ms")
    let androidBufferMax = Field("Maximum_Time", unit: "ms")
    let androidBufferMin = Field("Minimum_Time", unit: "ms")
    let androidReason = Field("State_Change_Reason", names: [0: "Connection received"])
    let androidState = Field("advertiser_state", names: [0: "Found", 1: "Lost"], inLine: true)
    let androidInfoPresent = Field("advt_info_present", names: [0: "Yes", 1: "No"])
    let androidBlockOffset = Field("debug_block_byte_offset_start")
    let androidLastBlock = Field("last_block", names: HCICodes.truths)
    let androidDebugLength = Field("cur_pay_load_sz")
    let androidDebugData = Field("debug_data", .bytes)

    private static let codecs: Names = [
      0: "SBC", 1: "AAC", 2: "aptX", 3: "aptX HD", 4: "LDAC", 5: "LC3",
    ]
    private static let filters: Names = [
      0x00: "Enable", 0x01: "Set filtering parameters", 0x02: "Broadcaster address",
      0x03: "Service UUID", 0x04: "Service solicitation UUID", 0x05: "Local name",
      0x06: "Manufacturer data", 0x07: "Service data", 0x08: "Transport discovery service",
      0x09: "AD type filter", 0xFF: "Read extended features",
    ]
    private static let selections: Names = [
      0: "Broadcaster address", 1: "Service data change", 2: "Service UUID",
      3: "Service solicitation UUID", 4: "Local name", 5: "Manufacturer data",
      6: "Service data", 7: "Transport discovery data", 8: "AD type",
    ]
    private static let qualityEvents: Names = [
      0: "Quality monitoring", 1: "Approaching LSTO", 2: "A2DP audio choppy",
      3: "(e)SCO voice choppy", 4: "Root inflammation", 5: "Energy monitoring",
      6: "LE Audio choppy", 7: "Connect fail", 8: "Advance RF statistics",
      9: "Advance RF statistics by monitor mode",
      10: "Controller health", 11: "Controller health by monitor mode",
      12: "LE Audio broadcast source", 13: "LE Audio broadcast source by monitor mode",
      14: "Channel Sounding", 15: "Vendor-specific quality event",
      16: "LMP/LL message trace", 17: "Bluetooth multi-link/coex scheduling trace",
      18: "Controller debug information", 31: "Vendor-specific trace",
    ]
  }
}
