/// The outputs of a live timeline: standard output, and a file for its packets.
final class LiveOutput {
  // Lines are flushed when no more packets arrive, and under load from time to time.
  var lines = Output(isImmediate: false, longestWait: 10_000_000)
  let recording: LiveRecording?

  init(_ recording: LiveRecording?) { self.recording = recording }

  /// Call it after each event.
  func written() throws { if lines.isDue { try flush() } }

  /// Packets of printed events are in the file then, if its writer still runs.
  func flush() throws {
    recording?.flush()
    try lines.flush()
  }

  /// Flushes the output.
  /// - Returns: Whether the reader still reads.
  func sendOn() -> Bool {
    do { try flush() } catch { return false }
    return true
  }
}
