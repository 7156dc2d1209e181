import HarkCapture

/// Something packets come from. It is made, and so opened, while the process has all its privileges;
/// it is read on a thread of its own without any.
protocol RecordSource: AnyObject {
  /// What it is called in messages.
  var name: String { get }

  /// What one should know before the recording begins, if there is something.
  var warning: String? { get }

  /// Reads what precedes the first record, once privileges are gone.
  /// - Parameter waitPolicy: How a source that is a capture waits for its records.
  /// - Returns: What kind of file holds its records.
  func begin(_ waitPolicy: ReadWaitPolicy) throws(RecordError) -> BtsnoopWriter.Datalink

  /// What it says about itself, if it is a capture that has begun.
  var capture: CaptureInfo? { get }

  /// Reads until the source ends or the recording is stopped.
  func read(_ intake: Intake) throws(RecordError)

  /// What it reads from, which must not be written to.
  var descriptor: Int32 { get }
}

extension RecordSource {
  var capture: CaptureInfo? { nil }
}
