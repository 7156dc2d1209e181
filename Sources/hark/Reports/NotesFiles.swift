import ArgumentParser
import HarkCapture
import HarkCore
import HarkReport

/// Notes that the web page saved, by their captures.
struct NotesFiles {
  private var notes: [String: [CaptureNotes.Note]] = [:]

  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(_ files: [String], of captures: [String]) throws {
    for file in files {
      let bytes = try InputFile.bytes(file, most: CaptureNotes.longest)
      let notes: CaptureNotes
      do {
        notes = try CaptureNotes(bytes)
      } catch {
        Console.complain("\(file): \(error)")
        throw ExitCode.failure
      }
      let twins = captures.filter { Self.name($0) == notes.capture }
      guard let capture = captures.count == 1 ? captures.first : twins.first else {
        Console.complain("\(file): notes on \(notes.capture), which is not in the report")
        throw ExitCode.failure
      }
      self.notes[capture, default: []] += notes.notes
    }
  }

  func of(_ capture: String) -> [CaptureNotes.Note] { notes[capture] ?? [] }

  private static func name(_ path: String) -> String {
    path.fileName
  }
}
