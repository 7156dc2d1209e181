import HarkCore
import HarkDissection
import HarkSession

/// Requests that a server did not answer in time, or indications that a client did not confirm in time: the other side
/// may still do so. Core Specification, Vol 3, Part F, 3.3.3
struct OverdueTransactions {
  private struct Pending {
    let asked: AttributeEvent.RequestTimeout
    let sent: Timestamp
    let finding: HeldFinding
  }

  private static let most = 64

  private let ofIndications: Bool
  private var pending: [LinkID: [Pending]] = [:]

  init(ofIndications: Bool) { self.ofIndications = ofIndications }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if ofIndications {
      report.cannotMeasure(event, \.indications, "an indication")
    } else {
      report.cannotMeasure(event, \.requests, "an ATT request")
    }
    guard let link = event.link else { return }
    switch event.content {
    case .attribute(.requestTimeout(let it))
    where (it.pdu == .handleValueIndication) == ofIndications:
      guard pending[link]?.count ?? 0 < Self.most, pending.count < Self.most else { return }
      let sent = session.packets[event.frames.last]?.time ?? event.time
      let finding = HeldFinding(
        event, session,
        observed: "no \(noun) \(Names.request(it.pdu)), neither within 30 s nor later",
        expected: expected, subject: "never \(it.handle)")
      pending[link, default: []].append(Pending(asked: it, sent: sent, finding: finding))
    case .attribute(.answeredLate(let it)):
      guard
        let index = pending[link]?.firstIndex(where: {
          $0.asked.pdu == it.pdu && $0.asked.isLocal == it.isLocal
        })
      else { return }
      pending[link]?.remove(at: index)
      report.found(
        event, session,
        // `request-timeout` was reported after 30 s.
        observed:
          "\(answer) after \(it.nanoseconds.map { Names.duration($0) } ?? "more than 30 s")",
        expected: "\(expected) within 30 s", severity: .warning, subject: "late \(it.handle)")
    case .link(.closed(let closed)):
      let deadTime = Self.deadTime(of: session.link(event), closed.reason)
      judge(link, lostAfter: deadTime, event, &report)
    default: break
    }
  }

  /// How long nothing was received at the end of a link that was lost: the other side may not have received what was sent
  /// then. Vol 6, Part B, 4.5.2
  private static func deadTime(of link: Link?, _ reason: UInt8?) -> Int64 {
    guard let link, HCIErrorCode(reason) == .connectionTimeout else { return 0 }
    return Int64(link.supervisionTimeout) * 10_000_000 + Int64.seconds(1)
  }

  private mutating func judge(
    _ link: LinkID, lostAfter deadTime: Int64, _ end: Event?, _ report: inout RuleReport
  ) {
    for one in pending.removeValue(forKey: link) ?? [] {
      let last = one.finding.place.lastFrame
      if let end, let waited = report.elapsed(since: one.sent, in: last, end), waited <= deadTime {
        continue
      }
      report.missing(one.finding)
    }
  }

  mutating func finish(_ report: inout RuleReport) {
    for link in pending.keys.sorted(by: { $0.index < $1.index }) {
      judge(link, lostAfter: 0, nil, &report)
    }
  }

  private var answer: FindingText { ofIndications ? "a confirmation" : "an answer" }
  private var noun: FindingText { ofIndications ? "confirmation of" : "answer to" }
  private var expected: FindingText {
    ofIndications ? "a confirmation from the client" : "a response"
  }
}
