import HarkCore
import HarkDissection
import HarkSession

struct PairingFailed: Rule {
  static let about = RuleDescription(
    id: "link.pairing-failed", title: "Pairing failed",
    severity: .error, needs: .pairing,
    meaning: "There is no bond and no key: features that need them do not work.",
    source:
      "Core Specification, Vol 3, Part H, 3.5.5 (Pairing Failed), 3.4 (timeout), 3.6.1 (keys); Vol 4, Part E, 7.7.45 "
      + "(HCI_Simple_Pairing_Complete); Vol 2, Part H, 3.2 (PIN), 7.2 (Secure Simple Pairing); Vol 1, Part F, 2 "
      + "(0x05, 0x06); Vol 2, Part C, 4.2.7 (LMP)",
    fix:
      "Follow the reason: the side that sends it stopped the pairing. After a timeout, look at the side "
      + "whose PDU is missing; after the end of a link, at the side that closed it, or its user. The status of Secure Simple Pairing does not show which side stopped it: "
      + "unless this host did, look at the logs of both. With a PIN, both sides need the same one: an accessory "
      + "without input has a fixed PIN, which the user must enter.")
  static let wants: Set<Event.Family> = [.security, .link, .linkLayer, .capture]

  private var pins = PINPairings()

  /// Links on which this host has just stopped Secure Simple Pairing.
  private var stopped = RecentValues<LinkID, Bool>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    report.cannotMeasure(event, \.pairings, "a pairing")
    if let request = pins.request(failedBy: event) {
      wrongPIN(event, requestedBy: request, session, &report)
    }
    pins.take(event)
    if case .security(.pairing(.pinRefused)) = event.content, let link = event.link {
      pins.end(link)
    }
    if case .linkLayer(.linkManager(.pairingFailed(let failed))) = event.content {
      report.found(
        event, session, expected: Self.expected(failed.cause), subject: "\(failed.cause)")
    }
    guard case .security(.pairing(let step)) = event.content else { return }
    switch step {
    case .failed(let failed):
      report.found(
        event, session, expected: Self.expected(failed.reason),
        subject: "\(failed.reason) \(failed.byPeer.map { "\($0)" } ?? "")")
    case .timedOut:
      report.missing(
        Place(event), observed: "no PDU of the pairing for 30 s",
        expected: "the next PDU of the pairing within 30 s", subject: "timeout")
    case .crossTransportIncomplete:
      report.missing(
        Place(event), since: session.link(event)?.opened,
        observed: RuleReport.text(of: event, session),
        expected: "every key that both sides agreed to send", subject: "keys")
    case .pinRefused:
      report.found(event, session, expected: "a host that gives the PIN", subject: "no PIN")
    case .cutOff(let it) where it.isChosen:
      report.missing(
        Place(event), observed: RuleReport.text(of: event, session),
        expected: "a link that stays until the pairing completes", subject: "cut off")
    case .simple(.refused):
      if let link = event.link { stopped.set(link, true) }
      report.found(event, session, expected: "a host that pairs", subject: "refused")
    case .simple(.rejected(let question)):
      if let link = event.link { stopped.set(link, true) }
      report.found(
        event, session,
        expected: Self.expected(question),
        subject: question.rawValue)
    case .simple(.capability), .simple(.ended(0)):
      if let link = event.link { stopped.set(link, false) }
    // The consequence of what was found.
    case .simple(.ended) where event.link.flatMap({ stopped[$0] }) == true: break
    case .simple(.ended(let status)):
      report.found(
        event, session, expected: "a pairing that completes", subject: "status \(status)")
    // The receiver stops the pairing. Vol 2, Part H, 7.2
    case .simple(.commitment(false, _, _)):
      report.found(
        event, session, expected: "the random number to which the side committed",
        subject: "commitment")
    case .simple(.checkValue(false, _)):
      report.found(
        event, session, expected: "a check value for what both sides sent", subject: "check value")
    default: break
    }
  }

  /// The devices are not bonded, whatever the link is used for.
  private mutating func wrongPIN(
    _ event: Event, requestedBy request: PacketID, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    // The link may close with the same reason.
    if let link = event.link { pins.end(link) }
    let isEnd = if case .link = event.content { true } else { false }
    report.found(
      event, session,
      observed:
        "no link key after the request for a PIN in #\(request.number); \(RuleReport.text(of: event, session))",
      expected: "the same PIN on both sides", confidence: isEnd ? .likely : .certain,
      subject: "PIN", frames: [request])
  }

  private static func expected(_ cause: LinkManagerEvent.PairingFailed.Cause) -> FindingText {
    switch cause {
    case .numericComparison: "the same six digits, confirmed by both users"
    case .passkey: "the displayed passkey, entered by the user"
    case .outOfBand: "Out of Band data on both sides, or no request for it"
    case .rejected: "a side that pairs: bondable mode, or a user who agreed"
    }
  }

  private static func expected(_ question: SimplePairing.Question) -> FindingText {
    switch question {
    case .confirmation: "a host that confirms the number, as its user does"
    case .passkey: "the passkey that the peer displays"
    case .oobData: "Out of Band data on both sides, or no request for it"
    }
  }

  /// What would have let the pairing go on, by the reason. 3.5.5, table 3.7
  private static func expected(_ reason: UInt8) -> FindingText {
    switch SMPMessage.FailureReason(rawValue: reason) {
    case .passkeyEntryFailed:
      "the displayed passkey, entered within 30 s"
    case .oobNotAvailable:
      "Out of Band data on both sides, or no request for it"
    case .authenticationRequirements:
      "IO capabilities that allow MITM protection, or no request for it"
    case .confirmValueFailed:
      "the same passkey and confirm value on both sides"
    case .pairingNotSupported:
      "a side that pairs: bondable mode, or a user who agreed"
    case .encryptionKeySize:
      "an encryption key of the size that the other side requires; 16 bytes always suffice"
    case .commandNotSupported:
      "commands that the other side supports"
    case .unspecifiedReason:
      "a pairing that continues; the user or the system cancelled this one"
    case .repeatedAttempts:
      "a pause after the earlier failed attempts"
    case .invalidParameters:
      "parameters within their ranges; a public key on the curve"
    case .dhKeyCheckFailed:
      "the same DHKey check on both sides"
    case .numericComparisonFailed:
      "the same six digits, confirmed by both users"
    case .brEDRPairingInProgress:
      "BR/EDR pairing to end before pairing over LE begins"
    case .crossTransportKeyDerivationNotAllowed:
      "permission to derive the cross-transport key"
    case .keyRejected:
      "no other key for this device, or consent to replace it"
    case .busy:
      "a device that is not busy"
    case nil: "a pairing that completes"
    }
  }
}
