import ArgumentParser
import HarkExport
import HarkRedact

/// Writes the rows from the captures' processes, one capture at a time, and each completely or not at all.
final class ExportWriter: CaptureReceiver {
  let destination: any ExportDestination
  private let identity: CaptureIdentity
  private let format: ExportCommand.Format
  private var map: RedactionMap?
  private let keep: (RedactionMap) throws -> Void
  private var kept = Console.now
  private var hasNewValues = false

  private var frames = ExportFrame.Reader()
  /// The input so far for the capture whose turn it is.
  private var state = State.nothing

  private enum State {
    case nothing, some, all
    /// Input other than frames and rows.
    case spoiled
  }

  /// How long replacements stay only in memory, in nanoseconds: a large map is not written for each capture.
  private static let longestWait: UInt64 = 60_000_000_000

  /// - Parameter keep: Writes the map to its file.
  init(
    _ destination: any ExportDestination, _ identity: CaptureIdentity,
    format: ExportCommand.Format, map: RedactionMap?, keep: @escaping (RedactionMap) throws -> Void
  ) {
    (self.destination, self.identity, self.format) = (destination, identity, format)
    (self.map, self.keep) = (map, keep)
  }

  func take(_ piece: [UInt8], of path: String) throws {
    if case .spoiled = state { return }
    do {
      for frame in try frames.take(piece) {
        if case .nothing = state {
          try destination.begin(identity.file(path, readsContents: false).key)
          state = .some
        }
        switch frame {
        case .end: state = .all
        case .map(let text): try add(text)
        case .rows, .lines: try destination.take(frame)
        }
      }
    } catch let problem as FleetProblem {
      throw failure(problem)
    } catch is ExportFrame.Reader.Problem {
      spoil()
    } catch let error as any CustomStringConvertible & Error {
      throw failure(error)
    } catch {
      spoil()
    }
  }

  private func spoil() {
    destination.discard()
    state = .spoiled
  }

  private func add(_ text: [UInt8]) throws {
    guard let more = try? RedactionMap(String(decoding: text, as: UTF8.self)) else {
      throw ExportFrame.Reader.Problem()
    }
    map?.add(more)
    hasNewValues = true
  }

  func end(_ path: String, _ end: CaptureJobs.End, _ why: String?) throws {
    defer {
      state = .nothing
      frames = ExportFrame.Reader()
    }
    do {
      if case .all = state, why == nil {
        try destination.commit()
      } else {
        destination.discard()
        try write(end == .timedOut ? .timedOut : .crashed, why ?? "hark could not read it", path)
      }
      if hasNewValues, Console.now - kept > Self.longestWait { try keepMap() }
    } catch let code as ExitCode {
      throw code
    } catch {
      throw failure(error)
    }
  }

  private func write(
    _ failure: ExportedFile.Failure, _ problem: String, _ path: String
  ) throws {
    let file = identity.file(path, readsContents: false)
    var sink = RowBytes(asLines: format == .jsonl)
    file.write(failure, problem, to: &sink)
    var reader = ExportFrame.Reader()
    try destination.begin(file.key)
    for frame in try reader.take(try sink.takeFrames(all: true, day: nil)) {
      try destination.take(frame)
    }
    try destination.commit()
  }

  /// Writes replacements that are only in memory.
  func finish() throws { if hasNewValues { try keepMap() } }

  private func keepMap() throws {
    if let map { try keep(map) }
    (kept, hasNewValues) = (Console.now, false)
  }

  /// Rows already written stay; the others are discarded.
  private func failure(_ error: any Error) -> ExitCode {
    destination.discard()
    Console.complain("\(error)")
    return .failure
  }
}
