import HarkCore

/// HCI_Command_Complete. 7.7.14
package struct HCICommandComplete: Sendable {
  /// How many commands the Controller takes; nil if the event is cut off in front of it.
  package let allowedCommands: UInt8?
  /// 0 if the event is cut off in front of it.
  package let code: UInt16
  /// The first octet of the return parameters: the Status, but of commands of vendors that need not have
  /// one. Nil if there is none.
  package let firstOctet: UInt8?
  /// Whether that octet is the Status.
  package let hasStatus: Bool
  /// Where the return parameters are, as far as they are there.
  package let parameters: Range<Int>
  /// What the answer repeats of its command.
  package let subject: UInt64?
  package let returns: Returns

  package var opcode: HCIOpcode? { HCIOpcode(rawValue: code) }

  /// The return parameters of commands that are followed.
  package enum Returns: Sendable {
    /// HCI_Read_Local_Version_Information. 7.4.1
    case localVersion(version: UInt8, company: UInt16)
    /// HCI_Read_BD_ADDR. 7.4.6
    case address(BluetoothAddress)
    /// HCI_Read_Buffer_Size: how many packets of ACL data. 7.4.5
    case bufferSize(count: UInt16)
    /// HCI_LE_Read_Buffer_Size: how long packets of ACL data may be, and how many; how many of ISO data, nil in the
    /// answer to version 1. 7.8.2
    case leBufferSize(length: UInt16, count: UInt8, isochronous: UInt8?)
    case role(handle: UInt16, HCILinkEvent.Role)
    case encryptionKeySize(handle: UInt16, size: UInt8)
    case classOfDevice(UInt32)
    /// HCI_Read_Local_OOB_Data, also extended. 7.3.60, 7.3.95
    case localOOBData(HCIOOBData)
    /// HCI_LE_Set_CIG_Parameters: the handles of its CISes. 7.8.97
    case group(cig: UInt8, handles: [UInt16])
    case none
  }
}

/// HCI_Command_Status. 7.7.15
package struct HCICommandStatus: Sendable {
  /// Nil if the event is cut off in front of it.
  package let status: UInt8?
  package let allowedCommands: UInt8?
  /// 0 if the event is cut off in front of it.
  package let code: UInt16

  package var opcode: HCIOpcode? { HCIOpcode(rawValue: code) }
}

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
      return .leBufferSize(
        length: length, count: count, isochronous: values.u8(i.totalNumISODataPackets))
    case .roleDiscovery:
      guard let handle = values.u16(p.handle), let role = values.u8(p.role) else { return nil }
      return .role(handle: handle, HCILinkEvent.Role(role))
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
