import HarkCore
import HarkSession

struct InfoKeyMissing: Rule {
  static let about = RuleDescription(
    id: "app.info-key-missing",
    title: "An Info.plist key is missing or wrong",
    severity: .warning, needs: .declaration,
    meaning:
      "The system does not connect the extension with the accessory: the extension is not "
      + "launched, or receives nothing.",
    source:
      "Apple, AccessorySetupKit: NSAccessorySetupSupports (NSAccessorySetupKitSupports), "
      + "NSAccessorySetupBluetoothServices, NSAccessorySetupBluetoothNames; one public "
      + "project has them in each extension",
    fix:
      "Copy the keys from the app's Info.plist to the Info.plist of each extension, with "
      + "values of the types that Apple documents.")
  static let wants: Set<Event.Family> = [.app]

  private static let dataProvider = "com.apple.accessory-data-provider"
  /// Apple, AccessoryDataProvider: what an extension of it can be given.
  private static let capabilities = [
    "AccessoryNotifications.NotificationsForwarding",
    "AccessoryLiveActivities.LiveActivityForwarding",
  ]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for bundle in event.declaration?.bundles ?? [] where !bundle.mistyped.isEmpty {
      report.found(
        event, session, observed: "\(bundle.label): \(bundle.mistyped.joined(separator: "; "))",
        expected: "the types that Apple documents", subject: "\(bundle.label) types")
    }
    for bundle in event.declaration?.bundles ?? [] {
      let wrong = bundle.services.filter { !Self.isUUID($0) }
      guard !wrong.isEmpty else { continue }
      report.found(
        event, session,
        observed:
          "\(bundle.label): NSAccessorySetupBluetoothServices has \(wrong.joined(separator: ", "))",
        expected: "UUIDs of 4 or 8 hexadecimal digits, or of 36 characters",
        subject: "\(bundle.label) services")
    }
    for bundle in event.declaration?.bundles ?? [] { values(of: bundle, event, session, &report) }
    for bundle in event.declaration?.extensions ?? [] {
      let unknown = bundle.capabilities.filter { !Self.capabilities.contains($0) }
      if bundle.extensionPoint == Self.dataProvider, !unknown.isEmpty {
        report.found(
          event, session,
          observed: "\(bundle.label) has EXCapabilities \(unknown.joined(separator: ", "))",
          expected: "\(Self.capabilities.joined(separator: ", "))", confidence: .likely,
          subject: "\(bundle.label) capabilities")
      }
      guard let point = bundle.extensionPoint,
        ExtensionPoints.entitlement(of: ExtensionPoints.meant(point).first ?? point) != nil
      else { continue }
      if point.hasSuffix("data-provider"), bundle.capabilities.isEmpty,
        !Self.isMistyped(bundle, ["EXCapabilities"])
      {
        report.found(
          event, session, observed: "\(bundle.label) lacks EXCapabilities",
          expected: "EXCapabilities in the extension's own Info.plist", confidence: .likely,
          subject: "\(bundle.label) EXCapabilities")
      }
      var missing: [String] = []
      // A value of another type has its own finding.
      if !bundle.supports.contains("Bluetooth"),
        !Self.isMistyped(bundle, ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"])
      {
        missing.append("NSAccessorySetupSupports with Bluetooth")
      }
      if bundle.services.isEmpty, bundle.names.isEmpty, bundle.companies.isEmpty,
        !Self.isMistyped(bundle, Self.filters)
      {
        missing.append("NSAccessorySetupBluetoothServices, or names or company identifiers")
      }
      guard !missing.isEmpty else { continue }
      // Apple documents these keys for apps: that extensions need them, one public project reports.
      report.found(
        event, session,
        observed:
          "\(bundle.label) lacks \(missing.joined(separator: "; ")), which one public project "
          + "found necessary",
        expected: "the keys in the extension's own Info.plist", confidence: .possible,
        subject: bundle.label)
    }
  }

  private static let filters = [
    "NSAccessorySetupBluetoothServices", "NSAccessorySetupBluetoothNames",
    "NSAccessorySetupBluetoothCompanyIdentifiers",
  ]

  /// Whether a key is there, but with a value of a wrong type.
  private static func isMistyped(_ bundle: AppDeclaration.Bundle, _ keys: [String]) -> Bool {
    bundle.mistyped.contains { text in keys.contains { text.hasPrefix("\($0) ") } }
  }

  /// Apple, NSAccessorySetupSupports. Later releases may add technologies, but none that differs only in case.
  private static let technologies = ["Bluetooth", "WiFi"]

  private func values(
    of bundle: AppDeclaration.Bundle, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    let unknown = bundle.supports.filter { name in
      !Self.technologies.contains(name)
        && Self.technologies.contains { $0.lowercased() == name.lowercased() }
    }
    if !unknown.isEmpty {
      report.found(
        event, session,
        observed:
          "\(bundle.label): NSAccessorySetupSupports or NSAccessorySetupKitSupports has "
          + "\(unknown.joined(separator: ", ")), which AccessorySetupKit ignores",
        expected: "\(Self.technologies.joined(separator: ", "))", confidence: .likely,
        subject: "\(bundle.label) technologies")
    }
    // Assigned Numbers: company identifiers have 16 bits.
    let companies = bundle.companies.filter { !(0...0xFFFF).contains($0) }
    if !companies.isEmpty {
      report.found(
        event, session,
        observed: "\(bundle.label): NSAccessorySetupBluetoothCompanyIdentifiers has "
          + "\(companies.map { "\($0)" }.joined(separator: ", "))",
        expected: "company identifiers from 0 to 65535", subject: "\(bundle.label) companies")
    }
  }

  /// A UUID as CoreBluetooth reads one: `180A`, and not `0x180A`.
  private static func isUUID(_ text: String) -> Bool {
    let digits = text.utf8.allSatisfy { Hex.value(of: $0) != nil }
    return switch text.utf8.count {
    case 4, 8: digits
    case 36: BluetoothUUID(text) != nil
    default: false
    }
  }
}
