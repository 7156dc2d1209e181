import HarkCapture
import HarkPlatform
import HarkSystem

/// Why a recording cannot begin or go on, and what the user can do about it.
struct RecordError: Error, Equatable, CustomStringConvertible {
  /// What it is about: a source, a file.
  var name: String
  var problem: String
  var advice: String?

  init(_ name: String, _ problem: String, advice: String? = nil) {
    self.name = name
    self.problem = problem
    self.advice = advice
  }

  init(_ name: String, errno code: Int32, _ action: String, advice: String? = nil) {
    self.init(name, "\(action): \(systemMessage(code))", advice: advice)
  }

  init(_ error: FileError) {
    let caller = error.code == EACCES ? Privileges.caller : nil
    self.init(
      error.path, error.problem,
      advice: caller.map { "hark-record writes it as the user who called \($0.program)" }
        ?? error.advice)
  }

  /// What `body` gives, or why there is no such file as an error of the recorder.
  static func of<Made>(_ body: () throws(FileError) -> Made) throws(RecordError) -> Made {
    do { return try body() } catch { throw RecordError(error) }
  }

  var description: String { "\(name): \(problem)" + (advice.map { "; \($0)" } ?? "") }
}
