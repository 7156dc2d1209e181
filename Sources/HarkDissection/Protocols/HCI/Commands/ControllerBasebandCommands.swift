/// Controller and Baseband commands. Core Specification, Vol 4, Part E, 7.3.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let b = HCIParameters.shared.baseband
  private static let t = HCIParameters.shared.broadcast
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let extendedInquiryResponse: [Parameter] = [
    .u8(b.fecRequired), .advertisingData(count: 240, HCIParameters.shared.advertising.data),
  ]

  static let controllerBaseband: [Row] = controller + settings + later + mobileWireless + earlier

  /// A condition of an event filter, and what follows each.
  private static func condition(_ further: [Parameter]) -> [Parameter] {
    [
      .choice(
        b.filterConditionType,
        [
          0: further, 1: [.classOfDevice(c.classOfDevice), .u24(b.classOfDeviceMask)] + further,
          2: [.address(p.address)] + further,
        ], orElse: b.filterCondition)
    ]
  }

  /// A pair of commands that read and write the same parameters.
  private static func setting(
    _ read: UInt16, _ readName: StaticString, _ write: UInt16, _ writeName: StaticString,
    _ parameters: [Parameter]
  ) -> [Row] {
    [
      Row(read, readName, [], returns: [.u8(p.status)] + parameters),
      Row(write, writeName, parameters),
    ]
  }

  private static let controller: [Row] = [
    Row(0x0C01, "HCI_Set_Event_Mask", [.u64(b.eventMask)]),
    Row(0x0C03, "HCI_Reset", []),
    Row(
      0x0C05, "HCI_Set_Event_Filter",
      [
        .choice(
          b.filterType, [0: [], 1: condition([]), 2: condition([.u8(b.autoAccept)])],
          orElse: b.filterCondition)
      ]),
    Row(0x0C08, "HCI_Flush", [.handle(p.handle)], returns: handleStatus),
    Row(
      0x0C0D, "HCI_Read_Stored_Link_Key", [.address(p.address), .u8(pairing.readAll)],
      returns: [.u8(p.status), .u16(pairing.maxNumKeys), .u16(pairing.numKeysRead)]),
    Row(
      0x0C11, "HCI_Write_Stored_Link_Key",
      [
        .each(
          pairing.numKeys, pairing.key, [.address(p.address), .bytes(16, pairing.linkKey)])
      ], returns: [.u8(p.status), .u8(pairing.numKeysWritten)]),
    Row(
      0x0C12, "HCI_Delete_Stored_Link_Key", [.address(p.address), .u8(pairing.deleteAll)],
      returns: [.u8(p.status), .u16(pairing.numKeysDeleted)]),
    Row(0x0C13, "HCI_Write_Local_Name", [.bytes(248, b.localName)]),
    Row(
      0x0C14, "HCI_Read_Local_Name", [], returns: [.u8(p.status), .bytes(248, b.localName)]),
    Row(
      0x0C27, "HCI_Read_Automatic_Flush_Timeout", [.handle(p.handle)],
      returns: handleStatus + [.u16(b.flushTimeout)]),
    Row(
      0x0C28, "HCI_Write_Automatic_Flush_Timeout", [.handle(p.handle), .u16(b.flushTimeout)],
      returns: handleStatus),
    Row(
      0x0C2D, "HCI_Read_Transmit_Power_Level", [.handle(p.handle), .u8(b.powerLevelType)],
      returns: handleStatus + [.u8(b.transmitPower)]),
    Row(0x0C31, "HCI_Set_Controller_To_Host_Flow_Control", [.u8(b.flowControlEnable)]),
    Row(
      0x0C33, "HCI_Host_Buffer_Size",
      [
        .u16(b.hostACLLength), .u8(b.hostSynchronousLength), .u16(b.hostNumACL),
        .u16(b.hostNumSynchronous),
      ]),
    Row(
      0x0C35, "HCI_Host_Number_Of_Completed_Packets",
      [
        .each(
          b.numHandles, b.completed, [.handle(p.handle), .u16(b.hostNumCompletedPackets)])
      ]),
    Row(
      0x0C36, "HCI_Read_Link_Supervision_Timeout", [.handle(p.handle)],
      returns: handleStatus + [.u16(b.linkSupervisionTimeout)]),
    Row(
      0x0C37, "HCI_Write_Link_Supervision_Timeout",
      [.handle(p.handle), .u16(b.linkSupervisionTimeout)], returns: handleStatus),
    Row(
      0x0C38, "HCI_Read_Number_Of_Supported_IAC", [],
      returns: [.u8(p.status), .u8(b.numSupportedIAC)]),
    Row(
      0x0C3F, "HCI_Set_AFH_Host_Channel_Classification",
      [.bytes(10, b.channelClassification)]),
  ]

  private static let settings = [
    setting(0x0C09, "HCI_Read_PIN_Type", 0x0C0A, "HCI_Write_PIN_Type", [.u8(b.pinType)]),
    setting(
      0x0C15, "HCI_Read_Connection_Accept_Timeout",
      0x0C16, "HCI_Write_Connection_Accept_Timeout", [.u16(b.acceptTimeout)]),
    setting(
      0x0C17, "HCI_Read_Page_Timeout", 0x0C18, "HCI_Write_Page_Timeout", [.u16(b.pageTimeout)]),
    setting(
      0x0C19, "HCI_Read_Scan_Enable", 0x0C1A, "HCI_Write_Scan_Enable", [.u8(b.scanEnable)]),
    setting(
      0x0C1B, "HCI_Read_Page_Scan_Activity", 0x0C1C, "HCI_Write_Page_Scan_Activity",
      [.u16(b.pageScanInterval), .u16(b.pageScanWindow)]),
    setting(
      0x0C1D, "HCI_Read_Inquiry_Scan_Activity", 0x0C1E, "HCI_Write_Inquiry_Scan_Activity",
      [.u16(b.inquiryScanInterval), .u16(b.inquiryScanWindow)]),
    setting(
      0x0C1F, "HCI_Read_Authentication_Enable", 0x0C20, "HCI_Write_Authentication_Enable",
      [.u8(b.authenticationEnable)]),
    setting(
      0x0C23, "HCI_Read_Class_Of_Device", 0x0C24, "HCI_Write_Class_Of_Device",
      [.classOfDevice(c.classOfDevice)]),
    setting(
      0x0C25, "HCI_Read_Voice_Setting", 0x0C26, "HCI_Write_Voice_Setting",
      [.u16(c.voiceSetting)]),
    setting(
      0x0C29, "HCI_Read_Num_Broadcast_Retransmissions",
      0x0C2A, "HCI_Write_Num_Broadcast_Retransmissions", [.u8(b.broadcastRetransmissions)]),
    setting(
      0x0C2B, "HCI_Read_Hold_Mode_Activity", 0x0C2C, "HCI_Write_Hold_Mode_Activity",
      [.u8(b.holdModeActivity)]),
    setting(
      0x0C2E, "HCI_Read_Synchronous_Flow_Control_Enable",
      0x0C2F, "HCI_Write_Synchronous_Flow_Control_Enable", [.u8(b.synchronousFlowControl)]),
    setting(
      0x0C39, "HCI_Read_Current_IAC_LAP", 0x0C3A, "HCI_Write_Current_IAC_LAP",
      [.each(b.numCurrentIAC, .u24(b.iacLAP))]),
    setting(
      0x0C42, "HCI_Read_Inquiry_Scan_Type", 0x0C43, "HCI_Write_Inquiry_Scan_Type",
      [.u8(b.scanType)]),
    setting(
      0x0C44, "HCI_Read_Inquiry_Mode", 0x0C45, "HCI_Write_Inquiry_Mode", [.u8(b.inquiryMode)]),
    setting(
      0x0C46, "HCI_Read_Page_Scan_Type", 0x0C47, "HCI_Write_Page_Scan_Type",
      [.u8(b.pageScanType)]),
    setting(
      0x0C48, "HCI_Read_AFH_Channel_Assessment_Mode",
      0x0C49, "HCI_Write_AFH_Channel_Assessment_Mode", [.u8(b.assessmentMode)]),
    setting(
      0x0C51, "HCI_Read_Extended_Inquiry_Response",
      0x0C52, "HCI_Write_Extended_Inquiry_Response", extendedInquiryResponse),
    setting(
      0x0C55, "HCI_Read_Simple_Pairing_Mode", 0x0C56, "HCI_Write_Simple_Pairing_Mode",
      [.u8(b.simplePairingMode)]),
    setting(
      0x0C5A, "HCI_Read_Default_Erroneous_Data_Reporting",
      0x0C5B, "HCI_Write_Default_Erroneous_Data_Reporting", [.u8(b.erroneousDataReporting)]),
    setting(
      0x0C66, "HCI_Read_Flow_Control_Mode", 0x0C67, "HCI_Write_Flow_Control_Mode",
      [.u8(b.flowControlMode)]),
    setting(
      0x0C6C, "HCI_Read_LE_Host_Support", 0x0C6D, "HCI_Write_LE_Host_Support",
      [.u8(b.leSupportedHost), .u8(c.unused)]),
    setting(
      0x0C79, "HCI_Read_Secure_Connections_Host_Support",
      0x0C7A, "HCI_Write_Secure_Connections_Host_Support", [.u8(b.secureConnections)]),
    setting(
      0x0C7E, "HCI_Read_Extended_Page_Timeout", 0x0C7F, "HCI_Write_Extended_Page_Timeout",
      [.u16(b.extendedPageTimeout)]),
    setting(
      0x0C80, "HCI_Read_Extended_Inquiry_Length", 0x0C81, "HCI_Write_Extended_Inquiry_Length",
      [.u16(b.extendedInquiryLength)]),
  ].flatMap(\.self)

  private static let later: [Row] = [
    Row(0x0C53, "HCI_Refresh_Encryption_Key", [.handle(p.handle)]),
    Row(
      0x0C57, "HCI_Read_Local_OOB_Data", [],
      returns: [.u8(p.status), .bytes(16, pairing.hash), .bytes(16, pairing.randomizer)]),
    Row(
      0x0C58, "HCI_Read_Inquiry_Response_Transmit_Power_Level", [],
      returns: [.u8(p.status), .u8(b.transmitPower)]),
    Row(0x0C59, "HCI_Write_Inquiry_Transmit_Power_Level", [.u8(b.transmitPower)]),
    Row(0x0C5F, "HCI_Enhanced_Flush", [.handle(p.handle), .u8(b.packetTypeToFlush)]),
    Row(
      0x0C60, "HCI_Send_Keypress_Notification", [.address(p.address), .u8(pairing.keypress)],
      returns: [.u8(p.status), .address(p.address)]),
    Row(0x0C63, "HCI_Set_Event_Mask_Page_2", [.u64(b.eventMaskPage2)]),
    Row(
      0x0C68, "HCI_Read_Enhanced_Transmit_Power_Level",
      [.handle(p.handle), .u8(b.powerLevelType)],
      returns: handleStatus + [.u8(b.powerGFSK), .u8(b.powerDQPSK), .u8(b.power8DPSK)]),
    Row(
      0x0C74, "HCI_Set_Reserved_LT_ADDR", [.u8(b.logicalTransport)],
      returns: [.u8(p.status), .u8(b.logicalTransport)]),
    Row(
      0x0C75, "HCI_Delete_Reserved_LT_ADDR", [.u8(b.logicalTransport)],
      returns: [.u8(p.status), .u8(b.logicalTransport)]),
    Row(
      0x0C76, "HCI_Set_Connectionless_Peripheral_Broadcast_Data",
      [
        .u8(b.logicalTransport), .u8(t.fragment), .counted(t.cpbDataLength, t.cpbData),
      ], returns: [.u8(p.status), .u8(b.logicalTransport)]),
    Row(
      0x0C77, "HCI_Read_Synchronization_Train_Parameters", [],
      returns: [
        .u8(p.status), .u16(b.trainInterval), .u32(b.trainTimeout), .u8(b.trainServiceData),
      ]),
    Row(
      0x0C78, "HCI_Write_Synchronization_Train_Parameters",
      [
        .u16(b.trainIntervalMin), .u16(b.trainIntervalMax), .u32(b.trainTimeout),
        .u8(b.trainServiceData),
      ], returns: [.u8(p.status), .u16(b.trainInterval)]),
    Row(
      0x0C7B, "HCI_Read_Authenticated_Payload_Timeout", [.handle(p.handle)],
      returns: handleStatus + [.u16(b.authenticatedPayloadTimeout)]),
    Row(
      0x0C7C, "HCI_Write_Authenticated_Payload_Timeout",
      [.handle(p.handle), .u16(b.authenticatedPayloadTimeout)], returns: handleStatus),
    Row(
      0x0C7D, "HCI_Read_Local_OOB_Extended_Data", [],
      returns: [
        .u8(p.status), .bytes(16, pairing.hash192), .bytes(16, pairing.randomizer192),
        .bytes(16, pairing.hash256), .bytes(16, pairing.randomizer256),
      ]),
    Row(0x0C82, "HCI_Set_Ecosystem_Base_Interval", [.u16(b.ecosystemInterval)]),
    Row(
      0x0C83, "HCI_Configure_Data_Path",
      [
        .u8(b.dataPathDirection), .u8(b.dataPathID),
        .counted(b.vendorConfigLength, b.vendorConfig),
      ]),
    Row(0x0C84, "HCI_Set_Min_Encryption_Key_Size", [.u8(pairing.minKeySize)]),
  ]

  /// Commands of earlier editions.
  private static let earlier: [Row] = [
    Row(0x0C0B, "HCI_Create_New_Unit_Key", []),
    Row(
      0x0C21, "HCI_Read_Encryption_Mode", [], returns: [.u8(p.status), .u8(p.amp.encryptionMode)]),
    Row(0x0C22, "HCI_Write_Encryption_Mode", [.u8(p.amp.encryptionMode)]),
    Row(
      0x0C3B, "HCI_Read_Page_Scan_Period_Mode", [],
      returns: [.u8(p.status), .u8(p.amp.pageScanPeriodMode)]),
    Row(0x0C3C, "HCI_Write_Page_Scan_Period_Mode", [.u8(p.amp.pageScanPeriodMode)]),
    Row(
      0x0C3D, "HCI_Read_Page_Scan_Mode", [], returns: [.u8(p.status), .u8(p.amp.pageScanMode)]),
    Row(0x0C3E, "HCI_Write_Page_Scan_Mode", [.u8(p.amp.pageScanMode)]),
    Row(
      0x0C61, "HCI_Read_Logical_Link_Accept_Timeout", [],
      returns: [.u8(p.status), .u16(p.amp.logicalTimeout)]),
    Row(0x0C62, "HCI_Write_Logical_Link_Accept_Timeout", [.u16(p.amp.logicalTimeout)]),
    Row(0x0C64, "HCI_Read_Location_Data", [], returns: [.u8(p.status)] + location),
    Row(0x0C65, "HCI_Write_Location_Data", location),
    Row(
      0x0C69, "HCI_Read_Best_Effort_Flush_Timeout", [.u16(p.amp.logicalLink)],
      returns: [.u8(p.status), .u32(p.amp.bestEffortTimeout)]),
    Row(
      0x0C6A, "HCI_Write_Best_Effort_Flush_Timeout",
      [.u16(p.amp.logicalLink), .u32(p.amp.bestEffortTimeout)]),
    Row(
      0x0C6B, "HCI_Short_Range_Mode", [.u8(p.amp.physicalLink), .u8(p.amp.shortRangeMode)]),
  ]
  private static let location: [Parameter] = [
    .u8(p.amp.domainAware), .u16(p.amp.domain), .u8(p.amp.domainOptions),
    .u8(p.amp.locationOptions),
  ]
}
