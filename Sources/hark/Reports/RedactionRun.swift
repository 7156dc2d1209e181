import ArgumentParser
import HarkCapture
import HarkCrypto
import HarkPlatform
import HarkRedact

/// Redacts files, and reports on standard error why one could not be redacted.
struct RedactionRun {
  let level: RedactionLevel
  let map: String?
  let keys: KeyRing
  let form: CaptureForm?
  /// Called with the reason before it is reported.
  var failed: (any Error) -> Void = { _ in }

  /// - Returns: The list of removed data, and the exit code: 2 if not all of the capture can be read.
  func redact(
    _ capture: String, to output: String
  ) throws -> (list: RedactionList, code: ExitCode) {
    guard output != "-" else {
      throw failure(
        "a redacted capture cannot go to standard output; name an output file")
    }
    guard !Output.isSame(output, capture) else {
      throw failure("\(output): this is the capture itself; choose another output file")
    }
    var file = try read(capture)
    if let complaint = RedactedName(output).complaint(file, capture) { throw failure(complaint) }
    let redacted: Redaction.Redacted
    do {
      redacted = try redact(taking: &file)
    } catch {
      if unsafe access(output, F_OK) == 0 {
        Console.complain("\(output): from an earlier run; hark did not replace it")
      }
      throw error
    }
    // The map first: without it, the owner could not translate back.
    if let map { try write(Array(redacted.map.text.utf8), to: map) }
    try write(redacted.bytes, to: output)
    guard redacted.list.entries == nil else { return (redacted.list, .success) }
    if redacted.list.isRewritten {
      Console.complain(
        "\(capture): damaged so that it cannot be redacted as it is; the redacted capture is a new file with the "
          + "packets that hark could read")
      return (redacted.list, ExitCode(2))
    }
    let written = try Capture(bytes: redacted.bytes, name: capture)
    let end = written.forEachRecord { _, _ in true }
    return (redacted.list, Reading.status(end, of: written))
  }

  /// - Parameters:
  ///   - file: The file, whose bytes are moved out of it.
  ///   - logs: Of the app's side, that belong to the capture.
  ///   - earlier: What other captures beside it became; otherwise what the map says.
  func redact(
    taking file: inout CaptureBytes, logs: [String] = [], after earlier: RedactionMap? = nil
  ) throws -> Redaction.Redacted {
    MemoryLimit.refuseParts()
    let redaction = Redaction(
      level: level, map: try earlier ?? readMap(), keys: keys, framings: Dissectors.framings)
    return try reporting {
      try Progress.during("redacting \(file.name)") {
        if (try? Capture(file)) == nil, Redaction.isLog(file) {
          return try redaction.redact(log: file)
        }
        return try redaction.redact(taking: &file, logs: logs.map { try Self.log($0) })
      }
    }
  }

  /// A log of the app's side. Of an archive the packet logs alone would be read.
  private static func log(_ path: String) throws(CaptureError) -> CaptureBytes {
    guard PackedFiles(path: path) == nil else {
      throw CaptureError(
        path, "a folder or an archive", expected: "a log",
        advice: "name the log in it: hark redacts only single log files")
    }
    return try CaptureBytes(path: path)
  }

  func read(_ path: String) throws -> CaptureBytes {
    try reporting { try CaptureBytes(path: path, isText: form == .text) }
  }

  private func reporting<Made>(_ make: () throws -> Made) throws -> Made {
    do {
      return try make()
    } catch {
      failed(error)
      for line in "\(error)".split(separator: "\n") { Console.complain(String(line)) }
      throw failure("nothing was written")
    }
  }

  /// The map that was named and is there; otherwise one with a key of its own.
  func readMap() throws -> RedactionMap {
    guard let map, unsafe access(map, F_OK) == 0 else { return RedactionMap() }
    do {
      let text = String(decoding: try CaptureBytes(path: map).bytes, as: UTF8.self)
      return text.isEmpty ? RedactionMap() : try RedactionMap(text)
    } catch {
      throw failure("\(map): \(error)")
    }
  }

  /// Writes a file for its owner alone, which is there as a whole or not at all; into a device or a
  /// FIFO what it takes.
  func write(_ bytes: [UInt8], to path: String) throws {
    let output = try OutputBytes(path, besides: [])
    output.bytes = bytes
    try output.finish()
  }

  private func failure(_ complaint: String) -> ExitCode {
    Console.complain(complaint)
    return .failure
  }
}
