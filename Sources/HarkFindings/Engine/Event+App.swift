import HarkCore
import HarkSession

// What rules ask of the app's side again and again.
extension Event {
  var app: AppEvent? { if case .app(let app) = content { app } else { nil } }

  /// ` (app.ndjson:7)` after what was observed, where the app's side says it.
  var logPlace: String { app.map { " (\($0.origin.file):\($0.origin.line))" } ?? "" }

  /// Until when the capture shows the air at this event: a log may continue after the capture.
  func captureTime(_ session: borrowing Session) -> Timestamp {
    guard app != nil, let last = session.counts.lastTime else { return time }
    return min(time, last)
  }

  /// What the app declares, if the event is that.
  var declaration: AppDeclaration? { app?.declaration }
}

extension AppEvent {
  /// A journal says it itself; of a line of a log hark takes it so.
  var confidence: Finding.Confidence { isCertain ? .certain : .likely }
}

/// The extension points of accessories, and the entitlement that each asks for.
enum ExtensionPoints {
  static func entitlement(of point: String) -> String? {
    AccessoryExtensionPoint(rawValue: point)?.entitlement
  }

  /// The points that may have been meant; none where `point` is right, or of something else.
  static func meant(_ point: String) -> [String] {
    guard entitlement(of: point) == nil else { return [] }
    // What is only cut may be any that continues.
    let all = AccessoryExtensionPoint.allCases.map(\.rawValue)
    let longer = all.filter { $0.hasPrefix(point + "-") }
    if point.hasPrefix("com.apple.accessory-"), !longer.isEmpty { return longer }
    let distances = all.map { (point: $0, edits: $0.edits(to: point)) }
    guard let least = distances.map(\.edits).min(),
      least <= 8 || point.hasPrefix("com.apple.accessory-")
    else { return [] }
    return distances.filter { $0.edits == least }.map(\.point)
  }
}
