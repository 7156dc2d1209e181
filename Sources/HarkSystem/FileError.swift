import HarkPlatform

/// Why a file cannot be written, and what the user can do about it.
public struct FileError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let problem: String
  public let advice: String?
  /// The `errno` value; 0 if the kernel refused nothing.
  public let code: Int32

  init(_ path: String, _ problem: String, advice: String? = nil) {
    (self.path, self.problem, self.advice, code) = (path, problem, advice, 0)
  }

  init(_ path: String, errno code: Int32, advice: String? = nil) {
    (self.path, self.advice, self.code) = (path, advice, code)
    problem = "cannot write: \(unsafe String(cString: strerror(code)))"
  }

  public var description: String { "\(path): \(problem)" + (advice.map { "; \($0)" } ?? "") }
}
