import HarkSession

struct ExtensionPoint: Rule {
  static let about = RuleDescription(
    id: "app.extension-point", title: "An extension names an unknown extension point",
    severity: .error, needs: [.logs, .declaration],
    meaning: "The system does not find the extension and never launches it.",
    source: "Apple, AccessoryTransportExtension: EXExtensionPointIdentifier of "
      + "AccessoryDataProvider, AccessoryTransportSecurity and AccessoryTransportAppExtension",
    fix:
      "Spell the identifier in AppExtensionPoint.Identifier, or in "
      + "EXAppExtensionAttributes, as in Apple's documentation. For a binding in code, set "
      + "EX_ENABLE_EXTENSION_POINT_GENERATION to YES.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app else { return }
    for bundle in app.declaration?.extensions ?? [] {
      guard let point = bundle.extensionPoint else {
        report.found(
          event, session, observed: "\(bundle.label) has no EXExtensionPointIdentifier",
          expected: "an EXExtensionPointIdentifier in EXAppExtensionAttributes",
          subject: bundle.label)
        continue
      }
      check(point, of: bundle.label, event, session, &report)
      if bundle.hasOldPoint, ExtensionPoints.entitlement(of: point) != nil {
        report.found(
          event, session, observed: "\(bundle.label) names \(point) in NSExtension",
          expected: "EXExtensionPointIdentifier in EXAppExtensionAttributes",
          subject: "\(bundle.label) NSExtension")
      }
    }
    if let point = app[.extensionPoint], app.isCertain {
      check(point, of: app.process ?? "the journal", event, session, &report)
    }
  }

  private func check(
    _ point: String, of name: String, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    let meant = ExtensionPoints.meant(point)
    guard !meant.isEmpty else { return }
    report.found(
      event, session, observed: "\(name) names \(point)",
      expected: "\(meant.joined(separator: " or "))",
      subject: point)
  }
}
