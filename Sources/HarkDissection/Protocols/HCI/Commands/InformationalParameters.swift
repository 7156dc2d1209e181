/// Informational parameters. Core Specification, Vol 4, Part E, 7.4.
extension HCICommand {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.information
  private static let codecID: [Parameter] = [
    .u8(i.codingFormat), .u16(i.codecCompany), .u16(i.vendorCodecID),
  ]

  static let informational: [Row] = [
    Row(
      0x1001, "HCI_Read_Local_Version_Information", [],
      returns: [
        .u8(p.status), .u8(i.hciVersion), .u16(i.hciSubversion), .u8(i.lmpVersion),
        .u16(i.companyIdentifier), .u16(i.lmpSubversion),
      ]),
    Row(
      0x1002, "HCI_Read_Local_Supported_Commands", [],
      returns: [.u8(p.status), .group(i.supportedCommands, HCISupportedCommands.parameters)]),
    Row(
      0x1003, "HCI_Read_Local_Supported_Features", [],
      returns: [.u8(p.status), .u64(p.brEDR.lmpFeatures)]),
    Row(
      0x1004, "HCI_Read_Local_Extended_Features", [.u8(p.brEDR.pageNumber)],
      returns: [.u8(p.status), HCIFeatures.extendedPage]),
    Row(
      0x1005, "HCI_Read_Buffer_Size", [],
      returns: [
        .u8(p.status), .u16(i.aclDataPacketLength), .u8(i.synchronousDataPacketLength),
        .u16(i.totalNumACLDataPackets), .u16(i.totalNumSynchronousDataPackets),
      ]),
    // Of earlier editions.
    Row(
      0x1007, "HCI_Read_Country_Code", [], returns: [.u8(p.status), .u8(p.amp.countryCode)]),
    Row(0x1009, "HCI_Read_BD_ADDR", [], returns: [.u8(p.status), .address(p.address)]),
    Row(
      0x100A, "HCI_Read_Data_Block_Size", [],
      returns: [
        .u8(p.status), .u16(i.maxBlockACLLength), .u16(i.dataBlockLength),
        .u16(i.totalNumDataBlocks),
      ]),
    Row(
      0x100B, "HCI_Read_Local_Supported_Codecs", [],
      returns: [
        .u8(p.status), .each(i.numStandardCodecs, .u8(i.codingFormat)),
        .each(i.numVendorCodecs, i.vendorCodec, [.u16(i.codecCompany), .u16(i.vendorCodecID)]),
      ]),
    Row(
      0x100C, "HCI_Read_Local_Simple_Pairing_Options", [],
      returns: [
        .u8(p.status), .u8(p.pairing.simplePairingOptions), .u8(p.pairing.maxKeySize),
      ]),
    Row(
      0x100D, "HCI_Read_Local_Supported_Codecs [v2]", [],
      returns: [
        .u8(p.status),
        .each(i.numStandardCodecs, i.standardCodec, [.u8(i.codingFormat), .u8(i.codecTransport)]),
        .each(
          i.numVendorCodecs, i.vendorCodec,
          [.u16(i.codecCompany), .u16(i.vendorCodecID), .u8(i.codecTransport)]),
      ]),
    Row(
      0x100E, "HCI_Read_Local_Supported_Codec_Capabilities",
      [.group(i.codec, codecID), .u8(i.transportType), .u8(i.codecDirection)],
      returns: [
        .u8(p.status),
        .each(
          i.numCapabilities, i.capability, [.counted(i.capabilityLength, i.capabilityData)]),
      ]),
    Row(
      0x100F, "HCI_Read_Local_Supported_Controller_Delay",
      [
        .group(i.codec, codecID), .u8(i.transportType), .u8(i.codecDirection),
        .counted(i.codecConfigurationLength, i.codecConfiguration),
      ], returns: [.u8(p.status), .u24(i.minControllerDelay), .u24(i.maxControllerDelay)]),
  ]
}
