/// The Controller error codes that somebody distinguishes. Core Specification, Vol 1, Part F, 2.
package enum HCIErrorCode: UInt8, Sendable {
  case success = 0x00
  case unknownConnectionIdentifier = 0x02
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
  case unacceptableConnectionParameters = 0x3B
  case advertisingTimeout = 0x3C
  case limitReached = 0x43
  case operationCancelledByHost = 0x44

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
