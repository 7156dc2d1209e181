/// Events: Connectionless Peripheral Broadcast, synchronization trains, clocks, slot availability.
/// Core Specification, Vol 4, Part E, 7.7.66 to 7.7.74, 7.7.77.
extension HCIEvent {
  private static let p = HCIParameters.shared
  private static let b = HCIParameters.shared.baseband
  private static let t = HCIParameters.shared.broadcast

  static let broadcastEvents: [Row] = [
    Row(
      0x4E, "HCI_Triggered_Clock_Capture",
      [.handle(p.handle), .u8(b.whichClock), .u32(b.clock), .u16(t.slotOffset)]),
    Row(0x4F, "HCI_Synchronization_Train_Complete", [.u8(p.status)]),
    Row(
      0x50, "HCI_Synchronization_Train_Received",
      [
        .u8(p.status), .address(p.address), .u32(t.cpbClockOffset), .bytes(10, b.afhChannelMap),
        .u8(b.logicalTransport), .u32(t.nextInstant), .u16(t.cpbInterval),
        .u8(b.trainServiceData),
      ]),
    Row(
      0x51, "HCI_Connectionless_Peripheral_Broadcast_Receive",
      [
        .address(p.address), .u8(b.logicalTransport), .u32(b.clock), .u32(t.cpbOffset),
        .u8(t.rxStatus), .u8(t.fragment), .counted(t.cpbDataLength, t.cpbData),
      ]),
    Row(
      0x52, "HCI_Connectionless_Peripheral_Broadcast_Timeout",
      [.address(p.address), .u8(b.logicalTransport)]),
    Row(
      0x55, "HCI_Connectionless_Peripheral_Broadcast_Channel_Map_Change",
      [.bytes(10, b.afhChannelMap)]),
    Row(
      0x58, "HCI_SAM_Status_Change",
      [
        .handle(p.handle), .u8(t.localIndex), .u8(t.localTX), .u8(t.localRX),
        .u8(t.remoteIndex), .u8(t.remoteTX), .u8(t.remoteRX),
      ]),
  ]
}
