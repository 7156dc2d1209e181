import HarkCore
import HarkSession

struct CentralOff: Rule {
  static let about = RuleDescription(
    id: "app.central-off", title: "CoreBluetooth stays off in the extension",
    severity: .error, needs: .logs,
    meaning:
      "The extension cannot use Bluetooth, although the phone can: it sends nothing.",
    source:
      "Apple, CoreBluetooth: CBManagerState; bluetoothd leaves extensions that it does not "
      + "recognize in poweredOff or unsupported",
    fix:
      "Check the entitlements and NSBluetoothAlwaysUsageDescription, and create the "
      + "CBCentralManager only after the session is accepted.")
  static let wants: Set<Event.Family> = [.app]

  private static let waitLimit = Int64.seconds(10)
  private static let wrong: Set<String> = ["poweredOff", "unsupported", "unauthorized"]

  private struct Off {
    let place: Place
    let state: String
    let isCertain: Bool
    /// The path of the log that shows it.
    let log: String
    /// Whether only a refused call shows it: any process may have made that.
    let isRefused: Bool
  }

  private static let most = 64

  private var off: [String: Off] = [:]
  private var extensions: Set<String> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    // The user may have switched Bluetooth on after the container app ran.
    guard let app = event.app, !app.isContainerApp else { return }
    let process = app.process ?? ""
    if app.isExtension || Self.isOfExtensions(app.kind), extensions.count < Self.most {
      extensions.insert(process)
    }
    guard app.kind == .centralState, let state = app[.state] else { return }
    if !Self.wrong.contains(state) {
      off[process] = nil
    } else if off[process] == nil, off.count < Self.most {
      off[process] = Off(
        place: Place(event), state: state, isCertain: app.isCertain, log: app.origin.path,
        isRefused: app[.service] != nil)
    }
  }

  /// What only extensions do.
  private static func isOfExtensions(_ kind: AppEvent.Kind) -> Bool {
    switch kind {
    case .sessionRequested, .sessionAccepted, .sessionRejected, .securityMessage,
      .transportMessage, .dataEvent:
      true
    default: false
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let last = session.counts.lastTime else { return }
    for (process, it) in off where !it.isRefused || extensions.contains(process) {
      let end = report.coverage.logTime(of: [it.log], at: last) ?? last
      let waited = max(0, end.since(it.place.time))
      let who = process.isEmpty ? "the central" : process
      guard waited >= Self.waitLimit else {
        report.cannotTell(
          it.place, "the log ends \(public: Names.duration(waited)) after \(who) was \(it.state)",
          subject: process)
        continue
      }
      report.found(
        it.place,
        observed: "\(who) is \(it.state) and remains so for \(public: Names.duration(waited))",
        expected: "poweredOn", confidence: it.isCertain ? .certain : .likely, subject: process)
    }
  }
}
