import HarkCore
import HarkSession

struct ExchangeUnconfirmed: Rule {
  static let about = RuleDescription(
    id: "keys.exchange-unconfirmed", title: "The accessory never confirmed the key",
    severity: .warning, needs: .keyExchange,
    meaning:
      "The phone cannot know whether the accessory uses the new keys: messages encrypted "
      + "with them may be lost, and the extension calls its completion without knowing the result. If "
      + "it never calls it, the system assumes success.",
    source: "Apple, “Receiving iOS notifications on an accessory”: completion of a SecurityMessage",
    fix:
      "Send the receipt once the key is stored, and call the completion with a failure if "
      + "no receipt arrives.")

  private struct Pending {
    let place: Place
    let link: LinkID?
    let phase: SecurityStep.Phase?
    /// As the message spells it.
    let receipt: String
  }

  private static let waitLimit = Int64.seconds(15)
  private static let most = 64

  private var pending: [String: Pending] = [:]

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (id, step) in pending where report.isOver(Self.waitLimit, since: step.place, at: time) {
      judge(id, "no receipt within 15 s", &report)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    switch event.content {
    case .link(.closed):
      for (id, step) in pending where step.link == event.link {
        if event.isLoss {
          pending[id] = nil
          report.cannotTell(
            step.place, "the link was lost before the accessory had time to confirm")
          continue
        }
        judge(id, "the link closed without a receipt", &report)
      }
    case .accessory(let accessory):
      switch accessory.content {
      case .publicKey(let key): wait(key.step, event)
      case .encapsulatedKey(let key): wait(key.step, event)
      case .accepted(let acceptance): pending[acceptance.receiptID.uppercased()] = nil
      default: break
      }
    default: break
    }
  }

  private mutating func wait(_ step: SecurityStep, _ event: Event) {
    guard let id = step.receiptID, pending.count < Self.most else { return }
    pending[id.uppercased()] = Pending(
      place: Place(event), link: event.link, phase: step.phase, receipt: id)
  }

  private mutating func judge(_ id: String, _ what: String, _ report: inout RuleReport) {
    guard let step = pending.removeValue(forKey: id) else { return }
    let phase = step.phase.map { " (\($0.rawValue))" } ?? ""
    report.missing(
      step.place,
      observed: "a key\(phase) was sent with receipt identifier “\(step.receipt)”; \(what)",
      expected: "a receipt with the same identifier")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for step in pending.values {
      report.cannotTell(step.place, "the capture ends before the accessory had time to confirm")
    }
  }
}
