/// The Controller error codes that hark distinguishes. Core Specification, Vol 1, Part F, 2.
package enum HCIErrorCode: UInt8, Sendable {
  case success = 0x00
  case unknownConnectionIdentifier = 0x02
  case pageTimeout = 0x04
  case authenticationFailure = 0x05
  case pinOrKeyMissing = 0x06
  case connectionTimeout = 0x08
  case connectionAlreadyExists = 0x0B
  case connectionRejectedDueToLimitedResources = 0x0D
  case connectionRejectedDueToSecurityReasons = 0x0E
  case connectionRejectedDueToUnacceptableAddress = 0x0F
  case connectionAcceptTimeoutExceeded = 0x10
  case remoteUserTerminatedConnection = 0x13
  case remoteDeviceTerminatedDueToLowResources = 0x14
  case remoteDeviceTerminatedDueToPowerOff = 0x15
  case connectionTerminatedByLocalHost = 0x16
  case invalidLLParameters = 0x1E
  case unsupportedLLParameterValue = 0x20
  case llResponseTimeout = 0x22
  case llProcedureCollision = 0x23
  case instantPassed = 0x28
  case differentTransactionCollision = 0x2A
  case unacceptableConnectionParameters = 0x3B
  case advertisingTimeout = 0x3C
  case connectionTerminatedDueToMICFailure = 0x3D
  case connectionFailedToBeEstablished = 0x3E
  case limitReached = 0x43
  case operationCancelledByHost = 0x44

  /// Nil if there is no code, or if it is not one of these.
  package init?(_ code: UInt8?) {
    guard let code else { return nil }
    self.init(rawValue: code)
  }

  /// Whether the connection was lost or never established: neither side ended it on purpose.
  package var isLoss: Bool {
    switch self {
    case .connectionTimeout, .llResponseTimeout, .instantPassed,
      .connectionTerminatedDueToMICFailure, .connectionFailedToBeEstablished:
      true
    default: false
    }
  }

  /// Whether two procedures of the Link Layers collided. Vol 6, Part B, 5.3
  package var isCollision: Bool {
    self == .llProcedureCollision || self == .differentTransactionCollision
  }

  /// Whether a side has ended the connection on purpose.
  package var isOrdinaryEnd: Bool {
    switch self {
    case .remoteUserTerminatedConnection, .remoteDeviceTerminatedDueToLowResources,
      .remoteDeviceTerminatedDueToPowerOff, .connectionTerminatedByLocalHost:
      true
    default: false
    }
  }

  /// Whether it is the Reason of HCI_Reject_Connection_Request. 7.1.9
  package var isRejection: Bool {
    switch self {
    case .connectionRejectedDueToLimitedResources, .connectionRejectedDueToSecurityReasons,
      .connectionRejectedDueToUnacceptableAddress:
      true
    default: false
    }
  }

  /// Whether the peer does not want the connection parameters. Vol 6, Part B, 5.1.7
  package var isRefusalOfParameters: Bool {
    switch self {
    case .invalidLLParameters, .unsupportedLLParameterValue, .unacceptableConnectionParameters:
      true
    default: false
    }
  }
}
