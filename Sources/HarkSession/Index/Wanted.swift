import HarkCore

/// What the caller wants in addition to rows and events. See the properties of `Session`.
struct Wanted {
  var fields = false
  /// What records complete, also of those whose fields are not wanted.
  var completed = false
  var values = false
  var messages = false
  var clearedRecords = false
  /// The numbers of packets whose messages are wanted as trees.
  var trees: ClosedRange<UInt32>?
  /// The stream whose data is wanted.
  var stream: StreamID?
  var onKeySearch: (@Sendable (Int?) -> Void)?

  var completesPDUs: Bool { fields || completed }
}
