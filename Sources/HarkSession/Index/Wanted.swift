import HarkCore

/// What the caller wants beside rows and events. See the properties of `Session`.
struct Wanted {
  var fields = false
  var values = false
  var messages = false
  var clearedRecords = false
  /// The stream whose data is wanted.
  var stream: StreamID?
  var onKeySearch: (@Sendable (Int?) -> Void)?
}
