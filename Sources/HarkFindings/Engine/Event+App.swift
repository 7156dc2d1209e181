import HarkSession

// What rules ask of the app's side again and again.
extension Event {
  var app: AppEvent? { if case .app(let app) = content { app } else { nil } }

  /// ` (app.ndjson:7)` behind what was observed, where the app's side says it.
  var logPlace: String { app.map { " (\($0.origin.file):\($0.origin.line))" } ?? "" }

  /// What the app declares, if the event is that.
  var declaration: AppDeclaration? { app?.declaration }
}

extension AppEvent {
  /// The line and where it is: `the connection was rejected (app.ndjson:12)`.
  var observed: String {
    let said = self[.error] ?? (text.isEmpty ? kind.rawValue : text)
    return (process.map { "\($0): " } ?? "") + said.prefix(200) + " (\(origin.file):\(origin.line))"
  }

  /// A journal says it itself; of a line of a log hark takes it so.
  var confidence: Finding.Confidence { isCertain ? .certain : .likely }
}

/// The extension points of accessories, and the entitlement that each asks for.
enum ExtensionPoints {
  static let all: [(point: String, entitlement: String)] = [
    ("com.apple.accessory-data-provider", "com.apple.developer.accessory-data-provider"),
    ("com.apple.accessory-transport-security", "com.apple.developer.accessory-transport-security"),
    (
      "com.apple.accessory-transport-extension",
      "com.apple.developer.accessory-transport-extension"
    ),
  ]

  static func entitlement(of point: String) -> String? {
    all.first { $0.point == point }?.entitlement
  }

  /// The point that was meant; nil where `point` is right, or of something else.
  static func meant(_ point: String) -> String? {
    guard entitlement(of: point) == nil else { return nil }
    let nearest = all.map(\.point).min { $0.edits(to: point) < $1.edits(to: point) }
    guard let nearest else { return nil }
    let isNear = nearest.edits(to: point) <= 8
    return isNear || point.hasPrefix("com.apple.accessory-") ? nearest : nil
  }
}
