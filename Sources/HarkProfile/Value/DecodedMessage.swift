import HarkSession

/// A message after its encoding was read.
struct DecodedMessage {
  enum Problem: Equatable {
    case layout(LayoutProblem)
    case framing(FramingProblem)
  }

  struct LayoutProblem: Equatable {
    var field: String
    /// Where reading the field began.
    var offset: Int
    /// Bytes of the field; nil if something else is wrong with it.
    var needed: Int?
    var available: Int
  }

  var value: ProfileValue
  var problem: Problem?
  /// Bytes after the end.
  var trailing: Range<Int>?
  /// Of a binary plaintext.
  var fields: [PlaintextField] = []
  /// Bytes of keys, and what members that hold a part of one are called.
  var secrets: [Range<Int>] = []
  var secretNames: Set<String> = []
  /// What was run together with it.
  var others: [DecodedMessage] = []
  /// What is wrong though the message could be read.
  var faults: [FramingProblem] = []

  /// The message as people read it; of one with a problem, what precedes that, and the problem.
  var lines: [String] {
    switch (problem, value) {
    case (nil, _): value.lines()
    case (.framing(let problem)?, .object), (.framing(let problem)?, .array):
      value.lines() + ["… \(problem.words.text)"]
    default: []
    }
  }

  /// Why a message of `size` bytes cannot be read; its beginning gives the size.
  func framingProblem(size: Int) -> FramingProblem? {
    switch problem {
    case nil: nil
    case .framing(let problem): problem
    case .layout(let problem):
      if let needed = problem.needed {
        .tooShort(
          field: problem.field, needed: Self.sum(problem.offset, needed), available: size)
      } else {
        .wrong(field: problem.field)
      }
    }
  }

  /// The same of a plaintext.
  var plaintextProblem: PlaintextProblem? {
    switch problem {
    case nil:
      trailing.map { .trailing(offset: $0.lowerBound, count: $0.count) }
        ?? faults.first.map { .json($0) }
    case .framing(let problem): .json(problem)
    case .layout(let problem):
      if let needed = problem.needed {
        .tooShort(
          field: problem.field, offset: problem.offset, needed: needed,
          available: problem.available)
      } else {
        .json(.wrong(field: problem.field))
      }
    }
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? Int.max : sum
  }
}
