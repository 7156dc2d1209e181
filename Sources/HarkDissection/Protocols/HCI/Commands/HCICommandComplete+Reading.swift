import HarkCore

// Messages of the two answers to commands, from the values of the parameters in their tables.
extension HCICommandStatus {
  init(_ event: RawSpan, _ context: Context) {
    let values = HCIEvent.values(event, context)
    status = values.u8(HCIParameters.shared.status)
    allowedCommands = values.u8(HCIEvent.fields.allowedCommands)
    code = HCIEvent.answeredCode(values)
  }
}

extension HCICommandComplete {
  private static let p = HCIParameters.shared
  private static let i = HCIParameters.shared.information

  init(_ event: RawSpan, _ context: Context) {
    // Event Code, length and Num_HCI_Command_Packets are in front of the Command_Opcode.
    let isOfGroup =
      event.byteCount > 4
      && event.unsigned(at: 3, 2) == UInt64(HCIOpcode.leSetCIGParameters.rawValue)
    let values = HCIEvent.values(
      event, context,
      into: isOfGroup ? ParameterValues(listing: Self.p.handle) : ParameterValues())
    allowedCommands = values.u8(HCIEvent.fields.allowedCommands)
    code = HCIEvent.answeredCode(values)
    firstOctet = event.byteCount > 5 ? event.byte(at: 5) : nil
    parameters = HCIEvent.parameters(event, from: HCIEvent.headerSize + 3)
    hasStatus = values[Self.p.status] != nil
    subject = HCICommand.repeated[code].flatMap { values[$0] }
    returns = Self.returns(HCIOpcode(rawValue: code), values) ?? .none
  }

  private static func returns(_ opcode: HCIOpcode?, _ values: ParameterValues) -> Returns? {
    switch opcode {
    case .readLocalVersionInformation:
      guard let version = values.u8(i.hciVersion), let company = values.u16(i.companyIdentifier)
      else { return nil }
      return .localVersion(version: version, company: company)
    case .readBDADDR: return values.address(p.address).map { .address($0) }
    case .readBufferSize:
      return values.u16(i.totalNumACLDataPackets).map { .bufferSize(count: $0) }
    case .leReadBufferSize, .leReadBufferSizeV2:
      guard let length = values.u16(i.leACLDataPacketLength),
        let count = values.u8(i.totalNumLEACLDataPackets)
      else { return nil }
      return .leBufferSize(length: length, count: count)
    case .roleDiscovery:
      guard let handle = values.u16(p.handle), let role = values.u8(p.role) else { return nil }
      return .role(handle: handle, HCIEventMessage.Role(role))
    case .readEncryptionKeySize:
      guard let handle = values.u16(p.handle), let size = values.u8(p.pairing.keySize) else {
        return nil
      }
      return .encryptionKeySize(handle: handle, size: size)
    case .readClassOfDevice: return values.u32(p.brEDR.classOfDevice).map { .classOfDevice($0) }
    case .readLocalOOBData, .readLocalOOBExtendedData: return .localOOBData(HCIOOBData(values))
    case .leSetCIGParameters:
      guard let cig = values.u8(p.isochronous.cig), values[p.isochronous.cisCount] != nil else {
        return nil
      }
      return .group(
        cig: cig, handles: values.each(p.handle).map { UInt16(truncatingIfNeeded: $0) })
    default: return nil
    }
  }
}

extension HCIEvent {
  /// The Command_Opcode of an answer to any command; 0 if the event has none.
  fileprivate static func answeredCode(_ values: ParameterValues) -> UInt16 {
    if let code = values.u16(fields.opcode) { return code }
    for vendor in HCIVendor.Kind.allCases {
      if let code = values.u16(fields.vendors[vendor].opcode) { return code }
    }
    return 0
  }
}
