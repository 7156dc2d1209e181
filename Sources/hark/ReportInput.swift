import ArgumentParser
import Crypto
import Glibc
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact
import HarkReport

/// What a report is made from.
enum ReportInput {
  case file(String)
  /// With a name that says nothing of where it was; `path` is of the capture that was redacted.
  case redacted(Redaction.Redacted, name: String, path: String)

  /// The file that it was read from.
  var path: String {
    switch self {
    case .file(let path), .redacted(_, _, let path): path
    }
  }

  /// What keys open, and a redacted report does not show: a sentence; nil where that is nothing.
  var withheld: String? {
    guard case .redacted(let redacted, _, _) = self, redacted.openedMessages > 0 else { return nil }
    let count = redacted.openedMessages
    return
      "\(Names.count(count, "sealed message")) that the keys open stay\(count == 1 ? "s" : "") "
      + "locked here, and what rules would say of them is missing: what people write to each other is "
      + "in no redacted report"
  }

  var isRedacted: Bool { if case .redacted = self { true } else { false } }

  /// The redacted form of the file at `path`, which is the report's capture `number`.
  /// - Parameters:
  ///   - logs: Of the app's side.
  ///   - map: What became what in the captures before; it goes on with this one.
  static func redacting(
    _ path: String, number: Int, _ run: RedactionRun, logs: [String], _ map: inout RedactionMap
  ) throws -> ReportInput {
    let redacted = try run.redact(path, logs: logs, after: map)
    map = redacted.map
    return .redacted(redacted, name: "capture-\(number)\(ending(of: path))", path: path)
  }

  /// `.pklg`
  static func ending(of path: String) -> String {
    let file = path.split(separator: "/").last ?? "-"
    return file.contains(".") ? file.split(separator: ".").last.map { ".\($0)" } ?? "" : ""
  }

  func open(_ knowledge: KnowledgeOptions) throws -> Capture {
    do {
      switch self {
      case .file(let path): return try knowledge.open(path)
      case .redacted(let redacted, let name, _):
        let capture = try Capture(bytes: redacted.bytes, name: name)
        capture.zone = knowledge.timeZone
        return capture
      }
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// The SHA-256, by which others see that they have the same; nil where it cannot be read.
  var hash: String? {
    switch self {
    case .file(let path): Self.hash(path)
    case .redacted(let redacted, _, _): Hex.text(SHA256.hash(data: redacted.bytes))
    }
  }

  private static func hash(_ path: String) -> String? {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var hash = SHA256()
    var part = [UInt8](repeating: 0, count: Output.size)
    while true {
      let count = unsafe read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      hash.update(data: part[..<count])
    }
    return Hex.text(hash.finalize())
  }
}
