import HarkCore
import HarkSession

struct ConnectionInterrupted: Rule {
  static let about = RuleDescription(
    id: "app.connection-interrupted", title: "An XPC connection was interrupted",
    severity: .warning, needs: .logs,
    meaning:
      "The process on the other side ended, usually because of a crash or its memory use: "
      + "its state, such as sessions and keys, is lost.",
    source: "Apple, Foundation: NSXPCConnection.interruptionHandler; XPC: "
      + "XPC_ERROR_CONNECTION_INTERRUPTED",
    fix:
      "If the log does not say why the other process ended, look for its crash report or jetsam "
      + "event at this time. Set up the session again in the interruption handler."
  )
  static let wants: Set<Event.Family> = [.app]

  private struct Interrupted {
    let finding: HeldFinding
    let service: String?
    let reporter: String
  }

  private struct Ended {
    let time: Timestamp
    let reason: FindingText
    let bundle: String?
    /// Whether it is one of the user's programs.
    let isOwn: Bool
    let reporter: String

    /// Whether it may be the other side of the connection: not the process that reports the interruption, nor a helper
    /// of the system that ends at the same time; and the other side of a connection to the system's own service is not
    /// one of the user's programs.
    func isOtherSide(of it: Interrupted) -> Bool {
      if let bundle, bundle == it.service { return true }
      return isOwn && reporter != it.reporter && it.service?.hasPrefix("com.apple.") != true
    }
  }

  /// The system logs the end of the process this long before or after the interruption.
  private static let reach = Int64.seconds(5)
  private static let most = 64

  private var interrupted: [Interrupted] = []
  /// The last process that ended, with the reason that the system gave.
  private var ended: Ended?
  /// What the declarations name.
  private var own: Set<String> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    judge(event.time, &report)
    for bundle in event.declaration?.bundles ?? [] {
      own.formUnion([bundle.identifier, bundle.executable].compactMap { $0 })
    }
    guard let app = event.app else { return }
    if app.kind == .extensionEnded, let error = app[.error] {
      let who = app[.bundle] ?? app.process ?? "a process"
      ended = Ended(
        time: event.time, reason: "\(who) ended: \(error)\(event.logPlace)", bundle: app[.bundle],
        isOwn: app.isExtension || own.contains(who), reporter: app.reporter)
    }
    guard app.kind == .connectionInterrupted, interrupted.count < Self.most else { return }
    let finding = HeldFinding(
      event, session, expected: "a connection that lasts", confidence: app.confidence,
      subject: app[.service] ?? app.process ?? "")
    interrupted.append(
      Interrupted(finding: finding, service: app[.service], reporter: app.reporter))
  }

  private mutating func judge(_ time: Timestamp, _ report: inout RuleReport) {
    while let first = interrupted.first, time.since(first.finding.place.time) >= Self.reach {
      found(first, &report)
      interrupted.removeFirst()
    }
  }

  private func found(_ it: Interrupted, _ report: inout RuleReport) {
    if let ended, ended.isOtherSide(of: it),
      ended.time.since(it.finding.place.time).magnitude <= Self.reach.magnitude
    {
      report.found(it.finding, and: "; \(ended.reason)")
    } else {
      report.found(it.finding)
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for it in interrupted { found(it, &report) }
  }
}
