/// Status parameters. Core Specification, Vol 4, Part E, 7.5.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let b = HCIParameters.shared.baseband
  private static let w = HCIParameters.shared.wireless
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let status: [Row] = [
    Row(
      0x1401, "HCI_Read_Failed_Contact_Counter", [.handle(p.handle)],
      returns: handleStatus + [.u16(b.failedContacts)]),
    Row(
      0x1402, "HCI_Reset_Failed_Contact_Counter", [.handle(p.handle)], returns: handleStatus),
    Row(
      0x1403, "HCI_Read_Link_Quality", [.handle(p.handle)],
      returns: handleStatus + [.u8(b.linkQuality)]),
    Row(0x1405, "HCI_Read_RSSI", [.handle(p.handle)], returns: handleStatus + [.u8(p.rssi)]),
    Row(
      0x1406, "HCI_Read_AFH_Channel_Map", [.handle(p.handle)],
      returns: handleStatus + [.u8(b.afhMode), .bytes(10, b.afhChannelMap)]),
    Row(
      0x1407, "HCI_Read_Clock", [.handle(p.handle), .u8(b.whichClock)],
      returns: handleStatus + [.u32(b.clock), .u16(b.accuracy)]),
    Row(
      0x1408, "HCI_Read_Encryption_Key_Size", [.handle(p.handle)],
      returns: handleStatus + [.u8(p.pairing.keySize)]),
    Row(
      0x140C, "HCI_Get_MWS_Transport_Layer_Configuration", [],
      returns: [
        .u8(p.status),
        .each(w.numTransports, w.transport, [.u8(w.transportLayer), .u8(w.numBaudRates)]),
        .rest(w.baudRates),
      ]),
    Row(
      0x140D, "HCI_Set_Triggered_Clock_Capture",
      [
        .handle(p.handle), .u8(p.broadcast.cpbEnable), .u8(b.whichClock),
        .u8(p.broadcast.lpoAllowed), .u8(p.broadcast.capturesToFilter),
      ]),
    // Of earlier editions.
    Row(
      0x1409, "HCI_Read_Local_AMP_Info", [],
      returns: [
        .u8(p.status), .u8(p.amp.ampStatus), .u32(p.amp.totalBandwidth),
        .u32(p.amp.guaranteedBandwidth), .u32(p.amp.minLatency), .u32(p.amp.maxPDUSize),
        .u8(p.amp.ampControllerType), .u16(p.amp.palCapabilities), .u16(p.amp.maxAssocLength),
        .u32(p.amp.maxFlushTimeout), .u32(p.amp.bestEffortTimeout),
      ]),
    Row(
      0x140A, "HCI_Read_Local_AMP_ASSOC",
      [.u8(p.amp.physicalLink), .u16(p.amp.lengthSoFar), .u16(p.amp.assocLength)],
      returns: [
        .u8(p.status), .u8(p.amp.physicalLink), .u16(p.amp.assocRemaining), .rest(p.amp.assoc),
      ]),
    Row(
      0x140B, "HCI_Write_Remote_AMP_ASSOC",
      [
        .u8(p.amp.physicalLink), .u16(p.amp.lengthSoFar), .u16(p.amp.assocRemaining),
        .rest(p.amp.assoc),
      ], returns: [.u8(p.status), .u8(p.amp.physicalLink)]),
  ]
}
