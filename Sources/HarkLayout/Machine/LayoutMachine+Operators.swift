import HarkCore

// Operators. Kaitai Struct user guide, section 6.3. Nothing here traps: integers wrap to 64 bits.
extension LayoutMachine {
  mutating func arithmetic(_ op: Step.Op) throws(Stop) {
    let b = pop()
    if op == .negate || op == .invert {
      if b.tag == .float { return stack.append(Value(-b.double)) }
      guard b.isInteger else { throw Stop(.missingValue) }
      let wide = b.integer.wide
      return stack.append(Value(Integer(wide: op == .negate ? -wide : ~wide)))
    }
    let a = pop()
    if a.tag == .float || b.tag == .float { return try float(op, a, b) }
    guard a.isInteger, b.isInteger else { throw Stop(.missingValue) }
    let (x, y) = (a.integer.wide, b.integer.wide)
    let result: Int128
    switch op {
    case .add: result = x + y
    case .subtract: result = x - y
    case .multiply: result = x &* y
    case .divide, .modulo:
      guard y != 0 else { throw Stop(.divisionByZero) }
      let (quotient, rest) = x.quotientAndRemainder(dividingBy: y)
      // Both round down, to less than zero as well.
      let isBelow = rest != 0 && (rest < 0) != (y < 0)
      result = op == .divide ? quotient - (isBelow ? 1 : 0) : rest + (isBelow ? y : 0)
    case .bitAnd: result = x & y
    case .bitOr: result = x | y
    case .bitXor: result = x ^ y
    case .shiftLeft, .shiftRight:
      guard y >= 0 else { throw Stop(.negative) }
      let count = min(y, 127)
      result = op == .shiftLeft ? x << count : x >> count
    default: throw Stop(.missingValue)
    }
    stack.append(Value(Integer(wide: result)))
  }

  private mutating func float(_ op: Step.Op, _ a: Value, _ b: Value) throws(Stop) {
    let (x, y) = (try number(a), try number(b))
    switch op {
    case .add: stack.append(Value(x + y))
    case .subtract: stack.append(Value(x - y))
    case .multiply: stack.append(Value(x * y))
    case .divide: stack.append(Value(x / y))
    default: throw Stop(.missingValue)
    }
  }

  private func number(_ value: Value) throws(Stop) -> Double {
    switch value.tag {
    case .float: value.double
    case .int, .bigInt: value.integer.double
    default: throw Stop(.missingValue)
    }
  }

  mutating func comparison(_ op: Step.Op, _ packet: RawSpan) throws(Stop) {
    let b = pop()
    let a = pop()
    let result: Bool
    switch op {
    case .equal: result = try order(a, b, packet) == 0
    case .notEqual: result = try order(a, b, packet) != 0
    case .less: result = try order(a, b, packet) == -1
    case .lessOrEqual: result = [-1, 0].contains(try order(a, b, packet))
    case .greater: result = try order(a, b, packet) == 1
    default: result = [0, 1].contains(try order(a, b, packet))
    }
    stack.append(Value(result))
  }

  /// -1, 0 or 1 as `a` is less than, equal to or greater than `b`; 2 where they are only different.
  mutating func order(_ a: Value, _ b: Value, _ packet: RawSpan) throws(Stop) -> Int {
    switch (a.tag, b.tag) {
    case (.int, .int):
      let (x, y) = (Int64(bitPattern: a.bits), Int64(bitPattern: b.bits))
      return x < y ? -1 : x == y ? 0 : 1
    case (.int, .bigInt), (.bigInt, .int), (.bigInt, .bigInt):
      let (x, y) = (a.integer.wide, b.integer.wide)
      return x < y ? -1 : x == y ? 0 : 1
    case (.float, .float), (.float, .int), (.float, .bigInt), (.int, .float), (.bigInt, .float):
      let (x, y) = (try number(a), try number(b))
      return x < y ? -1 : x == y ? 0 : x > y ? 1 : 2
    case (.string, .string), (.bytes, .bytes):
      try take(bytes: min(a.count, b.count))
      for index in 0..<min(a.count, b.count) {
        let x = byte(at: a.start + index, in: a.space, packet)
        let y = byte(at: b.start + index, in: b.space, packet)
        if x != y { return x < y ? -1 : 1 }
      }
      return a.count < b.count ? -1 : a.count == b.count ? 0 : 1
    case (.null, _), (_, .null): return a.tag == b.tag ? 0 : 2
    case (.bool, .bool), (.enumeration, .enumeration), (.object, .object), (.stream, .stream):
      return a.bits == b.bits ? 0 : 2
    default: throw Stop(.missingValue)
    }
  }
}
