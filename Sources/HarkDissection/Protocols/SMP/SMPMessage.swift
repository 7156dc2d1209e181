import HarkCore

/// A PDU of the Security Manager. Core Specification, Vol 3, Part H, 3.5, 3.6.
package enum SMPMessage: Message, Equatable {
  case pairingRequest(Features)
  case pairingResponse(Features)
  /// Where the Confirm Value is in the PDU.
  case pairingConfirm(Range<Int>)
  /// Where the Random Value is.
  case pairingRandom(Range<Int>)
  /// With the Reason.
  case pairingFailed(UInt8)
  /// Where the LTK is.
  case encryptionInformation(Range<Int>)
  case centralIdentification(ediv: UInt16, rand: UInt64)
  /// Where the IRK is.
  case identityInformation(Range<Int>)
  case identityAddressInformation(BluetoothAddress)
  /// Where the CSRK is.
  case signingInformation(Range<Int>)
  case securityRequest(AuthenticationRequirements)
  /// Where the public key is, X and Y; nil if the recorder did not keep it to its end.
  case pairingPublicKey(Range<Int>?)
  /// Where the DHKey Check is.
  case pairingDHKeyCheck(Range<Int>)
  /// With the Notification Type.
  case pairingKeypressNotification(UInt8)
  /// With its code; nil if there is none.
  case other(UInt8?)

  /// 3.3
  package enum Code: UInt8, Sendable {
    case pairingRequest = 0x01
    case pairingResponse = 0x02
    case pairingConfirm = 0x03
    case pairingRandom = 0x04
    case pairingFailed = 0x05
    case encryptionInformation = 0x06
    case centralIdentification = 0x07
    case identityInformation = 0x08
    case identityAddressInformation = 0x09
    case signingInformation = 0x0A
    case securityRequest = 0x0B
    case pairingPublicKey = 0x0C
    case pairingDHKeyCheck = 0x0D
    case pairingKeypressNotification = 0x0E

    /// Whether a key of the bond is in the PDU. 3.6
    package var holdsKey: Bool {
      switch self {
      case .encryptionInformation, .identityInformation, .signingInformation: true
      default: false
      }
    }
  }

  /// The Reason of a Pairing Failed. 3.5.5
  package enum FailureReason: UInt8, Sendable {
    case passkeyEntryFailed = 0x01
    case oobNotAvailable = 0x02
    case authenticationRequirements = 0x03
    case confirmValueFailed = 0x04
    case pairingNotSupported = 0x05
    case encryptionKeySize = 0x06
    case commandNotSupported = 0x07
    case unspecifiedReason = 0x08
    case repeatedAttempts = 0x09
    case invalidParameters = 0x0A
    case dhKeyCheckFailed = 0x0B
    case numericComparisonFailed = 0x0C
    case brEDRPairingInProgress = 0x0D
    case crossTransportKeyDerivationNotAllowed = 0x0E
    case keyRejected = 0x0F
    case busy = 0x10
  }

  /// What a Pairing Request or Pairing Response asks for. 3.5.1, 3.5.2
  package struct Features: Equatable, Sendable {
    /// See `IOCapability`; other values are reserved.
    package let ioCapability: UInt8
    /// Whether there is OOB authentication data of the other side.
    package let hasOOBData: Bool
    package let requirements: AuthenticationRequirements
    /// The Maximum Encryption Key Size, in octets.
    package let keySize: UInt8
    /// Of the side that requests the pairing, and of the other one.
    package let initiatorKeys: KeyDistribution
    package let responderKeys: KeyDistribution
    /// Where all of the PDU is in the bytes: Confirm Values are made of it. 2.2.3
    package let octets: Range<Int>
  }

  /// The keys that a side distributes or generates. 3.6.1
  package struct KeyDistribution: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Over LE, the side distributes its LTK; over BR/EDR, the LTK follows from the link key.
    package static let encryptionKey = KeyDistribution(rawValue: 1)
    package static let identityKey = KeyDistribution(rawValue: 2)
    package static let signatureKey = KeyDistribution(rawValue: 4)
    /// Over LE, both sides derive the link key for BR/EDR from the LTK. 3.6.1
    package static let linkKey = KeyDistribution(rawValue: 8)
  }

  /// AuthReq. 3.5.1
  package struct AuthenticationRequirements: Equatable, Sendable {
    package let bonding: Bool
    package let mitm: Bool
    package let secureConnections: Bool

  }

  /// 2.3.2, 3.5.1; Vol 4, Part E, 7.1.29
  package enum IOCapability: UInt8, Sendable {
    case displayOnly = 0x00
    case displayYesNo = 0x01
    case keyboardOnly = 0x02
    case noInputNoOutput = 0x03
    case keyboardDisplay = 0x04

    /// Whether its user can compare two numbers and say whether they are the same.
    package var canCompare: Bool { self == .displayYesNo || self == .keyboardDisplay }
    package var hasKeyboard: Bool { self == .keyboardOnly || self == .keyboardDisplay }
  }

  package init() { self = .other(nil) }

  /// - Parameter isCut: Whether the recorder did not keep the PDU to its end.
  package init(_ bytes: RawSpan, isCut: Bool) {
    self = SMP.message(bytes, isCut: isCut).message
  }
}
