import HarkSession

struct EntitlementMissing: Rule {
  static let about = RuleDescription(
    id: "app.entitlement-missing", title: "An entitlement is missing",
    severity: .error, needs: [.logs, .declaration],
    meaning: "The system refuses to launch the extension, or denies its requests.",
    source: "Apple, AccessoryTransportExtension: com.apple.developer.accessory-data-provider, "
      + "accessory-transport-security, accessory-transport-extension",
    fix: "Add the capability to the extension's target, and check whether its provisioning profile "
      + "has it.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    if app.kind == .entitlementMissing {
      report.found(
        event, session,
        expected: app[.entitlement].map { "\($0)" } ?? "the entitlement in the signature",
        confidence: app.confidence, subject: app[.entitlement] ?? app.text)
    }
    for bundle in app.declaration?.extensions ?? [] {
      guard let rights = bundle.entitlements,
        let point = bundle.extensionPoint
      else { continue }
      let points = ExtensionPoints.meant(point)
      let ways = (points.isEmpty ? [point] : points).compactMap(ExtensionPoints.entitlement)
      guard !ways.isEmpty, rights.isDisjoint(with: ways) else { continue }
      let needed = ways.joined(separator: " or ")
      report.found(
        event, session, observed: "\(bundle.label) is not entitled to \(needed)",
        expected: "\(needed) is true", subject: needed)
    }
  }
}
