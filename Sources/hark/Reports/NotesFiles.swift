import ArgumentParser
import HarkCapture
import HarkCore
import HarkReport
import HarkSession

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
      // Standard input has no name.
      if !notes.capture.isEmpty, twins.isEmpty, capture != "-" {
        Console.complain(
          "\(file): notes on \(notes.capture), not on \(Self.name(capture)): the packets may be others"
        )
      }
      self.notes[capture, default: []] += notes.notes
    }
  }

  /// The notes on a capture; those on packets that it does not have are reported on standard error.
  func of(_ capture: String, packets: Int) -> [CaptureNotes.Note] {
    let all = notes[capture] ?? []
    let beyond = all.filter { Int($0.last.number) > packets }
    if let first = beyond.first {
      Console.complain(
        "\(InputFile.name(capture)): \(Names.count(beyond.count, "note")) left out: on packets that the capture does "
          + "not have, such as \(Names.packets(first.first, first.last))")
    }
    return all.filter { Int($0.last.number) <= packets }
  }

  private static func name(_ path: String) -> String {
    path.fileName
  }
}
