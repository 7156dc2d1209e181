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
    let bqrTimeout = Field("LSTO", unit: "0.625 ms")
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

    private static let reports: [UInt64: StaticString] = [
      0x01: "Monitor mode", 0x02: "Approaching LSTO", 0x03: "A2DP audio choppy",
      0x04: "(e)SCO voice choppy", 0x05: "Root inflammation", 0x06: "Energy monitoring",
      0x07: "LE Audio choppy", 0x08: "Connect fail", 0x09: "Advance RF statistics",
      0x0A: "Advance RF statistics by monitor mode", 0x11: "LMP/LL message trace",
      0x12: "Bluetooth multi-link/coex scheduling trace", 0x13: "Controller debug information",
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
