import ArgumentParser
import Glibc
import HarkCapture
import HarkCrypto
import HarkRedact

/// Redacts files, and tells on standard error why one cannot be.
struct RedactionRun {
  let level: RedactionLevel
  let map: String?
  let keys: KeyRing

  /// - Returns: What was removed, and the exit code: 2 where not all of the capture can be read.
  func redact(
    _ capture: String, to output: String
  ) throws -> (list: RedactionList, code: ExitCode) {
    guard output != "-" else {
      throw failure(
        "a redacted capture goes into a file, not to standard output; name one to write to")
    }
    guard !Output.isSame(output, capture) else {
      throw failure("\(output): is the capture itself; name another file to write to")
    }
    let redacted = try redact(capture)
    // The map first: without it the owner could not translate back.
    if let map { try write(Array(redacted.map.text.utf8), to: map) }
    try write(redacted.bytes, to: output)
    let written = try Capture(bytes: redacted.bytes, name: capture)
    let end = written.forEachRecord { _, _ in true }
    return (redacted.list, Reading.status(end, of: written))
  }

  func redact(_ capture: String) throws -> Redaction.Redacted {
    do {
      let redaction = Redaction(
        level: level, map: try readMap(), keys: keys, framings: Dissectors.framings)
      return try redaction.redact(CaptureBytes(path: capture))
    } catch let code as ExitCode {
      throw code
    } catch {
      for line in "\(error)".split(separator: "\n") { Console.complain(String(line)) }
      throw failure("nothing was written")
    }
  }

  private func readMap() throws -> RedactionMap {
    guard let map, unsafe access(map, F_OK) == 0 else { return RedactionMap() }
    do {
      return try RedactionMap(String(decoding: try CaptureBytes(path: map).bytes, as: UTF8.self))
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
