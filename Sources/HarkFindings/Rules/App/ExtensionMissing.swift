import HarkSession

struct ExtensionMissing: Rule {
  static let about = RuleDescription(
    id: "app.extension-missing",
    title: "A data provider has no extension that carries its messages",
    severity: .warning, needs: .declaration,
    meaning:
      "The system passes a data provider's messages to the app's transport extension, encrypted with keys that the "
      + "app's security extension exchanged: without them, the accessory receives nothing.",
    source:
      "Apple, “Receiving iOS notifications on an accessory” and “Receiving Live Activity updates and alerts on an "
      + "accessory”: the three extensions of an app",
    fix:
      "Add an extension for each of the missing extension points to the app, with its entitlement and the keys of "
      + "AccessorySetupKit.")
  static let wants: Set<Event.Family> = [.app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let bundles = event.declaration?.bundles ?? []
    // An extension alone, or several apps, do not show what belongs together.
    guard bundles.count(where: { !$0.isExtension }) == 1 else { return }
    let extensions = bundles.filter(\.isExtension)
    let points = extensions.compactMap(\.extensionPoint)
    // A point that is unknown or misspelt has its own finding.
    guard points.count == extensions.count,
      points.allSatisfy({ ExtensionPoints.meant($0).isEmpty })
    else { return }
    let missing = [AccessoryExtensionPoint.security, .transport].map(\.rawValue)
      .filter { !points.contains($0) }
    guard !missing.isEmpty else { return }
    // Only a bundle that was read from inside its app shows what else the app has: the others may not have been named.
    for bundle in extensions
    where bundle.extensionPoint == AccessoryExtensionPoint.dataProvider.rawValue
      && !bundle.path.isEmpty
    {
      report.found(
        event, session,
        observed: "\(bundle.label) is a data provider, but the app has no extension for "
          + "\(missing.joined(separator: " and none for "))",
        expected: "extensions for \(missing.joined(separator: " and "))", confidence: .likely,
        subject: bundle.label)
    }
  }
}
