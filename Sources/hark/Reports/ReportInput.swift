import ArgumentParser
import Crypto
import HarkCapture
import HarkCore
import HarkCrypto
import HarkPlatform
import HarkPresentation
import HarkRedact

/// The input of a report.
enum ReportInput {
  case file(String)
  case redacted(RedactedCopy)

  /// A redacted capture.
  struct RedactedCopy {
    let redacted: Redaction.Redacted
    /// A name without the folder of the capture.
    let name: String
    /// Of the capture that was redacted.
    let path: String
    /// The capture that was redacted; nil if there are no keys to judge it with.
    let original: CaptureBytes?

    /// The zone of the capture's clock, if logs of the app's side need it. Beside the capture, which keeps its times, UTC would
    /// show where the person is.
    func zone(_ knowledge: KnowledgeOptions) -> ClockZone? {
      redacted.logs.isEmpty ? nil : knowledge.timeZone?.withheld
    }
  }

  /// The file from which it was read.
  var path: String {
    switch self {
    case .file(let path): path
    case .redacted(let copy): copy.path
    }
  }

  var copy: RedactedCopy? { if case .redacted(let copy) = self { copy } else { nil } }

  /// The redacted form of the file at `path`, which is the report's capture `number`.
  /// - Parameters:
  ///   - logs: Of the app's side.
  ///   - hasKeys: Whether there are keys to judge the capture with.
  ///   - map: The replacements in the previous captures; those of this one are added.
  static func redacting(
    _ path: String, number: Int, _ run: RedactionRun, logs: [String], hasKeys: Bool,
    _ map: inout RedactionMap
  ) throws -> ReportInput {
    var file = try run.read(path)
    let original = hasKeys ? file : nil
    let redacted = try run.redact(taking: &file, logs: logs, after: map)
    map = redacted.map
    let ending = redacted.list.isOfReport ? ".btsnoop" : ending(of: path)
    return .redacted(
      RedactedCopy(
        redacted: redacted, name: "capture-\(number)\(ending)", path: path,
        original: original))
  }

  /// `.pklg`
  static func ending(of path: String) -> String {
    let file = path.fileName
    return file.contains(".") ? file.split(separator: ".").last.map { ".\($0)" } ?? "" : ""
  }

  func open(_ knowledge: KnowledgeOptions, as form: CaptureForm?) throws -> Capture {
    do {
      switch self {
      case .file(let path): return try knowledge.open(path, as: form)
      case .redacted(let copy):
        return try Self.open(
          CaptureBytes(copy.redacted.bytes, name: copy.name), zone: copy.zone(knowledge))
      }
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// - Parameter file: Of a capture, as it may be packed.
  static func open(_ file: CaptureBytes, zone: ClockZone?) throws(CaptureError) -> Capture {
    let capture = try Capture(file)
    capture.zone = zone
    return capture
  }

  /// The SHA-256, with which others can identify the same file; nil if it cannot be read.
  var hash: String? {
    switch self {
    case .file(let path): Self.hash(path)
    case .redacted(let copy): Hex.text(SHA256.hash(data: copy.redacted.bytes))
    }
  }

  static func hash(_ path: String) -> String? {
    let file = unsafe HarkPlatform.open(path, O_RDONLY | O_CLOEXEC)
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
