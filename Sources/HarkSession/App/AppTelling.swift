import HarkCore

/// Events of the app's side, inserted between the records of a capture: a caller that gives a session
/// the same records and this gets the same events.
public protocol AppTelling: Sendable {
  /// Call it before the first record.
  func introduce(to session: inout Session)

  /// Reports what happened before the record that comes next.
  /// - Parameter time: Of that record; nil after the last.
  mutating func tell(before time: Timestamp?, _ session: inout Session)
}
