/// Where a live timeline goes: to standard output, and its packets into a file.
final class LiveOutput {
  // Lines are sent on when nothing comes for now, and while much comes from time to time.
  var lines = Output(isImmediate: false, longestWait: 10_000_000)
  let recording: LiveRecording?

  init(_ recording: LiveRecording?) { self.recording = recording }

  /// Call it after each event.
  func written() throws { if lines.isDue { try flush() } }

  /// What is shown is in the file then, if its program continues.
  func flush() throws {
    recording?.flush()
    try lines.flush()
  }

  /// Sends on what there is.
  /// - Returns: Whether somebody reads on.
  func sendOn() -> Bool {
    do { try flush() } catch { return false }
    return true
  }
}
