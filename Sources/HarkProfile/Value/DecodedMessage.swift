import HarkSession

extension ProfileValue {
  /// What a message is that no rule takes; nil if only its bytes say that.
  var unknown: FramingProblem? {
    switch self {
    case .object(let members): .unknownObject(members: Array(members.names.sorted().prefix(32)))
    case .array(let items): .unknownArray(items: items.count)
    case .null, .bool, .int, .float, .text, .bytes: nil
    }
  }
}

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
    /// From the offset to the end of the message, or of the part that limits the field.
    var available: Int
    /// That part; nil for the message.
    var part: String?
  }

  var value: ProfileValue
  var problem: Problem?
  /// Bytes after the end.
  var trailing: Range<Int>?
  /// Of a binary plaintext.
  var fields: [PlaintextField] = []
  /// Checks that failed, if fields are listed.
  var notes: [MessageNote] = []
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

  /// Why a message cannot be read.
  var framingProblem: FramingProblem? {
    switch problem {
    case nil: nil
    case .framing(let problem): problem
    case .layout(let problem):
      if let needed = problem.needed {
        .tooShort(
          field: problem.field, offset: problem.offset, needed: needed,
          available: problem.available, within: problem.part)
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
}
