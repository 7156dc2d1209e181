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
    try checkEnding(of: output, capture)
    let redacted = try redact(read(capture))
    let isPacked = redacted.bytes.starts(with: [0x1F, 0x8B])
    guard isPacked || !output.hasSuffix(".gz") else {
      throw failure(
        "\(output): would not be compressed, as \(capture) is not; leave .gz out, and compress it "
          + "then")
    }
    // The map first: without it the owner could not translate back.
    if let map { try write(Array(redacted.map.text.utf8), to: map) }
    try write(redacted.bytes, to: output)
    guard redacted.list.entries == nil else { return (redacted.list, .success) }
    let written = try Capture(bytes: redacted.bytes, name: capture)
    let end = written.forEachRecord { _, _ in true }
    return (redacted.list, Reading.status(end, of: written))
  }

  /// The redacted capture is of the format of the other, whatever its name says.
  private func checkEnding(of output: String, _ capture: String) throws {
    let name = output.hasSuffix(".gz") ? output.dropLast(3) : output[...]
    guard let dot = name.lastIndex(of: "."), capture != "-",
      let wanted = CaptureOutput.endings.first(where: {
        $0.ending == name[name.index(after: dot)...]
      }),
      let info = try? Capture(path: capture).info, let format = CaptureOutput.format(of: info),
      let own = CaptureOutput.endings.first(where: { $0.format == format }),
      own.format != wanted.format
    else { return }
    throw failure(
      "\(output): would be \(own.format), as \(capture) is, and not \(wanted.format); end it with "
        + ".\(own.ending), and then: hark convert OUT.\(own.ending) \(output)")
  }

  /// - Parameters:
  ///   - logs: Of the app's side, that belong to the capture.
  ///   - earlier: What other captures beside it became; else what the map says.
  func redact(
    _ file: CaptureBytes, logs: [String] = [], after earlier: RedactionMap? = nil
  ) throws -> Redaction.Redacted {
    try telling {
      let redaction = Redaction(
        level: level, map: try earlier ?? readMap(), keys: keys, framings: Dissectors.framings)
      if (try? Capture(bytes: file.bytes, name: file.name)) == nil, Redaction.isLog(file) {
        return try redaction.redact(log: file)
      }
      return try redaction.redact(file, logs: logs.map { try CaptureBytes(path: $0) })
    }
  }

  func read(_ path: String) throws -> CaptureBytes {
    try telling { try CaptureBytes(path: path) }
  }

  private func telling<Made>(_ body: () throws -> Made) throws -> Made {
    do {
      return try body()
    } catch let code as ExitCode {
      throw code
    } catch {
      for line in "\(error)".split(separator: "\n") { Console.complain(String(line)) }
      throw failure("nothing was written")
    }
  }

  /// The map that was named and is there; else one with a key of its own.
  func readMap() throws -> RedactionMap {
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
