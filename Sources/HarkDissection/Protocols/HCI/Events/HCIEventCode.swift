import HarkCore

/// The events that somebody follows, or that show that there is a link.
/// Core Specification, Vol 4, Part E, 7.7.
package enum HCIEventCode: UInt8, Sendable {
  case inquiryComplete = 0x01
  case inquiryResult = 0x02
  case connectionComplete = 0x03
  case connectionRequest = 0x04
  case disconnectionComplete = 0x05
  case authenticationComplete = 0x06
  case remoteNameRequestComplete = 0x07
  case encryptionChange = 0x08
  case changeConnectionLinkKeyComplete = 0x09
  case linkKeyTypeChanged = 0x0A
  case readRemoteSupportedFeaturesComplete = 0x0B
  case readRemoteVersionInformationComplete = 0x0C
  case qosSetupComplete = 0x0D
  case commandComplete = 0x0E
  case commandStatus = 0x0F
  case hardwareError = 0x10
  case roleChange = 0x12
  case numberOfCompletedPackets = 0x13
  case modeChange = 0x14
  case pinCodeRequest = 0x16
  case linkKeyNotification = 0x18
  case dataBufferOverflow = 0x1A
  case maxSlotsChange = 0x1B
  case readClockOffsetComplete = 0x1C
  case connectionPacketTypeChanged = 0x1D
  case qosViolation = 0x1E
  case flowSpecificationComplete = 0x21
  case inquiryResultWithRSSI = 0x22
  case readRemoteExtendedFeaturesComplete = 0x23
  case synchronousConnectionComplete = 0x2C
  case synchronousConnectionChanged = 0x2D
  case sniffSubrating = 0x2E
  case extendedInquiryResult = 0x2F
  case encryptionKeyRefreshComplete = 0x30
  case ioCapabilityResponse = 0x32
  case userConfirmationRequest = 0x33
  case userPasskeyRequest = 0x34
  case remoteOOBDataRequest = 0x35
  case simplePairingComplete = 0x36
  case linkSupervisionTimeoutChanged = 0x38
  case enhancedFlushComplete = 0x39
  case userPasskeyNotification = 0x3B
  case leMeta = 0x3E
  case authenticatedPayloadTimeoutExpired = 0x57
  case encryptionChangeV2 = 0x59
  case vendorSpecific = 0xFF
}

/// The subevents of LE Meta of which the same is true. 7.7.65.
package enum LESubeventCode: UInt8, Sendable {
  case connectionComplete = 0x01
  case advertisingReport = 0x02
  case connectionUpdateComplete = 0x03
  case readRemoteFeaturesPage0Complete = 0x04
  case longTermKeyRequest = 0x05
  case remoteConnectionParameterRequest = 0x06
  case dataLengthChange = 0x07
  case enhancedConnectionComplete = 0x0A
  case directedAdvertisingReport = 0x0B
  case phyUpdateComplete = 0x0C
  case extendedAdvertisingReport = 0x0D
  case periodicAdvertisingSyncEstablished = 0x0E
  case periodicAdvertisingReport = 0x0F
  case periodicAdvertisingSyncLost = 0x10
  case scanTimeout = 0x11
  case advertisingSetTerminated = 0x12
  case channelSelectionAlgorithm = 0x14
  case connectionIQReport = 0x16
  case cteRequestFailed = 0x17
  case periodicAdvertisingSyncTransferReceived = 0x18
  case cisEstablished = 0x19
  case cisRequest = 0x1A
  case createBIGComplete = 0x1B
  case terminateBIGComplete = 0x1C
  case bigSyncEstablished = 0x1D
  case bigSyncLost = 0x1E
  case requestPeerSCAComplete = 0x1F
  case pathLossThreshold = 0x20
  case transmitPowerReporting = 0x21
  case bigInfoAdvertisingReport = 0x22
  case subrateChange = 0x23
  case periodicAdvertisingSyncEstablishedV2 = 0x24
  case periodicAdvertisingReportV2 = 0x25
  case periodicAdvertisingSyncTransferReceivedV2 = 0x26
  case periodicAdvertisingSubeventDataRequest = 0x27
  case periodicAdvertisingResponseReport = 0x28
  case enhancedConnectionCompleteV2 = 0x29
  case cisEstablishedV2 = 0x2A
}

/// An event that shows that there is a link: the first of its parameters, after the Status, is the handle
/// of one. Others name links that have gone, or none.
package struct HCIEventSign: Sendable {
  package enum Transport: Sendable { case brEDR, esco, le, any }

  package let transport: Transport
  /// Whether its Status is not Success: then it shows no link.
  package let hasFailed: Bool

  /// - Returns: Nil if the event shows no link.
  package init?(_ event: RawSpan) {
    guard event.byteCount > 2 else { return nil }
    let code = HCIEventCode(rawValue: event.byte(at: 0))
    let isLE = code == .leMeta
    let found = isLE ? LESubeventCode(rawValue: event.byte(at: 2))?.sign : code?.sign
    guard let (transport, hasStatus) = found else { return nil }
    self.transport = transport
    // The Status precedes all others, after the subevent code where there is one.
    hasFailed = hasStatus && event.byte(at: isLE ? 3 : 2) != 0
  }
}

extension HCIEventCode {
  /// Nil for LE Meta, whose subevents decide, and for events that do not show that there is a link.
  fileprivate var sign: (HCIEventSign.Transport, hasStatus: Bool)? {
    switch self {
    case .authenticationComplete, .changeConnectionLinkKeyComplete, .linkKeyTypeChanged,
      .readRemoteSupportedFeaturesComplete, .qosSetupComplete, .modeChange,
      .readClockOffsetComplete, .connectionPacketTypeChanged, .flowSpecificationComplete,
      .readRemoteExtendedFeaturesComplete, .sniffSubrating:
      (.brEDR, true)
    case .maxSlotsChange, .qosViolation, .linkSupervisionTimeoutChanged, .enhancedFlushComplete:
      (.brEDR, false)
    case .synchronousConnectionChanged: (.esco, true)
    case .disconnectionComplete, .encryptionChange, .encryptionChangeV2,
      .readRemoteVersionInformationComplete, .encryptionKeyRefreshComplete:
      (.any, true)
    case .authenticatedPayloadTimeoutExpired: (.any, false)
    default: nil
    }
  }
}

extension LESubeventCode {
  fileprivate var sign: (HCIEventSign.Transport, hasStatus: Bool)? {
    switch self {
    case .connectionUpdateComplete, .readRemoteFeaturesPage0Complete, .phyUpdateComplete,
      .cteRequestFailed, .requestPeerSCAComplete, .transmitPowerReporting, .subrateChange:
      (.le, true)
    case .longTermKeyRequest, .remoteConnectionParameterRequest, .dataLengthChange,
      .channelSelectionAlgorithm, .connectionIQReport, .cisRequest, .pathLossThreshold:
      (.le, false)
    default: nil
    }
  }
}

/// The events that most are. What they say is in the facts and lists that the index pass reads.
package enum HCIFrequentEvent {
  /// LE Advertising Report, LE Directed Advertising Report, LE Extended Advertising Report. 7.7.65.2, 7.7.65.11,
  /// 7.7.65.13
  case advertisingReport
  /// 7.7.19
  case completedPackets

  /// Of an event of which `facts` were learned; nil for all others.
  package init?(_ facts: Facts) {
    // Numbers are compared with few others; to make a code of one, it is compared with all of them.
    switch UInt8(truncatingIfNeeded: facts.code) {
    case HCIEventCode.numberOfCompletedPackets.rawValue: self = .completedPackets
    case HCIEventCode.leMeta.rawValue:
      switch facts.subevent {
      case LESubeventCode.advertisingReport.rawValue,
        LESubeventCode.directedAdvertisingReport.rawValue,
        LESubeventCode.extendedAdvertisingReport.rawValue:
        self = .advertisingReport
      default: return nil
      }
    default: return nil
    }
  }
}
