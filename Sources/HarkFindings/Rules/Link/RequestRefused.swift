import HarkSession

struct RequestRefused: Rule {
  static let about = RuleDescription(
    id: "link.request-refused", title: "A profile's request is refused or not answered",
    severity: .warning, needs: .channels,
    meaning:
      "The server did not do what the client requested, such as send a contact, a message or a report, store a file, "
      + "print, or give access to a network or a SIM card; or a HomeKit accessory refused a controller's pairing.",
    source:
      "IrOBEX 1.5, 3.2.1 (response codes); SIM Access Profile 1.1, 5.2 (ConnectionStatus, ResultCode, "
      + "StatusChange); Hardcopy Cable Replacement Profile 1.2 (Status Code); HID Profile 1.1.1, 3.1.2.1 "
      + "(HANDSHAKE); BNEP 1.0, 2.6; Core Specification, Vol 3, Part B, 4.4.1 (SDP_ERROR_RSP); "
      + "HomeKit Accessory Protocol Specification (Non-Commercial Version), R2, Tables 5-3 to 5-6",
    fix:
      "Look at the result, which names the reason. OBEX Unauthorized and Forbidden: the user has not "
      + "allowed access to contacts or messages. Not Found: the client names an object that does not exist. "
      + "HomeKit, kTLVError_Authentication: the setup code is wrong, or the accessory no longer has the pairing that "
      + "Pair Verify uses; kTLVError_Unavailable: the accessory is paired already. For the others, send what the profile's version and the server's state allow. In the server, answer "
      + "every request.")
  static let wants: Set<Event.Family> = [.obex, .simAccess, .hcrp, .hid, .sdp, .bnep, .homeKit]

  /// Clients ask for objects that need not exist. IrOBEX 1.5, 3.2.1, without the final bit
  private static let notFound: UInt8 = 0x44
  /// ERR_UNSUPPORTED_REQUEST: not all requests are mandatory. HID Profile 1.1.1, 3.1.2.1
  private static let unsupportedRequest: UInt8 = 0x03
  /// Unsupported Request; for a setup, an invalid service. BNEP 1.0, 2.6.3.1.2
  private static let unsupportedFilter: UInt16 = 0x0001

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // What was carried out, or aborted by the client, is no refusal.
    guard event.severity > .info else { return }
    switch event.content {
    case .obex(let it):
      let subject = "OBEX \(it.operation) \(it.response.map { "\($0)" } ?? "")"
      guard let response = it.response else { return unanswered(event, session, subject, &report) }
      refused(event, session, subject, isInfo: response == Self.notFound, &report)
    case .simAccess(.unanswered(let it)):
      unanswered(event, session, "SIM \(it.request)", &report)
    case .simAccess(.card(let it)):
      report.found(
        event, session, expected: "a SIM card that can be used", subject: "card \(it.change)")
    case .simAccess(.connected(let it)):
      refused(event, session, "SIM \(it.status.map { "\($0)" } ?? "")", &report)
    case .simAccess(.refused(let it)):
      refused(event, session, "SIM \(it.request ?? 0) \(it.result ?? 0)", &report)
    case .hcrp(let it):
      let subject = "HCRP \(it.request) \(it.status.map { "\($0)" } ?? "")"
      if it.status == nil { return unanswered(event, session, subject, &report) }
      refused(event, session, subject, &report)
    case .bnep(let it):
      let subject = "BNEP \(it.request) \(it.outcome)"
      if it.outcome == .unanswered { return unanswered(event, session, subject, &report) }
      // Filters are optional. BNEP 1.0, 2.6.5.2, 2.6.6.2
      let isOptional =
        !it.isSetup
        && (it.outcome == .notUnderstood || it.outcome == .response(Self.unsupportedFilter))
      refused(event, session, subject, isInfo: isOptional, &report)
    case .homeKit(let it):
      let code = it.error ?? it.status ?? 0
      refused(event, session, "HomeKit \(it.state ?? 0) \(code)", &report)
    case .hid(.refused(let it)):
      let isInfo = it.result == Self.unsupportedRequest
      refused(event, session, "HID \(it.result)", isInfo: isInfo, &report)
    case .sdp(.error(let it)): refused(event, session, "SDP \(it.code)", &report)
    case .sdp(.unanswered(let it)): unanswered(event, session, "SDP request \(it.request)", &report)
    default: break
    }
  }

  private func refused(
    _ event: Event, _ session: borrowing Session, _ subject: String, isInfo: Bool = false,
    _ report: inout RuleReport
  ) {
    report.found(
      event, session, expected: "a request that the server carries out",
      severity: isInfo ? .info : nil, subject: subject)
  }

  private func unanswered(
    _ event: Event, _ session: borrowing Session, _ subject: String, _ report: inout RuleReport
  ) {
    report.missingAtEnd(
      event, session, observed: RuleReport.text(of: event, session), expected: "an answer",
      confidence: .possible, subject: subject)
  }
}
