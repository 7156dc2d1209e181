import HarkPlatform

/// What a name on the command line stands for: a file, or something that is connected to.
public struct Endpoint: Sendable {
  /// As messages show it.
  public let name: String
  private let kind: Kind

  private enum Kind {
    case standardInput
    /// A file, a FIFO, or a terminal device.
    case path(String)
    case connection(Connection)
    /// A sniffer on a serial line, by its name, which may be wrong.
    case sniffer(String, Sniffer.Model)
  }

  /// - Parameter text: `-` for standard input, `unix:PATH`, `tcp:HOST:PORT`, `unix-listen:PATH`, `nrf:DEVICE`,
  ///   `sniffle:DEVICE`, or a path.
  public init(_ text: String) {
    if text == "-" {
      (name, kind) = ("standard input", .standardInput)
    } else if let connection = Connection(text) {
      (name, kind) = (text, .connection(connection))
    } else if let model = Sniffer.model(of: text) {
      (name, kind) = (text, .sniffer(text, model))
    } else {
      (name, kind) = (text, .path(text))
    }
  }

  /// Whether it may be connected to again after it ended.
  public var isConnection: Bool { if case .connection = kind { true } else { false } }

  /// Whether it is the path of a file that is not there.
  public var isMissing: Bool {
    guard case .path(let path) = kind, !Connection.isMeant(path) else { return false }
    return unsafe access(path, F_OK) != 0 && errno == ENOENT
  }

  /// What comes from it, where its bytes do not say so themselves.
  public var format: StreamFormat? {
    if case .sniffer(_, let model) = kind { model.format } else { nil }
  }

  var isStandardInput: Bool { if case .standardInput = kind { true } else { false } }

  /// Opens it for reading.
  /// - Parameter waitPolicy: What ends the wait for somebody who connects.
  /// - Returns: Its descriptor, which the caller closes unless it is that of standard input.
  public func open(waitPolicy: ReadWaitPolicy? = nil) throws(CaptureError) -> Int32 {
    switch kind {
    case .standardInput: return 0
    case .connection(let connection):
      return try connection.open(name: name, waitPolicy: waitPolicy)
    case .sniffer(let text, _):
      let sniffer: Sniffer
      do {
        sniffer = try Sniffer(text)
      } catch {
        throw CaptureError(name, error.text)
      }
      return try sniffer.open(name)
    case .path(let path):
      let descriptor = unsafe HarkPlatform.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else {
        let code = errno
        guard !(code == ENOENT && Connection.isMeant(path)) else {
          throw CaptureError(
            name, "incomplete: write tcp:HOST:PORT, unix:PATH or unix-listen:PATH")
        }
        throw CaptureError(
          name, errno: code, "cannot open",
          advice: Self.advice(on: path, code))
      }
      return descriptor
    }
  }

  private static func advice(on path: String, _ code: Int32) -> String? {
    switch code {
    case EACCES: adviceOnLink(path).map { $0 + ", if it is outside of the folder" }
    // Octets that are not UTF-8 became this on the way here.
    case ENOENT where path.contains("\u{FFFD}"): "its name is not UTF-8: rename it"
    default: nil
    }
  }

  /// What to do about a symbolic link: the sandbox refuses what is outside of a folder that the user named, whatever
  /// links to it. Nil if the path is no such link, or leads nowhere.
  static func adviceOnLink(_ path: String) -> String? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let target = Platform.realPath(path)
    else { return nil }
    let kind = Directory.isFolder(path) ? "folder" : "file"
    return "it is a symbolic link to \(target): name that \(kind), too"
  }
}
