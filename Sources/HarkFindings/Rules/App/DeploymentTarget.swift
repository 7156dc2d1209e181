import HarkSession

struct DeploymentTarget: Rule {
  static let about = RuleDescription(
    id: "app.deployment-target", title: "The deployment target is older than the framework",
    severity: .warning, needs: .declaration,
    meaning:
      "On systems between the two versions, the extension is installed but cannot work.",
    source:
      "Apple: AccessoryTransportAppExtension from iOS 26.2, AccessoryDataProvider and "
      + "AccessoryTransportSecurity from 26.5, AudioAccessoryKit from 26.4; MinimumOSVersion",
    fix:
      "Raise the deployment target (MinimumOSVersion) of the extension's target to the "
      + "framework's first version, or check availability with #available.")
  static let wants: Set<Event.Family> = [.app]

  private var declared: Event?
  private var isReported = false

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let declaration = event.declaration {
      declared = event
      for bundle in declaration.extensions {
        guard let point = bundle.extensionPoint.flatMap(AccessoryExtensionPoint.init) else {
          continue
        }
        judge(bundle, Self.first(of: point), point.rawValue, event, session, &report)
      }
      // What is linked weakly is meant to be missing on older systems.
      for bundle in declaration.bundles
      where bundle.frameworks?.strong.contains("AudioAccessoryKit") == true {
        isReported = isReported || !bundle.isExtension
        judge(bundle, "26.4", "AudioAccessoryKit", event, session, &report)
      }
    }
    guard !isReported, let declared, let app = event.app else { return }
    switch app.kind {
    case .configurationRegistered, .configurationRead, .configurationUpdated:
      isReported = true
      guard let bundle = declared.declaration?.bundles.first(where: { !$0.isExtension }) else {
        return
      }
      judge(bundle, "26.4", "AudioAccessoryKit", declared, session, &report)
    default: break
    }
  }

  private func judge(
    _ bundle: AppDeclaration.Bundle, _ first: String, _ what: String, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard let minimum = bundle.minimumSystem, Self.isOlder(minimum, than: first) else { return }
    report.found(
      event, session, observed: "\(bundle.label) has MinimumOSVersion \(minimum)",
      expected: "\(first) or later for \(what)", confidence: .possible,
      subject: "\(bundle.label) \(what)")
  }

  private static func first(of point: AccessoryExtensionPoint) -> String {
    switch point {
    case .transport: "26.2"
    case .dataProvider, .security: "26.5"
    }
  }

  /// Versions by their numbers; what is no number is older than none.
  static func isOlder(_ version: String, than other: String) -> Bool {
    let (a, b) = (numbers(version), numbers(other))
    guard let a, let b else { return false }
    return a.lexicographicallyPrecedes(b)
  }

  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.split(separator: ".").map { Int($0) }
    guard !parts.isEmpty, parts.count <= 4, !parts.contains(nil) else { return nil }
    return parts.compactMap { $0 }
  }
}
