import ArgumentParser
import Crypto
import Glibc
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact

/// What a report is made from.
enum ReportInput {
  case file(String)
  /// With a name that says nothing of where it was; `path` is of the capture that was redacted.
  case redacted([UInt8], name: String, path: String)

  /// The file that it was read from.
  var path: String {
    switch self {
    case .file(let path), .redacted(_, _, let path): path
    }
  }

  var isRedacted: Bool { if case .redacted = self { true } else { false } }

  /// The redacted form of the file at `path`, which is the report's capture `number`.
  static func redacting(_ path: String, number: Int, keys: KeyRing) throws -> ReportInput {
    let redacted = try RedactionRun(level: .share, map: nil, keys: keys).redact(path)
    let file = path.split(separator: "/").last ?? "-"
    let ending = file.contains(".") ? file.split(separator: ".").last.map { ".\($0)" } ?? "" : ""
    return .redacted(redacted.bytes, name: "capture-\(number)\(ending)", path: path)
  }

  func open(_ knowledge: KnowledgeOptions) throws -> Capture {
    do {
      switch self {
      case .file(let path): return try knowledge.open(path)
      case .redacted(let bytes, let name, _):
        let capture = try Capture(bytes: bytes, name: name)
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
    case .redacted(let bytes, _, _): Hex.text(SHA256.hash(data: bytes))
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
