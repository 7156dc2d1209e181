import HarkCapture

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

  var description: String { "\(name): \(problem)" + (advice.map { "; \($0)" } ?? "") }
}
