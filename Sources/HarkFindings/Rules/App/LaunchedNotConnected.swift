import HarkCore
import HarkSession

struct LaunchedNotConnected: Rule {
  static let about = RuleDescription(
    id: "app.launched-not-connected",
    title: "An extension was launched, but nothing connected to it",
    severity: .warning, needs: .logs,
    meaning:
      "The extension runs, but gets neither a connection nor a session: it does nothing.",
    source:
      "Apple, ExtensionFoundation: after launching an app extension the host app initiates an "
      + "XPC connection to it",
    fix:
      "Check that the extension's configuration property returns the accepting configuration, that "
      + "its binding names the host's extension point, and that the host connects."
  )
  static let wants: Set<Event.Family> = [.app]

  private static let waitLimit = Int64.seconds(10)
  private static let most = 64

  private var launched: [String: (place: Place, who: String)] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    switch app.kind {
    case .extensionLaunched:
      // Of daemons' lines it is not known what the extension does then.
      guard app.isCertain, launched[app.reporter] == nil, launched.count < Self.most else { return }
      launched[app.reporter] = (Place(event), app.process ?? "the extension")
    case .line, .centralState, .extensionEnded:
      guard let it = launched[app.reporter], event.time.since(it.place.time) >= Self.waitLimit
      else {
        return
      }
      launched[app.reporter] = nil
      report.found(
        it.place,
        observed: "\(it.who) was launched, but within "
          + "\(public: Names.duration(event.time.since(it.place.time))) neither a connection nor a session followed",
        expected: "a connection from the host",
        // One that still runs may be wanted later.
        confidence: app.kind == .extensionEnded ? .likely : .possible, subject: app.reporter)
    default: launched[app.reporter] = nil
    }
  }
}
