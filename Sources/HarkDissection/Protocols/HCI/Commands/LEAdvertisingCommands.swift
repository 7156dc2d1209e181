/// LE Controller commands: advertising, extended advertising, periodic advertising.
/// Core Specification, Vol 4, Part E, 7.8.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let peer = [
    Parameter.u8(HCIParameters.shared.le.peerAddressType),
    .address(HCIParameters.shared.le.peerAddress),
  ]
  private static let extendedParameters: [Parameter] = [
    .u8(a.advertisingHandle), .u16(a.properties), .u24(a.primaryIntervalMin),
    .u24(a.primaryIntervalMax), .u8(a.advertisingChannelMap), .u8(a.ownAddressType), peer[0],
    peer[1], .u8(a.filterPolicy), .u8(a.advertisingTXPower), .u8(a.primaryPHY), .u8(a.maxSkip),
    .u8(a.secondaryPHY), .u8(a.sid), .u8(a.scanRequestNotification),
  ]
  private static let extendedData: [Parameter] = [
    .u8(a.advertisingHandle), .u8(a.operation), .u8(a.fragmentPreference),
    .advertisingData(a.dataLength, a.data, partOf: .ownSet),
  ]
  private static let periodicParameters: [Parameter] = [
    .u8(a.advertisingHandle), .u16(a.periodicIntervalMin), .u16(a.periodicIntervalMax),
    .u16(a.periodicProperties),
  ]

  static let leAdvertising: [Row] = legacyAdvertising + extendedAdvertising + periodicAdvertising

  private static let legacyAdvertising: [Row] = [
    Row(0x2005, "HCI_LE_Set_Random_Address", [.address(a.randomAddress)]),
    Row(
      0x2006, "HCI_LE_Set_Advertising_Parameters",
      [
        .u16(a.advertisingIntervalMin), .u16(a.advertisingIntervalMax), .u8(a.advertisingType),
        .u8(a.ownAddressType), peer[0], peer[1], .u8(a.advertisingChannelMap),
        .u8(a.filterPolicy),
      ]),
    Row(
      0x2007, "HCI_LE_Read_Advertising_Physical_Channel_Tx_Power", [],
      returns: [.u8(p.status), .u8(p.le.txPowerLevel)]),
    Row(
      0x2008, "HCI_LE_Set_Advertising_Data",
      [.advertisingData(a.dataLength, a.data, paddedTo: 31)]),
    Row(
      0x2009, "HCI_LE_Set_Scan_Response_Data",
      [.advertisingData(a.dataLength, a.data, paddedTo: 31)]),
    Row(0x200A, "HCI_LE_Set_Advertising_Enable", [.u8(a.advertisingEnable)]),
  ]

  private static let extendedAdvertising: [Row] = [
    Row(
      0x2035, "HCI_LE_Set_Advertising_Set_Random_Address",
      [.u8(a.advertisingHandle), .address(a.randomAddress)]),
    Row(
      0x2036, "HCI_LE_Set_Extended_Advertising_Parameters", extendedParameters,
      returns: [.u8(p.status), .u8(a.selectedTXPower)]),
    Row(0x2037, "HCI_LE_Set_Extended_Advertising_Data", extendedData),
    Row(0x2038, "HCI_LE_Set_Extended_Scan_Response_Data", extendedData),
    Row(
      0x2039, "HCI_LE_Set_Extended_Advertising_Enable",
      [
        .u8(a.enable),
        .each(a.numSets, a.set, [.u8(a.advertisingHandle), .u16(a.duration), .u8(a.maxEvents)]),
      ]),
    Row(
      0x203A, "HCI_LE_Read_Maximum_Advertising_Data_Length", [],
      returns: [.u8(p.status), .u16(a.maxDataLength)]),
    Row(
      0x203B, "HCI_LE_Read_Number_Of_Supported_Advertising_Sets", [],
      returns: [.u8(p.status), .u8(a.numSupportedSets)]),
    Row(0x203C, "HCI_LE_Remove_Advertising_Set", [.u8(a.advertisingHandle)]),
    Row(0x203D, "HCI_LE_Clear_Advertising_Sets", []),
    Row(
      0x207C, "HCI_LE_Set_Data_Related_Address_Changes",
      [.u8(a.advertisingHandle), .u8(p.pairing.changeReasons)]),
    Row(
      0x207F, "HCI_LE_Set_Extended_Advertising_Parameters [v2]",
      extendedParameters + [.u8(a.primaryPHYOptions), .u8(a.secondaryPHYOptions)],
      returns: [.u8(p.status), .u8(a.selectedTXPower)]),
    Row(
      0x2080, "HCI_LE_Set_Decision_Data",
      [
        .u8(a.advertisingHandle), .u8(a.decisionTypeFlags),
        .counted(a.decisionDataLength, a.decisionData),
      ]),
    Row(
      0x2081, "HCI_LE_Set_Decision_Instructions",
      [
        .each(
          a.numTests, a.test,
          [.u8(a.testFlags), .u8(a.testField), .bytes(16, a.testParameters)])
      ]),
  ]

  private static let periodicAdvertising: [Row] = [
    Row(0x203E, "HCI_LE_Set_Periodic_Advertising_Parameters", periodicParameters),
    Row(
      0x203F, "HCI_LE_Set_Periodic_Advertising_Data",
      [
        .u8(a.advertisingHandle), .u8(a.operation),
        .advertisingData(a.dataLength, a.data, partOf: .ownTrain),
      ]),
    Row(
      0x2040, "HCI_LE_Set_Periodic_Advertising_Enable",
      [.u8(a.periodicEnable), .u8(a.advertisingHandle)]),
    Row(
      0x205B, "HCI_LE_Periodic_Advertising_Set_Info_Transfer",
      [.handle(p.handle), .u16(a.serviceData), .u8(a.advertisingHandle)],
      returns: [.u8(p.status), .handle(p.handle)]),
    Row(
      0x2082, "HCI_LE_Set_Periodic_Advertising_Subevent_Data",
      [
        .u8(a.advertisingHandle),
        .each(
          a.numSubevents, a.subeventData,
          [
            .u8(a.subeventNumber), .u8(a.responseSlotStart), .u8(a.responseSlotCount),
            .advertisingData(a.subeventDataLength, a.data),
          ]),
      ], returns: [.u8(p.status), .u8(a.advertisingHandle)]),
    Row(
      0x2083, "HCI_LE_Set_Periodic_Advertising_Response_Data",
      [
        .u12(a.syncHandle), .u16(a.requestEvent), .u8(a.requestSubevent),
        .u8(a.responseSubevent), .u8(a.responseSlot),
        .advertisingData(a.responseDataLength, a.data),
      ], returns: [.u8(p.status), .u12(a.syncHandle)]),
    Row(
      0x2086, "HCI_LE_Set_Periodic_Advertising_Parameters [v2]",
      periodicParameters + [
        .u8(a.numSubevents), .u8(a.subeventInterval), .u8(a.responseSlotDelay),
        .u8(a.responseSlotSpacing), .u8(a.numResponseSlots),
      ], returns: [.u8(p.status), .u8(a.advertisingHandle)]),
  ]
}
