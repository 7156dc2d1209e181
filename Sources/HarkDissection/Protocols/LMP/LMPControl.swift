import HarkCore

/// What a Link Manager requests or answers, as far as the timeline reports it. Core Specification, Vol 2, Part C, 4.
package struct LMPControl: Equatable, Sendable {
  /// 5.1
  enum Opcode: UInt8 {
    case notAccepted = 4
    case detach = 7
    case inRand = 8
    case auRand = 11
    case encryptionModeRequest = 15
    case switchRequest = 19
    case sniffRequest = 23
    case unsniffRequest = 24
    case increasePowerRequest = 31
    case decreasePowerRequest = 32
    case maximumPower = 33
    case minimumPower = 34
    case versionRequest = 37
    case versionResponse = 38
    case featuresRequest = 39
    case featuresResponse = 40
    case scoLinkRequest = 43
    case removeSCOLinkRequest = 44
    case supervisionTimeout = 55
    case setAFH = 60
    /// Another octet shows what the PDU is.
    case escape = 127
  }

  /// Those after the escape opcode. 5.1
  enum ExtendedOpcode: UInt8 {
    case notAccepted = 2
    case featuresRequest = 3
    case featuresResponse = 4
    case eSCOLinkRequest = 12
    case removeESCOLinkRequest = 13
    case channelClassificationRequest = 16
    case channelClassification = 17
    case ioCapabilityRequest = 25
    case ioCapabilityResponse = 26
    case numericComparisonFailed = 27
    case passkeyFailed = 28
    case oobFailed = 29
    case powerControlRequest = 31
    case powerControlResponse = 32
  }

  /// A PDU by its opcodes.
  package struct Request: Equatable, Sendable {
    package let opcode: UInt8
    /// Nil if the opcode names the PDU.
    package let extendedOpcode: UInt8?

    /// Whether it belongs to a pairing or an authentication.
    package var isPairing: Bool {
      switch (opcode, extendedOpcode) {
      case (8...11, nil), (61...65, nil), (_, 25?), (_, 26?): true
      default: false
      }
    }
  }

  package struct Capability: Equatable, Sendable {
    package let ioCapability: UInt8
    package let hasOOBData: Bool
    /// The Authentication_Requirements.
    package let requirements: UInt8
  }

  package enum Failure: UInt8, Sendable {
    case numericComparison = 27
    case passkey = 28
    case outOfBand = 29
  }

  /// A page of a side's features, with 64 bits.
  package struct Features: Equatable, Sendable {
    package let page: UInt8
    package let bits: UInt64

    /// The names of the bits that are set. 3.3
    package var names: [String] {
      let known: [UInt64: StaticString] =
        switch page {
        case 0: HCIFeatures.lmp
        case 1: HCIFeatures.lmpPage1
        case 2: HCIFeatures.lmpPage2
        default: [:]
        }
      return (0..<UInt64(64)).filter { bits >> $0 & 1 == 1 }
        .map { known[$0]?.description ?? "bit \($0)" }
    }
  }

  /// Which channels a piconet uses, and how good they are. 4.1.4, 4.1.5
  package enum Channels: Equatable, Sendable {
    /// How many of 79 channels adaptive frequency hopping uses; nil if it is turned off.
    case hopping(Int?)
    /// Whether the other side shall report how good channels are.
    case reports(isOn: Bool)
    /// Of 40 pairs of channels. The others are unknown.
    case classification(good: Int, bad: Int)
  }

  /// How strongly a side shall send. 4.1.3
  package enum Power: Equatable, Sendable {
    case increase, decrease, maximize
    /// A limit that is reached already.
    case isMaximum, isMinimum
    /// What changed for each modulation: GFSK, π/4-DQPSK, 8DPSK. 5.2
    case answer([UInt8])
  }

  package enum Content: Equatable, Sendable {
    case features(Features, isResponse: Bool)
    case channels(Channels)
    case power(Power)
    case version(version: UInt8, company: UInt16)
    case notAccepted(Request, error: UInt8)
    case detach(error: UInt8)
    /// In slots of 0.625 ms.
    case supervisionTimeout(slots: UInt16)
    case synchronousLink(isExtended: Bool)
    case synchronousLinkRemoved(isExtended: Bool, error: UInt8)
    case roleSwitch
    /// In slots of 0.625 ms; nil if sniff mode ends.
    case sniff(slots: UInt16?)
    case pinPairing
    case capability(Capability, isRequest: Bool)
    case pairingFailed(Failure)
    /// LMP_AU_RAND: the other side shall show that it has the link key.
    case authentication
    case encryption(starts: Bool)
  }

  package let content: Content
  /// Whether the Peripheral sent it. The PDU names the side that began the transaction; which of both sides answers that
  /// something is not accepted follows from it. 2.3
  package let isFromPeripheral: Bool

  /// - Returns: Nil for a PDU that is not reported, or is not whole.
  package init?(_ bytes: RawSpan, isCut: Bool) {
    var context = Context()
    context.isTruncated = isCut
    let values = PDU.reading(bytes, out: ParameterValues(), context) { pdu -> ParameterValues? in
      do { try LMP.dissect(&pdu) } catch { return nil }
      return pdu.out
    }
    let fields = LMP.fields
    guard let values, let transaction = values[fields.transaction],
      let opcode = values.u8(fields.opcode) ?? values.u8(fields.escape.opcode),
      let content = Self.content(opcode, values, bytes)
    else { return nil }
    self.content = content
    let isAnswer =
      switch content {
      case .notAccepted, .capability(_, isRequest: false), .features(_, isResponse: true),
        .power(.isMaximum), .power(.isMinimum), .power(.answer):
        true
      case .version: opcode == Opcode.versionResponse.rawValue
      default: false
      }
    isFromPeripheral = (transaction == 1) != isAnswer
  }

  private static func content(
    _ opcode: UInt8, _ values: ParameterValues, _ bytes: RawSpan
  ) -> Content? {
    let fields = LMP.fields
    let error = values.u8(fields.error)
    switch Opcode(rawValue: opcode) {
    case .versionRequest, .versionResponse:
      guard let version = values.u8(fields.version), let company = values.u16(fields.company)
      else { return nil }
      return .version(version: version, company: company)
    case .notAccepted:
      guard let refused = values.u8(fields.acceptedOpcode), let error else { return nil }
      return .notAccepted(Request(opcode: refused, extendedOpcode: nil), error: error)
    case .detach: return error.map { .detach(error: $0) }
    case .supervisionTimeout:
      return values.u16(fields.supervisionTimeout).map { .supervisionTimeout(slots: $0) }
    case .scoLinkRequest: return .synchronousLink(isExtended: false)
    case .removeSCOLinkRequest:
      return error.map { .synchronousLinkRemoved(isExtended: false, error: $0) }
    case .switchRequest: return .roleSwitch
    case .sniffRequest: return values.u16(fields.tSniff).map { .sniff(slots: $0) }
    case .unsniffRequest: return .sniff(slots: nil)
    case .inRand: return .pinPairing
    case .auRand: return .authentication
    case .encryptionModeRequest:
      return values.u8(fields.encryptionMode).map { .encryption(starts: $0 != 0) }
    case .increasePowerRequest: return .power(.increase)
    case .decreasePowerRequest: return .power(.decrease)
    case .maximumPower: return .power(.isMaximum)
    case .minimumPower: return .power(.isMinimum)
    case .featuresRequest, .featuresResponse:
      let isResponse = opcode == Opcode.featuresResponse.rawValue
      return values[fields.features].map {
        .features(Features(page: 0, bits: $0), isResponse: isResponse)
      }
    case .setAFH:
      guard let mode = values.u8(fields.afhMode), let map = values.range(fields.channelMap) else {
        return nil
      }
      let channels = bytes.array(map).reduce(0) { $0 + $1.nonzeroBitCount }
      return .channels(.hopping(mode == 0 ? nil : channels))
    case .escape: return extended(values, bytes)
    case nil: return nil
    }
  }

  private static func extended(_ values: ParameterValues, _ bytes: RawSpan) -> Content? {
    let fields = LMP.fields
    let error = values.u8(fields.error)
    guard let code = values.u8(fields.extendedOpcode) else { return nil }
    switch ExtendedOpcode(rawValue: code) {
    case .notAccepted:
      guard let escape = values.u8(fields.escapeOpcode),
        let refused = values.u8(fields.acceptedExtendedOpcode), let error
      else { return nil }
      return .notAccepted(Request(opcode: escape, extendedOpcode: refused), error: error)
    case .featuresRequest, .featuresResponse:
      guard let page = values.u8(fields.featuresPage), let bits = values[fields.extendedFeatures]
      else { return nil }
      return .features(
        Features(page: page, bits: bits),
        isResponse: code == ExtendedOpcode.featuresResponse.rawValue)
    case .channelClassificationRequest:
      return values.u8(fields.reportingMode).map { .channels(.reports(isOn: $0 != 0)) }
    case .channelClassification:
      guard let range = values.range(fields.channelClassification) else { return nil }
      // Two bits for each pair of channels: 1 is good, 3 is bad. 5.2
      let pairs = bytes.array(range).flatMap { octet in
        [octet & 3, octet >> 2 & 3, octet >> 4 & 3, octet >> 6]
      }
      return .channels(
        .classification(good: pairs.count { $0 == 1 }, bad: pairs.count { $0 == 3 }))
    case .powerControlRequest:
      switch values.u8(fields.powerAdjustment) {
      case 0: return .power(.decrease)
      case 1: return .power(.increase)
      case 2: return .power(.maximize)
      default: return nil
      }
    case .powerControlResponse:
      guard let gfsk = values.u8(fields.powerResponseGFSK),
        let dqpsk = values.u8(fields.powerResponseDQPSK),
        let dpsk = values.u8(fields.powerResponse8DPSK)
      else { return nil }
      return .power(.answer([gfsk, dqpsk, dpsk]))
    case .eSCOLinkRequest: return .synchronousLink(isExtended: true)
    case .removeESCOLinkRequest:
      return error.map { .synchronousLinkRemoved(isExtended: true, error: $0) }
    case .ioCapabilityRequest, .ioCapabilityResponse:
      guard let io = values.u8(fields.ioCapability), let oob = values.u8(fields.oobData),
        let requirements = values.u8(fields.authenticationRequirements)
      else { return nil }
      return .capability(
        Capability(ioCapability: io, hasOOBData: oob != 0, requirements: requirements),
        isRequest: code == ExtendedOpcode.ioCapabilityRequest.rawValue)
    case .numericComparisonFailed, .passkeyFailed, .oobFailed:
      return Failure(rawValue: code).map { .pairingFailed($0) }
    case nil: return nil
    }
  }
}
