/// Link Policy commands. Core Specification, Vol 4, Part E, 7.2.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let linkPolicy: [Row] = [
    Row(
      0x0801, "HCI_Hold_Mode",
      [.handle(p.handle), .u16(c.holdMaxInterval), .u16(c.holdMinInterval)]),
    Row(
      0x0803, "HCI_Sniff_Mode",
      [
        .handle(p.handle), .u16(c.sniffMaxInterval), .u16(c.sniffMinInterval),
        .u16(c.sniffAttempt), .u16(c.sniffTimeout),
      ]),
    Row(0x0804, "HCI_Exit_Sniff_Mode", [.handle(p.handle)]),
    // Of earlier editions.
    Row(
      0x0805, "HCI_Park_State",
      [.handle(p.handle), .u16(c.beaconMaxInterval), .u16(c.beaconMinInterval)]),
    Row(0x0806, "HCI_Exit_Park_State", [.handle(p.handle)]),
    Row(
      0x0807, "HCI_QoS_Setup",
      [
        .handle(p.handle), .u8(c.unused), .u8(c.serviceType), .u32(c.tokenRate),
        .u32(c.peakBandwidth), .u32(c.qosLatency), .u32(c.delayVariation),
      ]),
    Row(
      0x0809, "HCI_Role_Discovery", [.handle(p.handle)],
      returns: handleStatus + [.u8(p.role)]),
    Row(0x080B, "HCI_Switch_Role", [.address(p.address), .u8(p.role)]),
    Row(
      0x080C, "HCI_Read_Link_Policy_Settings", [.handle(p.handle)],
      returns: handleStatus + [.u16(c.linkPolicySettings)]),
    Row(
      0x080D, "HCI_Write_Link_Policy_Settings",
      [.handle(p.handle), .u16(c.linkPolicySettings)], returns: handleStatus),
    Row(
      0x080E, "HCI_Read_Default_Link_Policy_Settings", [],
      returns: [.u8(p.status), .u16(c.linkPolicySettings)]),
    Row(0x080F, "HCI_Write_Default_Link_Policy_Settings", [.u16(c.linkPolicySettings)]),
    Row(
      0x0810, "HCI_Flow_Specification",
      [
        .handle(p.handle), .u8(c.unused), .u8(c.flowDirection), .u8(c.serviceType),
        .u32(c.tokenRate), .u32(c.tokenBucketSize), .u32(c.peakBandwidth), .u32(c.accessLatency),
      ]),
    Row(
      0x0811, "HCI_Sniff_Subrating",
      [
        .handle(p.handle), .u16(c.maximumLatency), .u16(c.minRemoteTimeout),
        .u16(c.minLocalTimeout),
      ], returns: handleStatus),
  ]
}
