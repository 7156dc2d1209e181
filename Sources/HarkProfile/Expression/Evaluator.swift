import HarkLayout
import HarkSession

/// Works out expressions over the value of one message. Nothing throws or traps: what has no
/// meaning is null, and so is what comes of it.
struct Evaluator {
  /// What the expressions of one message may take together.
  private static let mostSteps = 1 << 20

  let root: ProfileValue
  var here: ProfileValue
  private var stepsLeft = mostSteps
  /// What a method could not do with what is there, since it was last set to nil.
  var fault: Fault?
  /// The first thing that is wrong with a member that is there.
  private(set) var problem: FramingProblem?

  enum Fault: Error {
    /// Base64 text with this many characters is incomplete.
    case characters(Int)
    /// Where one is that does not belong there.
    case character(Int)
    case form

    func problem(field: String) -> FramingProblem {
      switch self {
      case .characters(let count): .base64MidQuantum(field: field, characters: count)
      case .character(let offset): .base64Character(field: field, offset: offset)
      case .form: .wrong(field: field)
      }
    }
  }

  init(_ root: ProfileValue) { (self.root, here) = (root, root) }

  mutating func note(_ problem: FramingProblem) { self.problem = self.problem ?? problem }

  /// Throws what was noted.
  func check() throws(FramingProblem) { if let problem { throw problem } }

  mutating func value(_ formula: Formula) -> ProfileValue {
    guard take(1) else { return .null }
    switch formula {
    case .constant(let value): return value
    case .here: return here
    case .root: return root
    case .name(let name):
      if case .object(let members) = here { return members[name] ?? .null }
      return .null
    case .member(let inner, let name, let method): return member(value(inner), name, method)
    case .call(let inner, let method, let arguments):
      return call(value(inner), method, arguments.map { value($0) })
    case .index(let inner, let index): return item(value(inner), value(index))
    case .list(let items): return .array(items.map { value($0) })
    case .joined(let parts):
      var text = ""
      for part in parts { text += value(part).text ?? "" }
      return take(text.utf8.count) ? .text(text) : .null
    case .unary(let operation, let inner): return unary(operation, value(inner))
    case .binary(.and, let a, let b): return logic(a, b, decisive: false)
    case .binary(.or, let a, let b): return logic(a, b, decisive: true)
    case .binary(let operation, let a, let b): return binary(operation, value(a), value(b))
    case .conditional(let condition, let yes, let no):
      guard let isTrue = value(condition).bool else { return .null }
      return value(isTrue ? yes : no)
    }
  }

  /// What `make` makes of each item of `list`, in which names are members of the item.
  mutating func each<T>(
    _ list: ProfileValue, _ make: (inout Evaluator, ProfileValue) -> T?
  ) -> [T] {
    guard case .array(let items) = list else { return [] }
    let outer = here
    defer { here = outer }
    var result: [T] = []
    for item in items {
      here = item
      if let made = make(&self, item) { result.append(made) }
    }
    return result
  }

  mutating func take(_ steps: Int) -> Bool {
    stepsLeft -= steps
    return stepsLeft >= 0
  }

  private mutating func logic(
    _ a: Formula, _ b: Formula, decisive: Bool
  ) -> ProfileValue {
    let first = value(a).bool
    if first == decisive { return .bool(decisive) }
    let second = value(b).bool
    if second == decisive { return .bool(decisive) }
    return first == nil || second == nil ? .null : .bool(!decisive)
  }

  private func unary(_ operation: UnaryOperator, _ value: ProfileValue) -> ProfileValue {
    switch (operation, value) {
    case (.not, _): value.bool.map { .bool(!$0) } ?? .null
    case (.plus, .int), (.plus, .float): value
    case (.minus, .int(let value)): .int(Integer(wide: -value.wide))
    case (.minus, .float(let value)): .float(-value)
    case (.invert, .int(let value)): .int(Integer(wide: ~value.wide))
    default: .null
    }
  }

  private mutating func binary(
    _ operation: BinaryOperator, _ a: ProfileValue, _ b: ProfileValue
  ) -> ProfileValue {
    switch operation {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return comparison(operation, a, b)
    default: break
    }
    switch (a, b) {
    case (.int(let x), .int(let y)):
      return Self.arithmetic(operation, x.wide, y.wide).map { .int(Integer(wide: $0)) } ?? .null
    case (.text(let x), .text(let y)) where operation == .add:
      return take(x.utf8.count + y.utf8.count) ? .text(x + y) : .null
    case (.bytes(let x), .bytes(let y)) where operation == .add:
      return take(x.count + y.count) ? .bytes(x + y) : .null
    default: break
    }
    guard let x = a.number, let y = b.number else {
      if a != .null, b != .null { fault = fault ?? .form }
      return .null
    }
    switch operation {
    case .add: return .float(x + y)
    case .subtract: return .float(x - y)
    case .multiply: return .float(x * y)
    case .divide: return .float(x / y)
    default: return .null
    }
  }

  /// As layouts compute: integers wrap to 64 bits, quotients round down.
  private static func arithmetic(_ operation: BinaryOperator, _ x: Int128, _ y: Int128) -> Int128? {
    switch operation {
    case .add: return x + y
    case .subtract: return x - y
    case .multiply: return x &* y
    case .divide, .modulo:
      guard y != 0 else { return nil }
      let (quotient, rest) = x.quotientAndRemainder(dividingBy: y)
      let isBelow = rest != 0 && (rest < 0) != (y < 0)
      return operation == .divide ? quotient - (isBelow ? 1 : 0) : rest + (isBelow ? y : 0)
    case .bitAnd: return x & y
    case .bitOr: return x | y
    case .bitXor: return x ^ y
    case .shiftLeft: return y < 0 ? nil : x << Swift.min(y, 127)
    case .shiftRight: return y < 0 ? nil : x >> Swift.min(y, 127)
    default: return nil
    }
  }

  mutating func areEqual(_ a: ProfileValue, _ b: ProfileValue) -> Bool {
    comparison(.equal, a, b) == .bool(true)
  }

  private mutating func comparison(
    _ operation: BinaryOperator, _ a: ProfileValue, _ b: ProfileValue
  ) -> ProfileValue {
    if case .null = a { return .null }
    if case .null = b { return .null }
    let order: Int
    switch (a, b) {
    case (.int(let x), .int(let y)): order = x.wide < y.wide ? -1 : x.wide == y.wide ? 0 : 1
    case (.text(let x), .text(let y)):
      guard take(Swift.min(x.utf8.count, y.utf8.count) >> 3) else { return .null }
      order = x.utf8.elementsEqual(y.utf8) ? 0 : x.utf8.lexicographicallyPrecedes(y.utf8) ? -1 : 1
    case (.bytes(let x), .text(let y)):
      guard take(Swift.min(x.count, y.utf8.count) >> 3) else { return .null }
      order = x.elementsEqual(y.utf8) ? 0 : x.lexicographicallyPrecedes(y.utf8) ? -1 : 1
    case (.bytes, .bytes), (.bytes, .array), (.array, .bytes):
      guard let x = a.octets, let y = b.octets, take(Swift.min(x.count, y.count) >> 3) else {
        return .null
      }
      order = x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
    case (.bool(let x), .bool(let y)):
      switch operation {
      case .equal: return .bool(x == y)
      case .notEqual: return .bool(x != y)
      default: return .null
      }
    default:
      guard let x = a.number, let y = b.number else { return .null }
      order = x < y ? -1 : x == y ? 0 : 1
    }
    switch operation {
    case .equal: return .bool(order == 0)
    case .notEqual: return .bool(order != 0)
    case .less: return .bool(order < 0)
    case .lessOrEqual: return .bool(order <= 0)
    case .greater: return .bool(order > 0)
    default: return .bool(order >= 0)
    }
  }
}

extension ProfileValue {
  /// Bytes, or an array of numbers that are octets: `[0x4e, 0x42]`.
  var octets: [UInt8]? {
    switch self {
    case .bytes(let bytes): return bytes
    case .array(let items):
      var result: [UInt8] = []
      for item in items {
        guard let value = item.int, let octet = UInt8(exactly: value) else { return nil }
        result.append(octet)
      }
      return result
    default: return nil
    }
  }
}
