import HarkCore

/// Events of the app's side, inserted between the records of a capture: a session that gets the same records and
/// these events emits the same events.
public protocol AppReporting: Sendable {
  /// Call it before the first record.
  func introduce(to session: inout Session)

  /// Reports what happened before the next record.
  /// - Parameter time: The time of that record; nil after the last one.
  mutating func report(before time: Timestamp?, _ session: inout Session)
}
