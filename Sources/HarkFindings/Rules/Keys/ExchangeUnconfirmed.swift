import HarkCore
import HarkCrypto
import HarkSession

struct ExchangeUnconfirmed: Rule {
  static let about = RuleDescription(
    id: "keys.exchange-unconfirmed", title: "A key was never confirmed",
    severity: .warning, needs: .keyExchange,
    meaning:
      "The sender cannot know whether the other side has the key: messages encrypted with keys that "
      + "are derived from it may be lost. The phone's extension calls its completion without knowing "
      + "the result; if the extension never calls it, the system assumes success.",
    source: "Apple, “Receiving iOS notifications on an accessory”: completion of a SecurityMessage",
    fix:
      "The receiver of the key: send the receipt once the key is stored. The extension: call the "
      + "completion with a failure if no receipt for the phone's key arrives.")

  private static let waitLimit = Int64.seconds(15)
  private static let most = 64

  private var pending: [ReceiptID: HeldFinding] = [:]

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
      for (id, step) in pending where id.link == event.link {
        if event.isLoss {
          pending[id] = nil
          report.cannotTell(
            step.place,
            id.sender == .hostToAccessory
              ? "the link was lost before the accessory had time to confirm"
              : "the link was lost before the phone had time to confirm")
          continue
        }
        judge(id, "the link closed without a receipt", &report)
      }
    case .accessory(let accessory):
      switch accessory.content {
      case .publicKey(let key): wait(key.step, accessory.direction, event, session)
      case .encapsulatedKey(let key): wait(key.step, accessory.direction, event, session)
      case .accepted(let acceptance):
        let id = ReceiptID(
          acceptance.receiptID, expectedBy: accessory.direction.opposite, event)
        pending[id] = nil
      default: break
      }
    default: break
    }
  }

  private mutating func wait(
    _ step: SecurityStep, _ sender: MessageDirection, _ event: Event, _ session: borrowing Session
  ) {
    guard let id = step.receiptID, pending.count < Self.most else { return }
    let phase = step.phase.map { " (\($0.rawValue))" } ?? ""
    pending[ReceiptID(id, expectedBy: sender, event)] = HeldFinding(
      event, session,
      observed: sender == .hostToAccessory
        ? "the phone sent a key\(phase) with receipt identifier “\(id)”; "
        : "the accessory sent a key\(phase) with receipt identifier “\(id)”; ",
      expected: sender == .hostToAccessory
        ? "a receipt with the same identifier from the accessory"
        : "a receipt with the same identifier from the phone", confidence: .likely)
  }

  private mutating func judge(_ id: ReceiptID, _ what: String, _ report: inout RuleReport) {
    guard let step = pending.removeValue(forKey: id) else { return }
    report.missing(step, and: "\(what)")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for (id, step) in pending {
      report.cannotTell(
        step.place,
        id.sender == .hostToAccessory
          ? "the capture ends before the accessory had time to confirm"
          : "the capture ends before the phone had time to confirm")
    }
  }
}
