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
  /// Who says what: `AcmeTransport: the connection was rejected`.
  var observed: String {
    let said = self[.error] ?? (text.isEmpty ? kind.rawValue : text)
    return (process.map { "\($0): " } ?? "") + said.prefix(200)
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

  /// The points that may have been meant; none where `point` is right, or of something else.
  static func meant(_ point: String) -> [String] {
    guard entitlement(of: point) == nil else { return [] }
    // What is only cut may be any that goes on.
    let longer = all.map(\.point).filter { $0.hasPrefix(point + "-") }
    if point.hasPrefix("com.apple.accessory-"), !longer.isEmpty { return longer }
    let distances = all.map { (point: $0.point, edits: $0.point.edits(to: point)) }
    guard let least = distances.map(\.edits).min(),
      least <= 8 || point.hasPrefix("com.apple.accessory-")
    else { return [] }
    return distances.filter { $0.edits == least }.map(\.point)
  }
}
