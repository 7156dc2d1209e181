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

  private var off: [String: (place: Place, state: String, isCertain: Bool)] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .centralState, let state = app[.state] else { return }
    let process = app.process ?? ""
    if !Self.wrong.contains(state) {
      off[process] = nil
    } else if off[process] == nil, off.count < 64 {
      off[process] = (Place(event), state, app.isCertain)
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let last = session.counts.lastTime else { return }
    for (process, it) in off {
      let waited = last.since(it.place.time)
      let who = process.isEmpty ? "the central" : process
      guard waited >= Self.waitLimit else {
        report.cannotTell(
          it.place,
          "the capture ends \(Names.duration(max(0, waited))) after \(who) was \(it.state)",
          subject: process)
        continue
      }
      report.found(
        it.place, observed: "\(who) is \(it.state) and remains so for \(Names.duration(waited))",
        expected: "poweredOn", confidence: it.isCertain ? .certain : .likely, subject: process)
    }
  }
}
