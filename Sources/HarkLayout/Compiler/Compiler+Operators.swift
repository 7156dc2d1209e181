// Operators. Kaitai Struct user guide, section 6.3.
extension Compiler {
  func unary(
    _ sign: UnaryOperator, _ operand: Expression, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let made = try piece(operand, context)
    let fits: Bool =
      switch sign {
      case .minus, .plus: made.type.isNumber
      case .invert: made.type.isInteger
      case .not: made.type.isBool
      }
    guard fits else {
      throw ExpressionError(message: "unable to apply unary operator \(sign) to \(made.type)")
    }
    switch sign {
    case .plus: return made
    case .minus:
      if case .integer(let value) = operand.kind {
        let negative = Integer(wide: -value.wide)
        return Piece(
          type: made.type, steps: [constant(Value(negative))], constant: Value(negative))
      }
      return Piece(type: plain(made.type), steps: made.steps + [Step(.negate)])
    case .invert: return Piece(type: .int, steps: made.steps + [Step(.invert)])
    case .not: return Piece(type: .bool, steps: made.steps + [Step(.not)])
    }
  }

  private func plain(_ type: ValueType) -> ValueType { type.isInteger ? .int : type }

  func binary(
    _ sign: BinaryOperator, _ left: Expression, _ right: Expression, _ context: Context
  ) throws(ExpressionError) -> Piece {
    let (a, b) = (try piece(left, context), try piece(right, context))
    switch sign {
    case .and, .or:
      guard a.type.isBool, b.type.isBool else {
        throw ExpressionError(message: "unable to apply \(sign) to \(a.type) and \(b.type)")
      }
      let jump = Step(sign == .and ? .jumpIfFalseOrDrop : .jumpIfTrueOrDrop, b.steps.count)
      return Piece(type: .bool, steps: a.steps + [jump] + b.steps)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return Piece(type: .bool, steps: a.steps + b.steps + [try comparison(sign, a.type, b.type)])
    default:
      let (type, op) = try arithmetic(sign, a.type, b.type)
      return Piece(type: type, steps: a.steps + b.steps + [Step(op)])
    }
  }

  private func arithmetic(
    _ sign: BinaryOperator, _ a: ValueType, _ b: ValueType
  ) throws(ExpressionError) -> (ValueType, Step.Op) {
    let wrong = ExpressionError(message: "can't do \(a) \(sign.rawValue) \(b)")
    if sign == .add, a.isString, b.isString { return (.string, .join) }
    let ops: [BinaryOperator: Step.Op] = [
      .add: .add, .subtract: .subtract, .multiply: .multiply, .divide: .divide, .modulo: .modulo,
      .bitAnd: .bitAnd, .bitOr: .bitOr, .bitXor: .bitXor, .shiftLeft: .shiftLeft,
      .shiftRight: .shiftRight,
    ]
    guard let op = ops[sign] else { throw wrong }
    if a.isInteger, b.isInteger { return (.int, op) }
    guard [.add, .subtract, .multiply, .divide].contains(sign), a.isNumber, b.isNumber else {
      throw wrong
    }
    return (.float, op)
  }

  /// The step that compares values of these types, where that means something.
  func comparison(
    _ sign: BinaryOperator, _ a: ValueType, _ b: ValueType
  ) throws(ExpressionError) -> Step {
    let isEquality = sign == .equal || sign == .notEqual
    let fits: Bool
    switch (a, b) {
    case (.enumeration(let x), .enumeration(let y)):
      guard isEquality else {
        throw ExpressionError(message: "can't use comparison operator \(sign.rawValue) on enums")
      }
      fits = x === y
    case (.bool, .bool), (.object, .object), (.anyObject, .anyObject):
      fits = isEquality
    case (.string, .string), (.bytes, .bytes), (.unknown, _), (_, .unknown): fits = true
    default: fits = a.isNumber && b.isNumber
    }
    guard fits else { throw ExpressionError(message: "can't compare \(a) and \(b)") }
    switch sign {
    case .equal: return Step(.equal)
    case .notEqual: return Step(.notEqual)
    case .less: return Step(.less)
    case .lessOrEqual: return Step(.lessOrEqual)
    case .greater: return Step(.greater)
    default: return Step(.greaterOrEqual)
    }
  }
}
