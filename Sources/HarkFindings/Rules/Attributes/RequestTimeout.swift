import HarkCore
import HarkDissection
import HarkSession

struct RequestTimeout: Rule {
  static let about = RuleDescription(
    id: "link.request-timeout", title: "An ATT request was not answered in time",
    severity: .error, needs: .attributes,
    meaning:
      "After 30 s, the bearer must no longer be used: nothing over GATT works until the "
      + "devices reconnect. Some devices continue regardless: then the answer was merely slow.",
    source: "Core Specification, Vol 3, Part F, 3.3.3 (transaction timeout)",
    fix:
      "Answer every request, if necessary with an error; check what the server was doing "
      + "when the request arrived.")
  static let wants: Set<Event.Family> = [.link, .attribute]

  private struct Pending {
    let place: Place
    let asked: AttributeEvent.RequestTimeout
    let sent: Timestamp
  }

  private static let most = 64

  private var pending: [LinkID: [Pending]] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.requestTimeout(let it)):
      guard pending[link]?.count ?? 0 < Self.most, pending.count < Self.most else { return }
      let sent = session.packets[event.frames.last]?.time ?? event.time
      pending[link, default: []].append(
        Pending(place: Place(event), asked: it, sent: sent))
    case .attribute(.answeredLate(let it)):
      guard let index = pending[link]?.firstIndex(where: { $0.asked.pdu == it.pdu })
      else { return }
      pending[link]?.remove(at: index)
      report.found(
        event, session, observed: "an answer after \(Names.duration(it.nanoseconds))",
        expected: "a response within 30 s", severity: .warning, subject: "late \(it.handle)")
    case .link(.closed(let closed)):
      let deadTime = Self.deadTime(of: session.link(event), closed.reason)
      judge(link, lostAfter: deadTime, event.time, &report)
    default: break
    }
  }

  /// Of a link that was lost: for how long nothing came at the end. What was asked then is no matter of
  /// the server's. Vol 6, Part B, 4.5.2
  private static func deadTime(of link: Link?, _ reason: UInt8?) -> Int64 {
    guard let link, HCIErrorCode(reason) == .connectionTimeout else { return 0 }
    return Int64(link.supervisionTimeout) * 10_000_000 + Int64.seconds(1)
  }

  private mutating func judge(
    _ link: LinkID, lostAfter deadTime: Int64, _ time: Timestamp?, _ report: inout RuleReport
  ) {
    for one in pending.removeValue(forKey: link) ?? [] {
      if let time, time.since(one.sent) <= deadTime { continue }
      report.missing(
        one.place,
        observed: "no answer to \(Names.request(one.asked.pdu)), neither within 30 s nor later",
        expected: "a response", confidence: .certain, subject: "never \(one.asked.handle)")
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for link in pending.keys.sorted(by: { $0.index < $1.index }) {
      judge(link, lostAfter: 0, nil, &report)
    }
  }
}
