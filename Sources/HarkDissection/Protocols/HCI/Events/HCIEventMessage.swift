import HarkCore

/// An HCI event, as far as somebody follows it. Events that are cut off in front of what their case has
/// are `other`. Core Specification, Vol 4, Part E, 7.7.
package enum HCIEventMessage: Sendable {
  case inquiryComplete(status: UInt8)
  /// Also with RSSI, and extended. 7.7.2, 7.7.33, 7.7.38
  case inquiryResult([InquiryResponse], isExtended: Bool)
  /// Also HCI_Synchronous_Connection_Complete. 7.7.3, 7.7.35
  case connectionComplete(ConnectionComplete)
  case connectionRequest(ConnectionRequest)
  case disconnectionComplete(DisconnectionComplete)
  case authenticationComplete(status: UInt8)
  case remoteNameRequestComplete(RemoteName)
  /// Of both versions. 7.7.8
  case encryptionChange(EncryptionChange)
  case readRemoteSupportedFeaturesComplete(status: UInt8)
  case readRemoteVersionInformationComplete(RemoteVersion)
  case commandComplete(HCICommandComplete)
  case commandStatus(HCICommandStatus)
  case hardwareError(code: UInt8)
  case roleChange(RoleChange)
  /// `HCICompletedPackets` reads it.
  case numberOfCompletedPackets
  case modeChange(ModeChange)
  case pinCodeRequest(BluetoothAddress?)
  case linkKeyNotification(LinkKeyNotification)
  case dataBufferOverflow(linkType: UInt8)
  case readRemoteExtendedFeaturesComplete(status: UInt8)
  case synchronousConnectionChanged(status: UInt8, SynchronousParameters?)
  case encryptionKeyRefreshComplete(status: UInt8)
  case ioCapabilityResponse(BluetoothAddress?, IOCapability?)
  case userConfirmationRequest(BluetoothAddress?, numericValue: UInt32)
  case userPasskeyRequest(BluetoothAddress?)
  case remoteOOBDataRequest(BluetoothAddress?)
  case simplePairingComplete(BluetoothAddress?, status: UInt8)
  case userPasskeyNotification(BluetoothAddress?, passkey: UInt32)
  case authenticatedPayloadTimeoutExpired
  case leMeta(LEMetaEvent)
  /// With the first octet of the parameters, by which manufacturers distinguish their events, and where the
  /// parameters are. 5.4.4
  case vendorSpecific(code: UInt8, parameters: Range<Int>)
  case other(UInt8)

  /// What connects two devices over BR/EDR. 7.7.3, 7.7.4, 7.7.35
  package enum LinkType: UInt8, Sendable {
    case sco = 0
    case acl = 1
    case esco = 2
  }

  package enum Role: Sendable {
    case central, peripheral

    init(_ value: UInt8) { self = value == 0 ? .central : .peripheral }
  }

  package struct InquiryResponse: Sendable {
    package let address: BluetoothAddress
    /// Nil if the event is cut off in front of it.
    package let classOfDevice: UInt32?
  }

  package struct ConnectionComplete: Sendable {
    package let status: UInt8
    package let handle: UInt16?
    package let address: BluetoothAddress?
    package let linkType: LinkType
    /// Of HCI_Synchronous_Connection_Complete.
    package let synchronous: SynchronousParameters?
  }

  /// 7.7.35, 7.7.36
  package struct SynchronousParameters: Sendable {
    /// In slots of 0.625 ms.
    package let transmissionInterval: UInt8
    package let rxPacketLength: UInt16
    package let txPacketLength: UInt16
    /// Nil if they have changed: then it stays.
    package let airMode: UInt8?
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

  package struct EncryptionChange: Sendable {
    package let status: UInt8
    package let isEnabled: Bool?
    /// In octets; of the second version alone.
    package let keySize: UInt8?
  }

  package struct RemoteVersion: Sendable {
    package let status: UInt8
    package let version: UInt8?
    package let company: UInt16?
  }

  package struct RoleChange: Sendable {
    package let status: UInt8
    package let address: BluetoothAddress
    /// Of this host.
    package let newRole: Role
  }

  package struct ModeChange: Sendable {
    package let status: UInt8
    package let mode: UInt8?
    /// In slots of 0.625 ms.
    package let interval: UInt16?
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
  }
}

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
    /// HCI_LE_Read_Buffer_Size: how long packets of ACL data may be, and how many. 7.8.2
    case leBufferSize(length: UInt16, count: UInt8)
    case role(handle: UInt16, HCIEventMessage.Role)
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
