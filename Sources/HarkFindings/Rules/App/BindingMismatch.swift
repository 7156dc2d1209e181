import HarkSession

struct BindingMismatch: Rule {
  static let about = RuleDescription(
    id: "app.binding-mismatch",
    title: "An extension is bound to an extension point that its host does not define",
    severity: .error, needs: .declaration,
    meaning:
      "The system does not match the extension to the host app, so it never launches the "
      + "extension.",
    source:
      "Apple, ExtensionFoundation: AppExtensionPoint.Definition, AppExtensionPoint.Bind, "
      + "AppExtensionPoint.Identifier(_:name:)",
    fix:
      "Give AppExtensionPoint.Identifier the host's bundle identifier and the Name of its "
      + "definition, and set EX_ENABLE_EXTENSION_POINT_GENERATION to YES in both targets.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let declaration = event.declaration else { return }
    let hosts = declaration.bundles.filter { !$0.isExtension && $0.identifier != nil }
    for bundle in declaration.extensions {
      guard let point = bundle.extensionPoint else { continue }
      // Points of Apple's and of other apps are defined elsewhere.
      guard let host = hosts.first(where: { point.hasPrefix(($0.identifier ?? "") + ".") }) else {
        continue
      }
      let defined = host.definedPoints ?? []
      guard !defined.contains(point) else { continue }
      report.found(
        event, session, observed: "\(bundle.label) is bound to \(point)",
        expected: defined.isEmpty
          ? "\(host.label) defines it; it has no .appexpt file in Extensions"
          : "an extension point that \(host.label) defines: \(defined.joined(separator: ", "))",
        confidence: .likely, subject: point)
    }
  }
}
