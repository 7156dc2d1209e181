import HarkCore

/// Events: connections that open and close, and what is learned of their peers.
/// Core Specification, Vol 4, Part E, 7.7.
package enum HCIConnectionEvent: HCIEventGroup {
  /// Also HCI_Synchronous_Connection_Complete. 7.7.3, 7.7.35
  case connectionComplete(ConnectionComplete)
  case connectionRequest(ConnectionRequest)
  case disconnectionComplete(DisconnectionComplete)
  case remoteNameRequestComplete(RemoteName)
  case readRemoteSupportedFeaturesComplete(status: UInt8)
  case readRemoteVersionInformationComplete(RemoteVersion)
  case readRemoteExtendedFeaturesComplete(status: UInt8)

  /// What connects two devices over BR/EDR. 7.7.3, 7.7.4, 7.7.35
  package enum LinkType: UInt8, Sendable {
    case sco = 0
    case acl = 1
    case esco = 2
  }

  package struct ConnectionComplete: Sendable {
    package let status: UInt8
    package let handle: UInt16?
    package let address: BluetoothAddress?
    package let linkType: LinkType
    /// Of HCI_Synchronous_Connection_Complete.
    package let synchronous: HCILinkEvent.SynchronousParameters?
  }

  package struct ConnectionRequest: Sendable {
    package let address: BluetoothAddress
    package let classOfDevice: UInt32
    package let linkType: LinkType
  }

  package struct DisconnectionComplete: Sendable {
    package let status: UInt8
    package let handle: UInt16?
    package let reason: UInt8?
  }

  package struct RemoteName: Sendable {
    package let status: UInt8
    package let address: BluetoothAddress?
    /// Where the name is, in UTF-8, with what follows its NUL.
    package let name: Range<Int>?
  }

  package struct RemoteVersion: Sendable {
    package let status: UInt8
    package let version: UInt8?
    package let company: UInt16?
  }

  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]

  static let rows: [Row] = [
    Row(
      0x03, "HCI_Connection_Complete",
      handleStatus + [
        .address(p.address), .u8(c.linkType), .u8(p.pairing.encryptionEnabled),
      ]),
    Row(
      0x04, "HCI_Connection_Request",
      [.address(p.address), .classOfDevice(c.classOfDevice), .u8(c.linkType)]),
    Row(0x05, "HCI_Disconnection_Complete", handleStatus + [.u8(p.reason)], shows: .any),
    Row(
      0x07, "HCI_Remote_Name_Request_Complete",
      [.u8(p.status), .address(p.address), .bytes(248, c.remoteName)]),
    Row(
      0x0B, "HCI_Read_Remote_Supported_Features_Complete",
      handleStatus + [.u64(c.lmpFeatures)], shows: .brEDR),
    Row(
      0x0C, "HCI_Read_Remote_Version_Information_Complete",
      handleStatus + [
        .u8(p.information.remoteVersion), .u16(p.information.companyIdentifier),
        .u16(p.information.remoteSubversion),
      ], shows: .any),
    Row(
      0x1C, "HCI_Read_Clock_Offset_Complete", handleStatus + [.u16(c.clockOffset)],
      shows: .brEDR),
    Row(
      0x23, "HCI_Read_Remote_Extended_Features_Complete",
      handleStatus + [HCIFeatures.extendedPage], shows: .brEDR),
    Row(
      0x2C, "HCI_Synchronous_Connection_Complete",
      handleStatus + [.address(p.address), .u8(c.linkType)] + HCILinkEvent.synchronous + [
        .u8(c.airMode)
      ]),
    Row(
      0x3D, "HCI_Remote_Host_Supported_Features_Notification",
      [.address(p.address), .u64(c.hostSupportedFeatures)]),
    Row(0x53, "HCI_Truncated_Page_Complete", [.u8(p.status), .address(p.address)]),
    Row(0x54, "HCI_Peripheral_Page_Response_Timeout", []),
  ]

  enum Code: UInt8 {
    case connectionComplete = 0x03
    case connectionRequest = 0x04
    case disconnectionComplete = 0x05
    case remoteNameRequestComplete = 0x07
    case readRemoteSupportedFeaturesComplete = 0x0B
    case readRemoteVersionInformationComplete = 0x0C
    case readRemoteExtendedFeaturesComplete = 0x23
    case synchronousConnectionComplete = 0x2C
  }

  static func read(_ code: Code, _ values: ParameterValues) -> HCIConnectionEvent? {
    let status = values.u8(p.status)
    switch code {
    case .connectionComplete: return connectionComplete(values, orElse: .acl)
    case .synchronousConnectionComplete: return connectionComplete(values, orElse: .esco)
    case .connectionRequest:
      guard let address = values.address(p.address),
        let classOfDevice = values.u32(c.classOfDevice), let linkType = values.u8(c.linkType)
      else { return nil }
      return .connectionRequest(
        .init(
          address: address, classOfDevice: classOfDevice,
          linkType: LinkType(rawValue: linkType) ?? .acl))
    case .disconnectionComplete:
      return status.map {
        .disconnectionComplete(
          .init(status: $0, handle: values.u16(p.handle), reason: values.u8(p.reason)))
      }
    case .remoteNameRequestComplete:
      return status.map {
        .remoteNameRequestComplete(
          .init(
            status: $0, address: values.address(p.address), name: values.range(c.remoteName)))
      }
    case .readRemoteSupportedFeaturesComplete:
      return status.map { .readRemoteSupportedFeaturesComplete(status: $0) }
    case .readRemoteExtendedFeaturesComplete:
      return status.map { .readRemoteExtendedFeaturesComplete(status: $0) }
    case .readRemoteVersionInformationComplete:
      return status.map {
        .readRemoteVersionInformationComplete(
          .init(
            status: $0, version: values.u8(p.information.remoteVersion),
            company: values.u16(p.information.companyIdentifier)))
      }
    }
  }

  private static func connectionComplete(
    _ values: ParameterValues, orElse linkType: LinkType
  ) -> HCIConnectionEvent? {
    guard let status = values.u8(p.status) else { return nil }
    let reported: LinkType? =
      switch values.u8(c.linkType).flatMap({ LinkType(rawValue: $0) }) {
      case .sco: .sco
      case .esco: .esco
      default: nil
      }
    return .connectionComplete(
      .init(
        status: status, handle: values.u16(p.handle), address: values.address(p.address),
        linkType: reported ?? linkType, synchronous: HCILinkEvent.SynchronousParameters(values)))
  }
}
