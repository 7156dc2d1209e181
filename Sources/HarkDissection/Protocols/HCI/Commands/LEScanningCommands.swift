/// LE Controller commands: scanning, lists of devices, periodic advertising synchronization.
/// Core Specification, Vol 4, Part E, 7.8.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let a = HCIParameters.shared.advertising
  private static let pairing = HCIParameters.shared.pairing
  private static let device: [Parameter] = [.u8(a.addressType), .address(p.address)]
  private static let advertiser: [Parameter] = [
    .u8(a.advertiserAddressType), .address(a.advertiserAddress), .u8(a.sid),
  ]
  private static let transfer: [Parameter] = [
    .u8(a.transferMode), .u16(a.skip), .u16(a.syncTimeout), .u8(a.syncCTEType),
  ]
  private static let listSize: [Parameter] = [.u8(p.status), .u8(pairing.listSize)]

  static let leScanning: [Row] = scanning + deviceLists + synchronization

  private static let scanning: [Row] = [
    Row(
      0x200B, "HCI_LE_Set_Scan_Parameters",
      [
        .u8(a.leScanType), .u16(a.scanInterval), .u16(a.scanWindow), .u8(a.ownAddressType),
        .u8(a.scanningFilterPolicy),
      ]),
    Row(0x200C, "HCI_LE_Set_Scan_Enable", [.u8(a.leScanEnable), .u8(a.filterDuplicates)]),
    Row(
      0x2041, "HCI_LE_Set_Extended_Scan_Parameters",
      [
        .u8(a.ownAddressType), .u8(a.scanningFilterPolicy),
        .perBit(
          a.scanningPHYs, a.scanPHY,
          [.u8(a.leScanType), .u16(a.scanInterval), .u16(a.scanWindow)]),
      ]),
    Row(
      0x2042, "HCI_LE_Set_Extended_Scan_Enable",
      [.u8(a.enable), .u8(a.filterDuplicates), .u16(a.duration), .u16(a.period)]),
  ]

  private static let deviceLists: [Row] = [
    Row(0x200F, "HCI_LE_Read_Filter_Accept_List_Size", [], returns: listSize),
    Row(0x2010, "HCI_LE_Clear_Filter_Accept_List", []),
    Row(0x2011, "HCI_LE_Add_Device_To_Filter_Accept_List", device),
    Row(0x2012, "HCI_LE_Remove_Device_From_Filter_Accept_List", device),
    Row(
      0x2027, "HCI_LE_Add_Device_To_Resolving_List",
      device + [.bytes(16, pairing.peerIRK), .bytes(16, pairing.localIRK)]),
    Row(0x2028, "HCI_LE_Remove_Device_From_Resolving_List", device),
    Row(0x2029, "HCI_LE_Clear_Resolving_List", []),
    Row(0x202A, "HCI_LE_Read_Resolving_List_Size", [], returns: listSize),
    Row(
      0x202B, "HCI_LE_Read_Peer_Resolvable_Address", device,
      returns: [.u8(p.status), .address(pairing.peerRPA)]),
    Row(
      0x202C, "HCI_LE_Read_Local_Resolvable_Address", device,
      returns: [.u8(p.status), .address(pairing.localRPA)]),
    Row(0x202D, "HCI_LE_Set_Address_Resolution_Enable", [.u8(pairing.addressResolution)]),
    Row(
      0x202E, "HCI_LE_Set_Resolvable_Private_Address_Timeout", [.u16(pairing.rpaTimeout)]),
    Row(
      0x209E, "HCI_LE_Set_Resolvable_Private_Address_Timeout [v2]",
      [.u16(pairing.rpaTimeoutMin), .u16(pairing.rpaTimeoutMax)]),
    Row(0x204E, "HCI_LE_Set_Privacy_Mode", device + [.u8(pairing.privacyMode)]),
    Row(0x2047, "HCI_LE_Add_Device_To_Periodic_Advertiser_List", advertiser),
    Row(0x2048, "HCI_LE_Remove_Device_From_Periodic_Advertiser_List", advertiser),
    Row(0x2049, "HCI_LE_Clear_Periodic_Advertiser_List", []),
    Row(0x204A, "HCI_LE_Read_Periodic_Advertiser_List_Size", [], returns: listSize),
    Row(
      0x2098, "HCI_LE_Add_Device_To_Monitored_Advertisers_List",
      device + [.u8(a.thresholdLow), .u8(a.thresholdHigh), .u8(a.monitorTimeout)]),
    Row(0x2099, "HCI_LE_Remove_Device_From_Monitored_Advertisers_List", device),
    Row(0x209A, "HCI_LE_Clear_Monitored_Advertisers_List", []),
    Row(0x209B, "HCI_LE_Read_Monitored_Advertisers_List_Size", [], returns: listSize),
    Row(0x209C, "HCI_LE_Enable_Monitoring_Advertisers", [.u8(a.enable)]),
  ]

  private static let synchronization: [Row] = [
    Row(
      0x2044, "HCI_LE_Periodic_Advertising_Create_Sync",
      [
        .u8(a.options), .u8(a.sid), .u8(a.advertiserAddressType),
        .address(a.advertiserAddress), .u16(a.skip), .u16(a.syncTimeout), .u8(a.syncCTEType),
      ]),
    Row(0x2045, "HCI_LE_Periodic_Advertising_Create_Sync_Cancel", []),
    Row(0x2046, "HCI_LE_Periodic_Advertising_Terminate_Sync", [.u12(a.syncHandle)]),
    Row(
      0x2059, "HCI_LE_Set_Periodic_Advertising_Receive_Enable",
      [.u12(a.syncHandle), .u8(a.receiveEnable)]),
    Row(
      0x205A, "HCI_LE_Periodic_Advertising_Sync_Transfer",
      [.handle(p.handle), .u16(a.serviceData), .u12(a.syncHandle)],
      returns: [.u8(p.status), .handle(p.handle)]),
    Row(
      0x205C, "HCI_LE_Set_Periodic_Advertising_Sync_Transfer_Parameters",
      [.handle(p.handle)] + transfer, returns: [.u8(p.status), .handle(p.handle)]),
    Row(
      0x205D, "HCI_LE_Set_Default_Periodic_Advertising_Sync_Transfer_Parameters", transfer),
    Row(
      0x2084, "HCI_LE_Set_Periodic_Sync_Subevent",
      [
        .u12(a.syncHandle), .u16(a.periodicProperties),
        .each(a.numSubeventsToSync, .u8(a.subeventNumber)),
      ], returns: [.u8(p.status), .u12(a.syncHandle)]),
  ]
}
