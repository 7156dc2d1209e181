import HarkCore
import HarkSession

struct NeverLaunched: Rule {
  static let about = RuleDescription(
    id: "app.never-launched", title: "The extension was not launched",
    severity: .error, needs: .logs,
    meaning:
      "No extension on the phone handles the accessory's messages: no keys, no notifications.",
    source: "Apple, ExtensionFoundation: the host launches an extension by its extension point; "
      + "Apple Developer Forums, extensions that are never launched",
    fix:
      "Check the extension point, the entitlements and the Info.plist of the extension, the "
      + "region of the phone, and whether an Apple Watch is the active target."
  )
  static let wants: Set<Event.Family> = [.accessory, .app]

  /// A line that says that an extension was not launched.
  private struct Failure {
    let place: Place
    let observed: FindingText
    let confidence: Finding.Confidence
    let bundle: String?
    let point: String?

    /// Whether an extension that runs may be another one.
    func isOther(than app: AppEvent) -> Bool {
      let (otherBundle, otherPoint) = (app[.bundle], app[.extensionPoint])
      if let bundle, let otherBundle, bundle != otherBundle { return true }
      if let point, let otherPoint, point != otherPoint { return true }
      return false
    }
  }

  /// The system tries again within this time.
  private static let waitLimit = Int64.seconds(30)
  private static let most = 64

  private var asked: Place?
  private var isRunning = false
  private var failures: [Failure] = []
  private var logs: Set<String> = []
  private var lines = 0
  /// Of those, what others than bluetoothd and accessoryd wrote.
  private var others = 0
  /// A log with entries that are not shown.
  private var outside: (place: Place, count: Int, file: String)?

  /// They speak of accessories, whether there is an extension or not.
  private static let daemons: Set<String> = ["bluetoothd", "accessoryd", "nearbyd"]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if asked == nil, case .accessory(let accessory) = event.content,
      accessory.direction == .accessoryToHost
    {
      asked = Place(event)
    }
    judge(event.time, &report)
    guard let app = event.app else { return }
    let isOfLog = app.kind != .declaration && app.kind != .internetMessage
    if isOfLog, logs.count < Self.most { logs.insert(app.origin.path) }
    if app.isExtension, app.kind != .extensionNotLaunched { run(app) }
    switch app.kind {
    case .clock:
      if let clock = app.clock, clock.outside > 0 {
        outside = (Place(event), clock.outside, app.origin.file)
      }
    case .declaration, .internetMessage: break
    case .extensionNotLaunched:
      if failures.count < Self.most {
        failures.append(
          Failure(
            place: Place(event), observed: RuleReport.text(of: event, session),
            confidence: app.confidence, bundle: app[.bundle], point: app[.extensionPoint]))
      }
      // It is reported; that nothing else comes is no news.
      isRunning = true
    // What ended ran; that an app ended says nothing of its extensions.
    case .extensionEnded: run(app)
    case .line, .deviceFound, .deviceConnected, .deviceDisconnected, .entitlementMissing:
      lines += 1
      if let process = app.process, !Self.daemons.contains(process) { others += 1 }
    case .sessionAccepted, .securityMessage, .transportMessage, .dataEvent:
      isRunning = true
      if !app.isContainerApp { run(app) }
    default: isRunning = true
    }
  }

  /// An extension runs: what failed before was tried again.
  private mutating func run(_ app: AppEvent) {
    isRunning = true
    if !failures.isEmpty { failures.removeAll { !$0.isOther(than: app) } }
  }

  private mutating func judge(_ time: Timestamp, _ report: inout RuleReport) {
    while let first = failures.first, time.since(first.place.time) >= Self.waitLimit {
      found(first, &report)
      failures.removeFirst()
    }
  }

  private func found(_ it: Failure, _ report: inout RuleReport) {
    report.found(
      it.place, observed: it.observed, expected: "the extension launched",
      confidence: it.confidence, subject: it.point ?? "")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for it in failures { found(it, &report) }
    if isRunning { return }
    if let outside {
      let entries = Names.count(outside.count, "entry", "entries")
      return report.cannotTell(
        outside.place,
        "\(entries) of \(outside.file) outside the time of the capture: the log is from another time"
      )
    }
    guard let asked, lines > 0 else { return }
    guard others > 0 else {
      return report.cannotTell(asked, "the logs have lines only from the Bluetooth daemons")
    }
    if let end = report.coverage.logTime(of: logs, at: session.counts.lastTime ?? asked.time),
      end < asked.time
    {
      return report.cannotTell(asked, "the log ends before the accessory sends messages")
    }
    if let start = report.coverage.logStart(of: logs), start > asked.time {
      return report.cannotTell(asked, "the log begins after the accessory sends messages")
    }
    report.missing(
      asked, observed: "the accessory sends messages, but no line of the logs is from an extension",
      expected: "an extension that is launched and handles them", severity: .warning,
      confidence: .possible)
  }
}
