import HarkCore
import HarkSession

struct NotForwarded: Rule {
  static let about = RuleDescription(
    id: "keys.not-forwarded", title: "The encapsulated key was not forwarded",
    severity: .error, needs: .logs,
    meaning:
      "The phone's extension received the encapsulated key, but the accessory did not: it "
      + "cannot derive keys, so it cannot decrypt notifications.",
    source:
      "Apple, “Receiving iOS notifications on an accessory”: the extension sends a "
      + "SecurityMessage of keyType encapsulatedKey to the accessory",
    fix:
      "Write the key of the SecurityMessage to the accessory unchanged, wait until the "
      + "accessory has it, and only then call the completion.")

  private struct Pending {
    let app: AppEvent
    let finding: HeldFinding
  }

  /// The app says that it has the key before it writes it; this leaves room for clocks that are not
  /// quite the same.
  private static let before = Int64.seconds(5)
  private static let waitLimit = Int64.seconds(10)
  private static let most = 64

  private var pending: [Pending] = []
  private var lastOnAir: Place?
  /// Whether the capture shows key exchanges at all.
  private var isCarried = false

  mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    while let first = pending.first?.finding,
      report.isOver(Self.waitLimit, since: first.place, at: time)
    {
      judge(first, session.counts.firstTime ?? time, &report)
      pending.removeFirst()
    }
  }

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    tick(event.captureTime(session), session, &report)
    if let app = event.app {
      guard app.kind == .securityMessage, app[.keyType] == "encapsulatedKey",
        pending.count < Self.most
      else { return }
      if let lastOnAir, report.isSoon(Self.before, after: lastOnAir, at: event.time) { return }
      let finding = HeldFinding(
        event, session,
        observed: "\(RuleReport.text(of: event, session)); no encapsulated key was sent to the "
          + "accessory within \(public: Names.duration(Self.waitLimit))",
        expected: "the encapsulated key written to the accessory", confidence: .likely)
      pending.append(Pending(app: app, finding: finding))
      return
    }
    guard case .accessory(let accessory) = event.content else { return }
    switch accessory.content {
    case .publicKey: isCarried = true
    case .encapsulatedKey:
      isCarried = true
      lastOnAir = Place(event)
      guard !pending.isEmpty else { break }
      let first = pending.removeFirst()
      pending.removeAll { Self.isSame($0, first) }
    default: break
    }
  }

  /// Whether an app only says again what it said: a line where it gets the key, one where it writes it.
  private static func isSame(_ one: Pending, _ first: Pending) -> Bool {
    one.finding.place.time.since(first.finding.place.time) <= before
      && one.app.process == first.app.process
      && [.size, .cipherSuite, .identifier].allSatisfy { (fact: AppEvent.Fact) in
        one.app[fact] == first.app[fact]
      }
  }

  /// - Parameter start: Of the capture.
  private func judge(_ one: HeldFinding, _ start: Timestamp, _ report: inout RuleReport) {
    guard isCarried else {
      return report.cannotTell(
        one.place, "the capture has no key exchange in a framing that hark knows")
    }
    guard one.place.time >= start else {
      return report.cannotTell(
        one.place, "the extension received the encapsulated key before the capture began")
    }
    report.missing(one)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in pending {
      report.cannotTell(one.finding.place, "the capture ends before the key had to be forwarded")
    }
  }
}
