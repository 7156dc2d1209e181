/// Events: connections, links and inquiry. Core Specification, Vol 4, Part E, 7.7.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let b = HCIParameters.shared.baseband
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let synchronous: [Parameter] = [
    .u8(c.transmissionInterval), .u8(c.retransmissionWindow), .u16(c.rxPacketLength),
    .u16(c.txPacketLength),
  ]

  static let events: [Row] = inquiry + connections + links + controller

  private static let inquiry: [Row] = [
    Row(0x01, "HCI_Inquiry_Complete", [.u8(p.status)]),
    Row(
      0x02, "HCI_Inquiry_Result",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u16(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset),
          ])
      ]),
    Row(
      0x22, "HCI_Inquiry_Result_With_RSSI",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u8(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset), .u8(p.rssi),
          ])
      ]),
    Row(
      0x2F, "HCI_Extended_Inquiry_Result",
      [
        .each(
          c.numResponses, c.response,
          [
            .address(p.address), .u8(c.pageScanRepetitionMode), .u8(p.reserved),
            .classOfDevice(c.classOfDevice), .u16(c.clockOffset), .u8(p.rssi),
            .advertisingData(count: 240, p.advertising.data),
          ])
      ]),
    Row(0x56, "HCI_Inquiry_Response_Notification", [.u24(c.lap), .u8(p.rssi)]),
  ]

  private static let connections: [Row] = [
    Row(
      0x03, "HCI_Connection_Complete",
      handleStatus + [
        .address(p.address), .u8(c.linkType), .u8(p.pairing.encryptionEnabled),
      ]),
    Row(
      0x04, "HCI_Connection_Request",
      [.address(p.address), .classOfDevice(c.classOfDevice), .u8(c.linkType)]),
    Row(0x05, "HCI_Disconnection_Complete", handleStatus + [.u8(p.reason)]),
    Row(
      0x07, "HCI_Remote_Name_Request_Complete",
      [.u8(p.status), .address(p.address), .bytes(248, c.remoteName)]),
    Row(
      0x0B, "HCI_Read_Remote_Supported_Features_Complete",
      handleStatus + [.u64(c.lmpFeatures)]),
    Row(
      0x0C, "HCI_Read_Remote_Version_Information_Complete",
      handleStatus + [
        .u8(p.information.remoteVersion), .u16(p.information.companyIdentifier),
        .u16(p.information.remoteSubversion),
      ]),
    Row(0x1C, "HCI_Read_Clock_Offset_Complete", handleStatus + [.u16(c.clockOffset)]),
    Row(
      0x23, "HCI_Read_Remote_Extended_Features_Complete",
      handleStatus + [HCIFeatures.extendedPage]),
    Row(
      0x2C, "HCI_Synchronous_Connection_Complete",
      handleStatus + [.address(p.address), .u8(c.linkType)] + synchronous + [.u8(c.airMode)]),
    Row(0x2D, "HCI_Synchronous_Connection_Changed", handleStatus + synchronous),
    Row(
      0x3D, "HCI_Remote_Host_Supported_Features_Notification",
      [.address(p.address), .u64(c.hostSupportedFeatures)]),
    Row(0x53, "HCI_Truncated_Page_Complete", [.u8(p.status), .address(p.address)]),
    Row(0x54, "HCI_Peripheral_Page_Response_Timeout", []),
  ]

  private static let links: [Row] = [
    Row(
      0x0D, "HCI_QoS_Setup_Complete",
      handleStatus + [
        .u8(c.unused), .u8(c.serviceType), .u32(c.tokenRate), .u32(c.peakBandwidth),
        .u32(c.qosLatency), .u32(c.delayVariation),
      ]),
    Row(0x11, "HCI_Flush_Occurred", [.handle(p.handle)]),
    Row(0x12, "HCI_Role_Change", [.u8(p.status), .address(p.address), .u8(p.role)]),
    Row(
      0x14, "HCI_Mode_Change", handleStatus + [.u8(c.currentMode), .u16(c.modeInterval)]),
    Row(0x1B, "HCI_Max_Slots_Change", [.handle(p.handle), .u8(b.maxSlots)]),
    Row(
      0x1D, "HCI_Connection_Packet_Type_Changed", handleStatus + [.u16(c.packetType)]),
    Row(0x1E, "HCI_QoS_Violation", [.handle(p.handle)]),
    Row(
      0x20, "HCI_Page_Scan_Repetition_Mode_Change",
      [.address(p.address), .u8(c.pageScanRepetitionMode)]),
    Row(
      0x21, "HCI_Flow_Specification_Complete",
      handleStatus + [
        .u8(c.unused), .u8(c.flowDirection), .u8(c.serviceType), .u32(c.tokenRate),
        .u32(c.tokenBucketSize), .u32(c.peakBandwidth), .u32(c.accessLatency),
      ]),
    Row(
      0x2E, "HCI_Sniff_Subrating",
      handleStatus + [
        .u16(c.maxTransmitLatency), .u16(c.maxReceiveLatency), .u16(c.minRemoteTimeout),
        .u16(c.minLocalTimeout),
      ]),
    Row(
      0x38, "HCI_Link_Supervision_Timeout_Changed",
      [.handle(p.handle), .u16(b.linkSupervisionTimeout)]),
    Row(0x39, "HCI_Enhanced_Flush_Complete", [.handle(p.handle)]),
    Row(0x57, "HCI_Authenticated_Payload_Timeout_Expired", [.handle(p.handle)]),
  ]

  private static let controller: [Row] = [
    // Both are read by the dissector.
    Row(0x0E, "HCI_Command_Complete"),
    Row(0x0F, "HCI_Command_Status"),
    Row(0x10, "HCI_Hardware_Error", [.u8(b.hardwareCode)]),
    Row(
      0x13, "HCI_Number_Of_Completed_Packets",
      [.each(b.numHandles, b.completed, [.handle(p.handle), .u16(b.numCompletedPackets)])]),
    Row(0x19, "HCI_Loopback_Command", [.rest(b.loopbackCommand)]),
    Row(0x1A, "HCI_Data_Buffer_Overflow", [.u8(b.overflowLinkType)]),
    Row(0x3E, "HCI_LE_Meta"),
  ]
}
