import HarkSession

struct AttributeViolation: Rule {
  static let about = RuleDescription(
    id: "link.att-violation", title: "A device violates the Attribute Protocol",
    severity: .error, needs: .attributes,
    meaning:
      "The other side discards the response or waits for the right one, cancels the long write or closes the link. After a second MTU "
      + "exchange, or one on a bearer with its own L2CAP channel, both sides may use different MTUs.",
    source:
      "Core Specification, Vol 3, Part F, 3.3 (requests and their responses), 3.4.1.1 (ATT_ERROR_RSP), 3.4.2.1 (one MTU exchange in a "
      + "connection), 3.4.4.12 (ATT_READ_MULTIPLE_VARIABLE_RSP), "
      + "3.4.6.2 (ATT_PREPARE_WRITE_RSP); Part G, 4.3.1 and 5.3.1 (the MTU of other bearers)",
    fix:
      "In the server, answer each request once and on its bearer, with its own response or with an ATT_ERROR_RSP that "
      + "names its attribute, and return a prepared write exactly as it was received. In the client, exchange the MTU only once in a connection, on the fixed "
      + "channel."
  )
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let (expected, subject): (FindingText, String)
    var isHarmless = false
    switch event.content {
    case .attribute(.wrongResponse(let it)):
      (expected, subject) = ("the response to this request, or ATT_ERROR_RSP", "\(it.request)")
    case .attribute(.unsolicited(let it)) where it.isForOtherBearer:
      (expected, subject) = ("the answer on the bearer of the request", "bearer")
    case .attribute(.unsolicited(let it)):
      isHarmless = true
      (expected, subject) = ("one answer to each request", "unsolicited \(it.opcode)")
    case .attribute(.valueShort):
      (expected, subject) = ("the whole value, or as much of it as the MTU allows", "short")
    case .attribute(.preparedDiffers): (expected, subject) = ("the value that was sent", "prepared")
    case .attribute(.mtu(let it)) where it.isRepeated:
      isHarmless = true
      (expected, subject) = ("one MTU exchange in a connection", "MTU")
    case .attribute(.mtu(let it)) where it.channelMTU != nil:
      isHarmless = true
      (expected, subject) = ("the MTU of the L2CAP channel, without an exchange", "bearer MTU")
    default: return
    }
    var first = event.frames.first
    // Its request may be anywhere before it.
    if case .attribute(.unsolicited) = event.content, let link = session.link(event) {
      first = link.opened
    }
    if let gap = report.coverage.gap(since: first, on: event.link) {
      return report.cannotTell(Place(event), gap, "another request or response may be in that gap")
    }
    report.found(
      event, session, expected: expected, severity: isHarmless ? .warning : nil,
      subject: subject)
  }
}
