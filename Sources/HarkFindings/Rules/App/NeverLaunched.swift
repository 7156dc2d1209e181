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

  private var asked: Place?
  private var isRunning = false
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
    guard let app = event.app else { return }
    if app.isExtension { isRunning = true }
    switch app.kind {
    case .clock:
      if let clock = app.clock, clock.outside > 0 {
        outside = (Place(event), clock.outside, app.origin.file)
      }
    case .declaration: break
    case .extensionNotLaunched:
      report.found(
        event, session, expected: "the extension launched",
        confidence: app.confidence, subject: app[.extensionPoint] ?? "")
      // It was reported; that nothing else came is no news.
      isRunning = true
    case .line, .deviceFound, .deviceConnected, .deviceDisconnected, .entitlementMissing:
      lines += 1
      if let process = app.process, !Self.daemons.contains(process) { others += 1 }
    default: isRunning = true
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
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
    report.missing(
      asked, observed: "the accessory sends messages, but no line of the logs is from an extension",
      expected: "an extension that is launched and handles them", severity: .warning,
      confidence: .possible)
  }
}
