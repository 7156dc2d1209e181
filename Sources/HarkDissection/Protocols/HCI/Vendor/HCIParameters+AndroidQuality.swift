extension HCIParameters {
  /// Bluetooth Quality Report of Android: source.android.com, HCI requirements.
  struct AndroidQuality: Sendable {
    let bqrReport = Field("Quality_Report_Id", .hex, names: reports, title: true)
    let bqrPacketType = Field("Packet_Types", .hex, names: packets)
    let bqrTXPower = Field("TX_Power_Level", .signed, unit: "dBm")
    let bqrRSSI = Field("RSSI", .signed, unit: "dBm", inLine: true)
    let bqrSNR = Field("SNR", unit: "dB")
    let bqrUnusedChannels = Field("Unused_AFH_Channel_Count")
    let bqrUnidealChannels = Field("AFH_Select_Unideal_Channel_Count")
    let bqrTimeout = Field("LSTO", unit: "0.3125 ms")
    let bqrClock = Field("Connection_Piconet_Clock", unit: "0.3125 ms")
    let bqrRetransmissions = Field("Retransmission_Count", inLine: true)
    let bqrNoRX = Field("No_RX_Count", inLine: true)
    let bqrNAK = Field("NAK_Count")
    let bqrLastACK = Field("Last_TX_ACK_Timestamp", unit: "0.3125 ms")
    let bqrFlowOff = Field("Flow_Off_Count")
    let bqrLastFlowOn = Field("Last_Flow_On_Timestamp", unit: "0.3125 ms")
    let bqrOverflow = Field("Buffer_Overflow_Bytes", unit: "octets")
    let bqrUnderflow = Field("Buffer_Underflow_Bytes", unit: "octets")
    let bqrCalibration = Field("Cal_Failed_Item_Count")
    let bqrTXTotal = Field("TX_Total_Packets")
    let bqrTXUnacked = Field("TX_UnAcked_Packets")
    let bqrTXFlushed = Field("TX_Flushed_Packets")
    let bqrTXLast = Field("TX_Last_Subevent_Packets")
    let bqrCRCErrors = Field("CRC_Error_Packets")
    let bqrDuplicates = Field("RX_Duplicate_Packets")
    let bqrUnreceived = Field("RX_UnReceived_Packets")
    let bqrVendor = Field("Vendor_Specific_Parameters", .bytes)
    let bqrError = Field("Error_Code", .hex, names: HCIError.names, inLine: true)
    let bqrVendorError = Field("Vendor_Specific_Error_Code", .hex, inLine: true)
    let bqrTrace = Field("Trace", .bytes)
    let bqrCurrent = Field("Average_Current_Consumption", unit: "mA", inLine: true)
    let bqrIdleTime = Field("Idle_Total_Time", unit: "ms")
    let bqrIdleCount = Field("Idle_State_Enter_Count")
    let bqrActiveTime = Field("Active_Total_Time", unit: "ms")
    let bqrActiveCount = Field("Active_State_Enter_Count")
    let bqrClassicTXTime = Field("BR_EDR_TX_Total_Time", unit: "ms")
    let bqrClassicTXCount = Field("BR_EDR_TX_State_Enter_Count")
    let bqrClassicTXPower = Field("BR_EDR_TX_Average_Power_Level", .signed, unit: "dBm")
    let bqrClassicRXTime = Field("BR_EDR_RX_Total_Time", unit: "ms")
    let bqrClassicRXCount = Field("BR_EDR_RX_State_Enter_Count")
    let bqrLETXTime = Field("LE_TX_Total_Time", unit: "ms")
    let bqrLETXCount = Field("LE_TX_State_Enter_Count")
    let bqrLETXPower = Field("LE_TX_Average_Power_Level", .signed, unit: "dBm")
    let bqrLERXTime = Field("LE_RX_Total_Time", unit: "ms")
    let bqrLERXCount = Field("LE_RX_State_Enter_Count")
    let bqrPeriod = Field("Report_Time_Duration", unit: "ms")
    let bqrRXOneChain = Field("RX_Active_One_Chain_Time", unit: "ms")
    let bqrRXTwoChains = Field("RX_Active_Two_Chain_Time", unit: "ms")
    let bqrInternalOneChain = Field("TX_iPA_Active_One_Chain_Time", unit: "ms")
    let bqrInternalTwoChains = Field("TX_iPA_Active_Two_Chain_Time", unit: "ms")
    let bqrExternalOneChain = Field("TX_ePA_Active_One_Chain_Time", unit: "ms")
    let bqrExternalTwoChains = Field("TX_ePA_Active_Two_Chain_Time", unit: "ms")
    let bqrClassicScanTime = Field("BR_EDR_RX_Active_Scan_Total_Time", unit: "ms")
    let bqrLEScanTime = Field("LE_RX_Active_Scan_Total_Time", unit: "ms")
    let bqrExtension = Field("Extension_Info", .hex)
    let bqrInternalBF = Field("TX_Power_iPA_BF")
    let bqrExternalBF = Field("TX_Power_ePA_BF")
    let bqrInternalDiv = Field("TX_Power_iPA_DIV")
    let bqrExternalDiv = Field("TX_Power_ePA_DIV")
    let bqrAbove50 = Field("RSSI_Chain_Over_50")
    let bqr50To55 = Field("RSSI_Chain_50_55")
    let bqr55To60 = Field("RSSI_Chain_55_60")
    let bqr60To65 = Field("RSSI_Chain_60_65")
    let bqr65To70 = Field("RSSI_Chain_65_70")
    let bqr70To75 = Field("RSSI_Chain_70_75")
    let bqr75To80 = Field("RSSI_Chain_75_80")
    let bqr80To85 = Field("RSSI_Chain_80_85")
    let bqr85To90 = Field("RSSI_Chain_85_90")
    let bqrBelow90 = Field("RSSI_Chain_Under_90")
    let bqrDeltaUnder2 = Field("RSSI_Delta_Under_2")
    let bqrDelta2To5 = Field("RSSI_Delta_2_5")
    let bqrDelta5To8 = Field("RSSI_Delta_5_8")
    let bqrDelta8To11 = Field("RSSI_Delta_8_11")
    let bqrDeltaOver11 = Field("RSSI_Delta_Over_11")

    private static let reports: [UInt64: StaticString] = [
      0x01: "Monitor mode", 0x02: "Approaching LSTO", 0x03: "A2DP audio choppy",
      0x04: "(e)SCO voice choppy", 0x05: "Root inflammation", 0x06: "Energy monitoring",
      0x07: "LE Audio choppy", 0x08: "Connect fail", 0x09: "Advance RF statistics",
      0x0A: "Advance RF statistics by monitor mode", 0x0B: "Controller health",
      0x0C: "Controller health by monitor mode", 0x10: "Vendor-specific quality",
      0x11: "LMP/LL message trace",
      0x12: "Bluetooth multi-link/coex scheduling trace", 0x13: "Controller debug information",
      0x16: "LE Audio broadcast source", 0x17: "Channel Sounding", 0x20: "Vendor-specific trace",
    ]
    private static let packets: [UInt64: StaticString] = [
      0x01: "ID", 0x02: "NULL", 0x03: "POLL", 0x04: "FHS", 0x05: "HV1", 0x06: "HV2", 0x07: "HV3",
      0x08: "DV", 0x09: "EV3", 0x0A: "EV4", 0x0B: "EV5", 0x0C: "2-EV3", 0x0D: "2-EV5",
      0x0E: "3-EV3", 0x0F: "3-EV5", 0x10: "DM1", 0x11: "DH1", 0x12: "DM3", 0x13: "DH3",
      0x14: "DM5", 0x15: "DH5", 0x16: "AUX1", 0x17: "2-DH1", 0x18: "2-DH3", 0x19: "2-DH5",
      0x1A: "3-DH1", 0x1B: "3-DH3", 0x1C: "3-DH5", 0x51: "ISO packet",
    ]
  }
}
