import HarkSession

struct InfoKeyMissing: Rule {
  static let about = RuleDescription(
    id: "app.info-key-missing", title: "A key is missing from an extension's Info.plist",
    severity: .warning, needs: .declaration,
    meaning: "The system does not bring the extension and the accessory together: it is not "
      + "launched, or told nothing.",
    source: "Apple, AccessorySetupKit: NSAccessorySetupKitSupports, "
      + "NSAccessorySetupBluetoothServices, NSAccessorySetupBluetoothNames; working extensions have "
      + "them in each target",
    fix: "Copy the keys of the app's Info.plist to that of each extension.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for bundle in event.declaration?.extensions ?? [] {
      guard let point = bundle.extensionPoint,
        ExtensionPoints.entitlement(of: ExtensionPoints.meant(point) ?? point) != nil
      else { continue }
      var missing: [String] = []
      if !bundle.supports.contains("Bluetooth") {
        missing.append("NSAccessorySetupKitSupports with Bluetooth")
      }
      if bundle.services.isEmpty, bundle.names.isEmpty, bundle.companies.isEmpty {
        missing.append("NSAccessorySetupBluetoothServices, or names or company identifiers")
      }
      if point.hasSuffix("data-provider"), bundle.capabilities.isEmpty {
        missing.append("EXCapabilities")
      }
      guard !missing.isEmpty else { continue }
      report.found(
        event, session, observed: "\(bundle.label) lacks \(missing.joined(separator: "; "))",
        expected: "the keys in the extension's own Info.plist", confidence: .likely,
        subject: bundle.label)
    }
  }
}
