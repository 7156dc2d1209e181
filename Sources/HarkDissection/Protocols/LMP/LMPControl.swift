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
    case versionRequest = 37
    case versionResponse = 38
    case scoLinkRequest = 43
    case removeSCOLinkRequest = 44
    case supervisionTimeout = 55
    /// Another octet shows what the PDU is.
    case escape = 127
  }

  /// Those after the escape opcode. 5.1
  enum ExtendedOpcode: UInt8 {
    case notAccepted = 2
    case eSCOLinkRequest = 12
    case removeESCOLinkRequest = 13
    case ioCapabilityRequest = 25
    case ioCapabilityResponse = 26
    case numericComparisonFailed = 27
    case passkeyFailed = 28
    case oobFailed = 29
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

  package enum Content: Equatable, Sendable {
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
      let content = Self.content(opcode, values)
    else { return nil }
    self.content = content
    let isAnswer =
      switch content {
      case .notAccepted, .capability(_, isRequest: false): true
      case .version: opcode == Opcode.versionResponse.rawValue
      default: false
      }
    isFromPeripheral = (transaction == 1) != isAnswer
  }

  private static func content(_ opcode: UInt8, _ values: ParameterValues) -> Content? {
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
    case .escape: return extended(values)
    case nil: return nil
    }
  }

  private static func extended(_ values: ParameterValues) -> Content? {
    let fields = LMP.fields
    let error = values.u8(fields.error)
    guard let code = values.u8(fields.extendedOpcode) else { return nil }
    switch ExtendedOpcode(rawValue: code) {
    case .notAccepted:
      guard let escape = values.u8(fields.escapeOpcode),
        let refused = values.u8(fields.acceptedExtendedOpcode), let error
      else { return nil }
      return .notAccepted(Request(opcode: escape, extendedOpcode: refused), error: error)
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
