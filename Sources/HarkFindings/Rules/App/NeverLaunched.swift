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

  /// The system tries again within this time.
  private static let waitLimit = Int64.seconds(30)
  private static let most = 64

  private var asked: Place?
  private var isRunning = false
  /// What lines say was not launched, as far as they name it.
  private var failures: [(bundle: String?, point: String?, finding: HeldFinding)] = []
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
    while let first = failures.first?.finding,
      event.time.since(first.place.time) >= Self.waitLimit
    {
      report.found(first)
      failures.removeFirst()
    }
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
        let point = app[.extensionPoint]
        let finding = HeldFinding(
          event, session, expected: "the extension launched", confidence: app.confidence,
          subject: point ?? "")
        failures.append((app[.bundle], point, finding))
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
    let (bundle, point) = (app[.bundle], app[.extensionPoint])
    failures.removeAll { Self.isSame($0.bundle, bundle) && Self.isSame($0.point, point) }
  }

  /// As far as both are named.
  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    one == nil || other == nil || one == other
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for one in failures { report.found(one.finding) }
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
