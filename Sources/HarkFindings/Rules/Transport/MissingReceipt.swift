import HarkCore
import HarkCrypto
import HarkSession

struct MissingReceipt: Rule {
  static let about = RuleDescription(
    id: "transport.missing-receipt", title: "A receipt is missing",
    severity: .warning, needs: .accessoryMessages,
    meaning:
      "Writes without response that arrive faster than the receiver handles them are silently "
      + "dropped: only the missing receipt shows it. The sender waits, retransmits, or "
      + "continues with a gap.",
    source: "The vendor's framing; Core Specification, Vol 3, Part F, 3.4.5.3 (ATT_WRITE_CMD)",
    fix:
      "Send the next slice after the receipt for the previous one, take slices off the "
      + "Bluetooth stack's task immediately, and repeat a slice whose receipt does not "
      + "arrive.")

  private struct Pending {
    let place: Place
    let link: LinkID?
    let sender: Sender
  }

  private struct Sender: Hashable {
    let owner: Owner
    let direction: MessageDirection
  }

  /// Whether the other side confirms what a sender sends.
  private struct Habit {
    var confirmed = 0
    var unconfirmed = 0

    /// Some confirm only the messages that ask for it in another way.
    var isReliable: Bool { confirmed >= 3 && unconfirmed == 0 }
  }

  private static let waitLimit = Int64.seconds(30)
  private static let most = 256

  private var pending: [ReceiptID: Pending] = [:]
  private var habits = RecentValues<Sender, Habit>(capacity: 256)

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    for (id, message) in pending where report.isOver(Self.waitLimit, since: message.place, at: time)
    {
      judge(id, "within 30 s", &report)
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    switch event.content {
    case .link(.closed):
      for (id, message) in pending where message.link == event.link {
        judge(id, "before the link closed", &report)
      }
    case .accessory(let accessory): take(accessory, event, session, &report)
    default: break
    }
  }

  private mutating func take(
    _ accessory: AccessoryEvent, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    switch accessory.content {
    case .flowControl(.unconfirmed(_, _, .captureEnded)):
      report.cannotTell(Place(event), "a slice was unconfirmed when the capture ended")
    case .flowControl(.unconfirmed):
      report.found(
        event, session, expected: "a receipt for every slice", confidence: .likely,
        subject: "slice")
    case .flowControl(.lateReceipt):
      report.found(
        event, session, expected: "a receipt before the sender gives up", severity: .info,
        subject: "late")
    case .message(let message):
      guard let id = message.receiptID, pending.count < Self.most else { return }
      let sender = Sender(owner: Owner(event, session), direction: accessory.direction)
      pending[ReceiptID(id, expectedBy: accessory.direction, event)] = Pending(
        place: Place(event), link: event.link, sender: sender)
    case .accepted(let acceptance):
      let key = ReceiptID(
        acceptance.receiptID, expectedBy: accessory.direction.opposite, event)
      guard let message = pending.removeValue(forKey: key) else { return }
      var habit = habits[message.sender] ?? Habit()
      habit.confirmed += 1
      habits.set(message.sender, habit)
    default: break
    }
  }

  private mutating func judge(_ key: ReceiptID, _ until: String, _ report: inout RuleReport) {
    guard let message = pending.removeValue(forKey: key) else { return }
    var habit = habits[message.sender] ?? Habit()
    if habit.isReliable {
      report.missing(
        message.place,
        observed:
          "no receipt \(until), although the previous \(public: habit.confirmed) messages were confirmed",
        expected: "a receipt for every message", subject: "message")
    } else {
      report.cannotTell(
        message.place, "too few messages are confirmed to expect a receipt for this one",
        subject: message.sender.direction.rawValue)
    }
    habit.unconfirmed += 1
    habits.set(message.sender, habit)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for message in pending.values {
      report.cannotTell(message.place, "the capture ends before the receipt was due")
    }
  }
}
