import HarkCore
import HarkDissection
import HarkSession

struct ParametersRefused: Rule {
  static let about = RuleDescription(
    id: "link.parameters-refused",
    title: "Requested connection parameters are refused",
    severity: .warning, needs: .links,
    meaning:
      "The link keeps its interval, which is slower than the requesting side needs, or uses "
      + "more power; or a side closes the link because of them.",
    source:
      "Core Specification, Vol 3, Part A, 4.20, 4.21; Vol 6, Part B, 5.1.7; Apple, Accessory Design "
      + "Guidelines, Bluetooth Low Energy: Connection Parameters",
    fix:
      "Request parameters that the other side accepts. If that is an Apple device, use a minimum "
      + "interval that is a multiple of 15 ms, a maximum at least 15 ms above it (or both 15 "
      + "ms), latency up to 30, a supervision timeout of 6 to 18 s (2 to 6 s in older "
      + "editions), and maximum × (latency + 1) × 3 below the timeout.")
  static let wants: Set<Event.Family> = [.link, .linkLayer]

  /// A side that refuses for the moment accepts the next request, or sets the parameters itself.
  private static let nextAttempt = Int64.seconds(30)
  private static let most = 64

  /// Refusals, until it is known whether the link gets these parameters after all.
  private var refused: [(link: LinkID, request: Link.ParameterRequest, finding: HeldFinding)] = []
  /// The last request on each link.
  private var requests = RecentValues<LinkID, Link.ParameterRequest?>(capacity: 256)

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let over = refused.take { !report.isSoon(Self.nextAttempt, after: $0.finding.place, at: time) }
    for one in over { report.found(one.finding) }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    // Who does not know the request has nothing against its parameters.
    case .link(.change(.parametersRefused(let refused))):
      let side = refused.byPeer.map { $0 ? "peer" : "host" } ?? "unknown"
      if case .commandReject = refused.refusal {
        report.found(
          event, session, expected: "an answer to the Connection Parameter Update Request",
          subject: "\(side) rejects")
      } else {
        let who = Self.who(refused.byPeer, refused.isLinkLayer, session.link(event))
        hold(refused, event, session, expected: "parameters that \(who) accepts", side, &report)
      }
    case .link(.change(.parametersRequested(let it))):
      if let link = event.link { requests.set(link, it.request) }
    case .link(.change(.parameters(let it))):
      refused.removeAll {
        $0.link == event.link && $0.request.minimum...$0.request.maximum ~= it.interval
          && $0.request.latency == it.latency
          && report.isSoon(Self.nextAttempt, after: $0.finding.place, at: event.time)
      }
    case .link(.closed(let closed)):
      for one in refused.take(where: { $0.link == event.link }) { report.found(one.finding) }
      // A side does not want the link with the parameters that it has. Vol 4, Part E, 7.1.6
      if HCIErrorCode(closed.reason) == .unacceptableConnectionParameters {
        report.found(
          event, session, expected: "parameters with which both sides keep the link",
          subject: "closed")
      }
    // On the air: LL_REJECT_IND or LL_REJECT_EXT_IND for a PDU of the Connection Update or Connection
    // Parameters Request procedure. That two procedures collided is no refusal. Vol 6, Part B, 5.1.7, 5.3.
    case .linkLayer(.rejected(let rejected))
    where Self.isOfParameters(rejected.pdu) && rejected.error != nil
      && HCIErrorCode(rejected.error)?.isCollision != true:
      let byPeripheral = rejected.byPeripheral
      report.found(
        event, session,
        expected: "parameters that the "
          + "\(byPeripheral.map { $0 ? "Peripheral" : "Central" } ?? "other side") accepts",
        subject: byPeripheral.map { $0 ? "peer" : "host" } ?? "unknown")
    default: break
    }
  }

  private mutating func hold(
    _ it: LinkChangeEvent.ParametersRefused, _ event: Event, _ session: borrowing Session,
    expected: FindingText, _ side: String, _ report: inout RuleReport
  ) {
    let finding = HeldFinding(event, session, expected: expected, subject: side)
    // The request may have an empty range, which another rule reports.
    guard let link = event.link, let request = requests[link] ?? nil,
      request.isLinkLayer == it.isLinkLayer,
      let byPeer = it.byPeer, byPeer == isOfHost(request, session.link(event)),
      request.minimum <= request.maximum, refused.count < Self.most
    else { return report.found(finding) }
    requests.set(link, nil)
    refused.append((link, request, finding))
  }

  /// Whether this host sent a request; nil if that is unknown. It is the Central or the Peripheral of the link.
  private func isOfHost(_ request: Link.ParameterRequest, _ link: Link?) -> Bool? {
    guard let asker = request.asker else { return false }
    return link?.role.map { $0 == asker }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in refused { report.found(one.finding) }
  }

  private static func isOfParameters(_ pdu: LLControlPDU.Opcode?) -> Bool {
    switch pdu {
    case .connectionUpdateInd, .connectionParamReq, .connectionParamRsp: true
    default: false
    }
  }

  /// What L2CAP asks for the Central refuses, as a rule.
  private static func who(_ byPeer: Bool?, _ isLinkLayer: Bool, _ link: Link?) -> String {
    guard let byPeer else { return "the other side" }
    if link?.air != nil { return byPeer ? "the Peripheral" : "the Central" }
    if !isLinkLayer { return "the Central" }
    return byPeer ? "the peer" : "this host"
  }
}
