import HarkSession

struct EnhancedSecurity: Rule {
  static let about = RuleDescription(
    id: "app.enhanced-security",
    title: "An extension with enhanced security uses NSXPCConnection",
    severity: .warning, needs: .logs,
    meaning:
      "The host's extension point has the attribute EnhancedSecurity, and such a host may "
      + "only connect with the XPC framework.",
    source:
      "Apple, ExtensionFoundation: Building an app extension to support a host app, "
      + "AppExtensionPoint.EnhancedSecurity",
    fix:
      "Return a ConnectionHandler from the extension's configuration, and answer requests in an XPCPeerHandler; "
      + "the host connects with AppExtensionProcess.makeXPCSession().")

  /// Extension points that have the attribute, and the executables of extensions bound to them.
  private var points: Set<String> = []
  private var executables: Set<String> = []

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    if let declaration = app.declaration {
      points = Set(declaration.bundles.flatMap(\.securedPoints))
      executables = Set(
        declaration.extensions.filter { points.contains($0.extensionPoint ?? "") }
          .compactMap(\.executable))
    }
    guard app.kind == .connectionAccepted, app[.interface] == "NSXPCConnection",
      points.contains(app[.extensionPoint] ?? "") || executables.contains(app.process ?? "")
    else { return }
    report.found(
      event, session, observed: "\(app.process ?? "the extension") accepts an NSXPCConnection",
      expected: "an XPCSession", confidence: .possible, subject: app.reporter)
  }
}
