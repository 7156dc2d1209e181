import HarkSession

/// How values say which part of a message they are, where each has a number. A class, as it is looked
/// at with each value.
final class FragmentSequence: Sendable {
  /// What to do with a message of which a fragment is missing.
  enum GapRule: String, CaseIterable, Sendable {
    case drop, keep
  }

  /// What a fragment means that was there already and says the same.
  enum RepeatRule: String, CaseIterable, Sendable {
    case ignore
    /// If it is the first, the message starts over.
    case restart
  }

  /// Numbers without a modulo end here.
  static let mostNumber = 0xFFFF_FFFF

  /// How a value is read.
  let encoding: Encoding
  let number: Formula
  /// How many numbers there are before they begin again; nil if they do not.
  let modulo: Int?
  /// Whether it is the first of a message; nil if that is the one with the number 0, as each
  /// message has its own numbers.
  let first: Formula?
  let end: End
  let body: Formula
  /// Fragments of different keys are not mixed.
  let key: Formula?
  let gap: GapRule
  let repetition: RepeatRule
  /// The most bytes of a message.
  let longest: Int

  /// How a message's end is known.
  enum End: Sendable {
    /// Whether it is the last.
    case last(Formula)
    /// How many fragments the message has.
    case total(Formula)
  }

  init(
    encoding: Encoding, number: Formula, modulo: Int?, first: Formula?, end: End, body: Formula,
    key: Formula?, gap: GapRule, repetition: RepeatRule, longest: Int
  ) {
    (self.encoding, self.number, self.modulo) = (encoding, number, modulo)
    (self.first, self.end, self.body, self.key) = (first, end, body, key)
    (self.gap, self.repetition, self.longest) = (gap, repetition, longest)
  }
}

/// What a value says about itself.
struct NumberedFragment: Sendable {
  var part: WholeMessage
  var number: Int
  var isFirst: Bool
  var isLast: Bool
  /// Fragments of its message, where it says so.
  var total: Int?
  var key: ProfileValue

  init(_ value: WholeMessage, _ rule: FragmentSequence) throws(FramingProblem) {
    let message = rule.encoding.read(value.bytes)
    if let problem = message.framingProblem { throw problem }
    var evaluator = Evaluator(message.value)
    func need<T>(_ made: T?, _ formula: Formula, _ member: String) throws(FramingProblem) -> T {
      if let made { return made }
      throw .wrong(field: (rule.encoding.isRaw ? nil : formula.fieldName) ?? member)
    }
    number = try need(
      evaluator.value(rule.number).int.flatMap {
        (0..<(rule.modulo ?? FragmentSequence.mostNumber)).contains($0) ? $0 : nil
      }, rule.number, "number")
    isFirst = number == 0
    if let first = rule.first {
      isFirst = try need(evaluator.value(first).bool, first, "first")
    }
    switch rule.end {
    case .last(let last): isLast = try need(evaluator.value(last).bool, last, "last")
    case .total(let formula):
      isLast = false
      total = try need(
        evaluator.value(formula).int.flatMap {
          (1...WholeMessage.valueLimit).contains($0) ? $0 : nil
        }, formula, "total")
    }
    let body = evaluator.value(rule.body)
    part = value.with(try need(body.octets ?? body.bytes, rule.body, "body"))
    key = rule.key.map { evaluator.value($0) } ?? .null
  }
}
