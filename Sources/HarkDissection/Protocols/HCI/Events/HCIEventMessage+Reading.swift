import HarkCore

// Messages of events, from the values of the parameters in their tables.
extension HCIEventMessage {
  private static let p = HCIParameters.shared
  private static let c = HCIParameters.shared.brEDR

  /// Reads an event packet from its Event Code on. Events without a follower cost nothing.
  package init(_ event: RawSpan, _ context: Context) {
    let code = event.byteCount > 0 ? event.byte(at: 0) : 0
    guard let known = HCIEventCode(rawValue: code) else {
      self = .other(code)
      return
    }
    self = Self.read(known, event, context) ?? .other(code)
  }

  private static func read(
    _ code: HCIEventCode, _ event: RawSpan, _ context: Context
  ) -> HCIEventMessage? {
    switch code {
    case .numberOfCompletedPackets: .numberOfCompletedPackets
    case .vendorSpecific: vendorSpecific(event)
    case .leMeta: .leMeta(LEMetaEvent(event, context))
    case .commandComplete: .commandComplete(HCICommandComplete(event, context))
    case .commandStatus: .commandStatus(HCICommandStatus(event, context))
    case .authenticatedPayloadTimeoutExpired: .authenticatedPayloadTimeoutExpired
    case .inquiryResult, .inquiryResultWithRSSI, .extendedInquiryResult:
      inquiryResult(event, context, isExtended: code == .extendedInquiryResult)
    default: read(code, HCIEvent.values(event, context))
    }
  }

  private static func read(_ code: HCIEventCode, _ values: ParameterValues) -> HCIEventMessage? {
    link(code, values) ?? security(code, values)
  }

  /// Nil if there are no parameters.
  private static func vendorSpecific(_ event: RawSpan) -> HCIEventMessage? {
    let parameters = HCIEvent.parameters(event, from: HCIEvent.headerSize)
    if parameters.isEmpty { return nil }
    return .vendorSpecific(code: event.byte(at: parameters.lowerBound), parameters: parameters)
  }

  private static func inquiryResult(
    _ event: RawSpan, _ context: Context, isExtended: Bool
  ) -> HCIEventMessage {
    let values = HCIEvent.values(
      event, context, into: ParameterValues(listing: p.address, c.classOfDevice))
    var responses: [InquiryResponse] = []
    var address: BluetoothAddress?
    for entry in values.list {
      if entry.field == p.address {
        if let address { responses.append(.init(address: address, classOfDevice: nil)) }
        address = BluetoothAddress(entry.value)
      } else if let known = address {
        let classOfDevice = UInt32(truncatingIfNeeded: entry.value)
        responses.append(.init(address: known, classOfDevice: classOfDevice))
        address = nil
      }
    }
    if let address { responses.append(.init(address: address, classOfDevice: nil)) }
    return .inquiryResult(responses, isExtended: isExtended)
  }

  // MARK: Links and Controllers

  private static func link(_ code: HCIEventCode, _ values: ParameterValues) -> HCIEventMessage? {
    let status = values.u8(p.status)
    switch code {
    case .inquiryComplete: return status.map { .inquiryComplete(status: $0) }
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
    case .hardwareError: return values.u8(p.baseband.hardwareCode).map { .hardwareError(code: $0) }
    case .dataBufferOverflow:
      return values.u8(p.baseband.overflowLinkType).map { .dataBufferOverflow(linkType: $0) }
    case .roleChange:
      guard let status, let address = values.address(p.address), let role = values.u8(p.role)
      else { return nil }
      return .roleChange(.init(status: status, address: address, newRole: Role(role)))
    case .modeChange:
      return status.map {
        .modeChange(
          .init(status: $0, mode: values.u8(c.currentMode), interval: values.u16(c.modeInterval)))
      }
    case .synchronousConnectionChanged:
      return status.map { .synchronousConnectionChanged(status: $0, .init(values)) }
    default: return nil
    }
  }

  private static func connectionComplete(
    _ values: ParameterValues, orElse linkType: LinkType
  ) -> HCIEventMessage? {
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
        linkType: reported ?? linkType, synchronous: SynchronousParameters(values)))
  }

  // MARK: Security

  private static func security(
    _ code: HCIEventCode, _ values: ParameterValues
  ) -> HCIEventMessage? {
    let pairing = p.pairing
    let status = values.u8(p.status)
    let peer = values.address(p.address)
    switch code {
    case .authenticationComplete: return status.map { .authenticationComplete(status: $0) }
    case .encryptionChange, .encryptionChangeV2:
      return status.map {
        .encryptionChange(
          .init(
            status: $0, isEnabled: values.u8(pairing.encryptionEnabled).map { $0 != 0 },
            keySize: values.u8(pairing.keySize)))
      }
    case .encryptionKeyRefreshComplete:
      return status.map { .encryptionKeyRefreshComplete(status: $0) }
    case .pinCodeRequest: return .pinCodeRequest(peer)
    case .linkKeyNotification:
      return .linkKeyNotification(
        .init(
          address: peer, linkKey: values.range(pairing.linkKey),
          keyType: values.u8(pairing.keyType)))
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
    default: return nil
    }
  }
}

extension HCIEventMessage.SynchronousParameters {
  init?(_ values: ParameterValues) {
    let c = HCIParameters.shared.brEDR
    guard let interval = values.u8(c.transmissionInterval), let rx = values.u16(c.rxPacketLength),
      let tx = values.u16(c.txPacketLength)
    else { return nil }
    self.init(
      transmissionInterval: interval, rxPacketLength: rx, txPacketLength: tx,
      airMode: values.u8(c.airMode))
  }
}

extension HCIEventMessage.IOCapability {
  init?(_ values: ParameterValues) {
    let pairing = HCIParameters.shared.pairing
    guard let ioCapability = values.u8(pairing.ioCapability),
      let oobDataPresent = values.u8(pairing.oobDataPresent),
      let requirements = values.u8(pairing.authenticationRequirements)
    else { return nil }
    self.init(
      ioCapability: ioCapability, oobDataPresent: oobDataPresent,
      authenticationRequirements: requirements)
  }
}

extension HCIEvent {
  /// Event_Code and Parameter_Total_Length. 5.4.4
  static let headerSize = 2

  /// Where the parameters from `start` on are, as far as the event has them.
  static func parameters(_ event: RawSpan, from start: Int) -> Range<Int> {
    let start = min(start, event.byteCount)
    let end = min(event.byteCount, headerSize + Int(event.byte(at: headerSize - 1)))
    return start..<max(start, end)
  }

  /// The values of an event's parameters.
  static func values(
    _ event: RawSpan, _ context: Context, into values: ParameterValues = ParameterValues()
  ) -> ParameterValues {
    var pdu = PDU(event, out: values, context: context, catalog: .shared)
    do { try dissect(&pdu) } catch { return pdu.out }
    return pdu.out
  }
}
