import HarkCore

/// Events: pairing, authentication and encryption. Core Specification, Vol 4, Part E, 7.7.
package enum HCISecurityEvent: HCIEventGroup {
  case authenticationComplete(status: UInt8)
  /// Of both versions. 7.7.8
  case encryptionChange(EncryptionChange)
  case encryptionKeyRefreshComplete(status: UInt8)
  case authenticatedPayloadTimeoutExpired
  case linkKeyNotification(LinkKeyNotification)
  case pinCodeRequest(BluetoothAddress?)
  case ioCapabilityResponse(BluetoothAddress?, IOCapability?)
  case userConfirmationRequest(BluetoothAddress?, numericValue: UInt32)
  case userPasskeyRequest(BluetoothAddress?)
  case remoteOOBDataRequest(BluetoothAddress?)
  case simplePairingComplete(BluetoothAddress?, status: UInt8)
  case userPasskeyNotification(BluetoothAddress?, passkey: UInt32)
  case keypressNotification(BluetoothAddress?, type: UInt8)

  package struct EncryptionChange: Sendable {
    package let status: UInt8
    /// Nil if it is cut, or a reserved value.
    package let isEnabled: Bool?
    /// In octets; of the second version alone.
    package let keySize: UInt8?
  }

  package struct LinkKeyNotification: Sendable {
    package let address: BluetoothAddress?
    /// Where the key is; it is secret.
    package let linkKey: Range<Int>?
    package let keyType: UInt8?
  }

  /// What a side can do in Secure Simple Pairing. 7.7.41, 7.1.29
  package struct IOCapability: Sendable {
    package let ioCapability: UInt8
    package let oobDataPresent: UInt8
    package let authenticationRequirements: UInt8

    init?(_ values: ParameterValues) {
      guard let ioCapability = values.u8(pairing.ioCapability),
        let oobDataPresent = values.u8(pairing.oobDataPresent),
        let requirements = values.u8(pairing.authenticationRequirements)
      else { return nil }
      (self.ioCapability, self.oobDataPresent) = (ioCapability, oobDataPresent)
      authenticationRequirements = requirements
    }
  }

  private static let p = HCIParameters.shared
  private static let pairing = HCIParameters.shared.pairing
  private static let handleStatus: [Parameter] = [.u8(p.status), .handle(p.handle)]
  private static let addressOnly: [Parameter] = [.address(p.address)]

  static let rows: [Row] = [
    Row(0x06, "HCI_Authentication_Complete", handleStatus, shows: .brEDR),
    Row(
      0x08, "HCI_Encryption_Change", handleStatus + [.u8(pairing.encryptionEnabled)], shows: .any),
    Row(
      0x59, "HCI_Encryption_Change [v2]",
      handleStatus + [.u8(pairing.encryptionEnabled), .u8(pairing.keySize)], shows: .any),
    Row(0x09, "HCI_Change_Connection_Link_Key_Complete", handleStatus, shows: .brEDR),
    Row(
      0x0A, "HCI_Link_Key_Type_Changed", handleStatus + [.u8(pairing.keyFlag)], shows: .brEDR),
    Row(
      0x15, "HCI_Return_Link_Keys",
      [
        .each(
          pairing.numKeys, pairing.key, [.address(p.address), .bytes(16, pairing.linkKey)])
      ]),
    Row(0x16, "HCI_PIN_Code_Request", addressOnly),
    Row(0x17, "HCI_Link_Key_Request", addressOnly),
    Row(
      0x18, "HCI_Link_Key_Notification",
      [.address(p.address), .bytes(16, pairing.linkKey), .u8(pairing.keyType)]),
    Row(0x30, "HCI_Encryption_Key_Refresh_Complete", handleStatus, shows: .any),
    Row(0x31, "HCI_IO_Capability_Request", addressOnly),
    Row(
      0x32, "HCI_IO_Capability_Response",
      [
        .address(p.address), .u8(pairing.ioCapability), .u8(pairing.oobDataPresent),
        .u8(pairing.authenticationRequirements),
      ]),
    Row(
      0x33, "HCI_User_Confirmation_Request",
      [.address(p.address), .u32(pairing.numericValue)]),
    Row(0x34, "HCI_User_Passkey_Request", addressOnly),
    Row(0x35, "HCI_Remote_OOB_Data_Request", addressOnly),
    Row(0x36, "HCI_Simple_Pairing_Complete", [.u8(p.status), .address(p.address)]),
    Row(
      0x3B, "HCI_User_Passkey_Notification", [.address(p.address), .u32(pairing.passkey)]),
    Row(0x3C, "HCI_Keypress_Notification", [.address(p.address), .u8(pairing.keypress)]),
    Row(0x57, "HCI_Authenticated_Payload_Timeout_Expired", [.handle(p.handle)], shows: .any),
  ]

  enum Code: UInt8 {
    case authenticationComplete = 0x06
    case encryptionChange = 0x08
    case pinCodeRequest = 0x16
    case linkKeyNotification = 0x18
    case encryptionKeyRefreshComplete = 0x30
    case ioCapabilityResponse = 0x32
    case userConfirmationRequest = 0x33
    case userPasskeyRequest = 0x34
    case remoteOOBDataRequest = 0x35
    case simplePairingComplete = 0x36
    case userPasskeyNotification = 0x3B
    case keypressNotification = 0x3C
    case authenticatedPayloadTimeoutExpired = 0x57
    case encryptionChangeV2 = 0x59
  }

  /// Encryption_Enabled: off, on, on with AES-CCM. 7.7.8
  private static func isOn(_ encryption: UInt8) -> Bool? {
    HCICodes.encryption[UInt64(encryption)] == nil ? nil : encryption != 0
  }

  static func read(_ code: Code, _ values: ParameterValues) -> HCISecurityEvent? {
    let status = values.u8(p.status)
    let peer = values.address(p.address)
    switch code {
    case .authenticationComplete: return status.map { .authenticationComplete(status: $0) }
    case .encryptionChange, .encryptionChangeV2:
      return status.map {
        .encryptionChange(
          .init(
            status: $0, isEnabled: values.u8(pairing.encryptionEnabled).flatMap(isOn),
            keySize: values.u8(pairing.keySize)))
      }
    case .encryptionKeyRefreshComplete:
      return status.map { .encryptionKeyRefreshComplete(status: $0) }
    case .authenticatedPayloadTimeoutExpired: return .authenticatedPayloadTimeoutExpired
    case .linkKeyNotification:
      return .linkKeyNotification(
        .init(
          address: peer, linkKey: values.range(pairing.linkKey),
          keyType: values.u8(pairing.keyType)))
    case .pinCodeRequest: return .pinCodeRequest(peer)
    case .ioCapabilityResponse: return .ioCapabilityResponse(peer, IOCapability(values))
    case .userConfirmationRequest:
      return values.u32(pairing.numericValue).map {
        .userConfirmationRequest(peer, numericValue: $0)
      }
    case .userPasskeyRequest: return .userPasskeyRequest(peer)
    case .remoteOOBDataRequest: return .remoteOOBDataRequest(peer)
    case .simplePairingComplete:
      return status.map { .simplePairingComplete(peer, status: $0) }
    case .userPasskeyNotification:
      return values.u32(pairing.passkey).map { .userPasskeyNotification(peer, passkey: $0) }
    case .keypressNotification:
      return values.u8(pairing.keypress).map { .keypressNotification(peer, type: $0) }
    }
  }
}
