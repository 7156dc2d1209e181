import HarkSession

struct LaunchBundle: Rule {
  static let about = RuleDescription(
    id: "app.launch-bundle", title: "The accessory requests another app",
    severity: .warning, needs: [.externalAccessory, .declaration],
    meaning:
      "The phone launches another app, or none: this app does not start for the accessory.",
    source:
      "iAP2: RequestAppLaunch, AppBundleID; Apple, External Accessory: apps are launched "
      + "for the protocols that they declare",
    fix:
      "Set the AppBundleID of RequestAppLaunch to the CFBundleIdentifier of the app to "
      + "launch.")
  static let wants: Set<Event.Family> = [.iap2, .app]

  private static let requestAppLaunch: UInt16 = 0xEA02
  /// Its parameter 0.
  private static let appBundleID: UInt16 = 0

  private var declared: AppDeclaration?

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration { declared = declaration }
    guard let declared, case .iap2(.message(let message)) = event.content,
      message.identifier == Self.requestAppLaunch,
      let bundle = message.values.first(where: { $0.path == [Self.appBundleID] })?.text
    else { return }
    let apps = declared.bundles.filter { !$0.isExtension }.compactMap(\.identifier)
    guard !apps.isEmpty, !apps.contains(bundle) else { return }
    report.found(
      event, session, observed: "RequestAppLaunch of \(bundle)",
      expected: "\(apps.joined(separator: " or "))", confidence: .likely, subject: bundle)
  }
}
