/// Reads an expression. Kaitai Struct user guide, section 6.3: from the weakest binding to the
/// strongest, these are `?:`, `or`, `and`, `not`, comparisons, `|`, `^`, `&`, shifts, sums,
/// products, signs, and what follows a value.
package struct ExpressionParser {
  /// How deeply expressions nest at most.
  static let deepest = 100

  private let tokens: [(token: Token, offset: Int)]
  private var position = 0
  private var depth = 0

  private static let weights: [String: Int] = [
    "or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "|": 5, "^": 6, "&": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
  ]
  private static let comparison = 4
  private static let sign = 11

  package static func parse(_ text: String) throws(ExpressionError) -> Expression {
    var parser = try ExpressionParser(text)
    let expression = try parser.expression()
    try parser.finish()
    return expression
  }

  /// Reads what is in `type:`, such as `a::b(1, foo)`.
  static func parseType(
    _ text: String
  ) throws(ExpressionError) -> (name: TypeName, arguments: [Expression]) {
    var parser = try ExpressionParser(text)
    let name = try parser.typeName()
    let arguments = try parser.take("(") ? parser.list(until: ")") : []
    try parser.finish()
    return (name, arguments)
  }

  /// Reads what is in `process:`, such as `xor(key)`.
  static func parseProcess(
    _ text: String
  ) throws(ExpressionError) -> (name: String, arguments: [Expression]) {
    var parser = try ExpressionParser(text)
    var name = try parser.name()
    while try parser.take(".") { name += "." + (try parser.name()) }
    let arguments = try parser.take("(") ? parser.list(until: ")") : []
    try parser.finish()
    return (name, arguments)
  }

  private init(_ text: String, depth: Int = 0) throws(ExpressionError) {
    tokens = try Lexer.tokens(of: text)
    self.depth = depth
  }

  // MARK: Words

  private var token: Token { tokens[position].token }
  private var offset: Int { tokens[position].offset }

  private mutating func take(_ sign: String) throws(ExpressionError) -> Bool {
    guard token == .sign(sign) else { return false }
    position += 1
    return true
  }

  private mutating func need(_ sign: String) throws(ExpressionError) {
    guard try take(sign) else { throw unexpected("'\(sign)'") }
  }

  private mutating func name() throws(ExpressionError) -> String {
    guard case .name(let name) = token else { throw unexpected("a name") }
    position += 1
    return name
  }

  private func finish() throws(ExpressionError) {
    guard token == .end else { throw unexpected("the end") }
  }

  private func unexpected(_ expected: String) -> ExpressionError {
    let found =
      switch token {
      case .integer(let value): "\(value)"
      case .float(let value): "\(value)"
      case .string(let text): "\"\(text)\""
      case .interpolated: "a string"
      case .name(let name): name
      case .sign(let sign): sign
      case .end: "the end"
      }
    let hint =
      found == "&" && tokens[max(0, position - 1)].token == .sign("&")
      ? ", did you mean 'and'?"
      : found == "|" && tokens[max(0, position - 1)].token == .sign("|")
        ? ", did you mean 'or'?" : ""
    return ExpressionError(
      message: "expected \(expected) at position \(offset + 1), got \(found)\(hint)")
  }

  // MARK: Expressions

  private mutating func expression() throws(ExpressionError) -> Expression {
    try deepen()
    defer { depth -= 1 }
    let start = offset
    let condition = try binary(above: 0)
    guard try take("?") else { return condition }
    let yes = try expression()
    try need(":")
    let no = try expression()
    return Expression(offset: start, kind: .conditional(condition, yes, no))
  }

  /// What is read in a loop nests the tree, too: each link is one deeper than the last.
  private mutating func deepen() throws(ExpressionError) {
    guard depth < Self.deepest else {
      throw ExpressionError(message: "an expression nested deeper than \(Self.deepest) levels")
    }
    depth += 1
  }

  /// A chain of operators that bind stronger than `weight`.
  private mutating func binary(above weight: Int) throws(ExpressionError) -> Expression {
    let before = depth
    defer { depth = before }
    var left = try unary()
    while let (name, next) = operatorHere, next > weight {
      position += 1
      let right = try binary(above: next)
      guard let known = BinaryOperator(rawValue: name) else { throw unexpected("an operator") }
      left = Expression(offset: left.offset, kind: .binary(known, left, right))
      try deepen()
      // `a == b == c` means nothing.
      if next == Self.comparison, operatorHere?.weight == next { throw unexpected("the end") }
    }
    return left
  }

  private var operatorHere: (name: String, weight: Int)? {
    let name: String
    switch token {
    case .sign(let sign): name = sign
    case .name(let word) where word == "and" || word == "or": name = word
    default: return nil
    }
    return Self.weights[name].map { (name, $0) }
  }

  private mutating func unary() throws(ExpressionError) -> Expression {
    try deepen()
    defer { depth -= 1 }
    let start = offset
    if token == .name("not") {
      position += 1
      return Expression(offset: start, kind: .unary(.not, try binary(above: 3)))
    }
    for sign in [UnaryOperator.minus, .plus, .invert] where try take(sign.rawValue) {
      return Expression(offset: start, kind: .unary(sign, try unary()))
    }
    return try trailed(try atom())
  }

  /// Members, calls, casts and indexes after a value.
  private mutating func trailed(_ value: Expression) throws(ExpressionError) -> Expression {
    let before = depth
    defer { depth = before }
    var value = value
    while true {
      let kind: Expression.Kind
      if try take("[") {
        kind = .index(value, try expression())
        try need("]")
      } else if try take(".") {
        let member = try name()
        if member == "as", token == .sign("<") {
          kind = .cast(value, try typeInBrackets())
        } else if try take("(") {
          kind = .call(value, member, try list(until: ")"))
        } else {
          kind = .member(value, member)
        }
      } else {
        return value
      }
      try deepen()
      value = Expression(offset: value.offset, kind: kind)
    }
  }

  private mutating func atom() throws(ExpressionError) -> Expression {
    let start = offset
    func made(_ kind: Expression.Kind) -> Expression { Expression(offset: start, kind: kind) }
    switch token {
    case .integer(let value):
      position += 1
      return made(.integer(value))
    case .float(let value):
      position += 1
      return made(.float(value))
    case .string(var text):
      position += 1
      // Strings beside each other are one.
      while case .string(let more) = token {
        text += more
        position += 1
      }
      return made(.string(text))
    case .interpolated(let raw, let at):
      position += 1
      return made(.interpolated(try parts(raw, at: at)))
    case .sign("("):
      position += 1
      let inner = try expression()
      try need(")")
      return inner
    case .sign("["):
      position += 1
      return made(.list(try list(until: "]")))
    case .sign("::"):
      return made(try path())
    case .name(let word):
      if word == "true" || word == "false" {
        position += 1
        return made(.bool(word == "true"))
      }
      if word == "sizeof" || word == "bitsizeof", tokens[position + 1].token == .sign("<") {
        position += 1
        return made(.sizeOf(try typeInBrackets(), inBits: word == "bitsizeof"))
      }
      return made(try path())
    default:
      throw unexpected("a value")
    }
  }

  /// A name, or an enum member where there is a `::`.
  private mutating func path() throws(ExpressionError) -> Expression.Kind {
    let isAbsolute = try take("::")
    var names = [try name()]
    while try take("::") { names.append(try name()) }
    guard names.count > 1 else {
      guard !isAbsolute else { throw unexpected("'::'") }
      return .name(names[0])
    }
    let member = names.removeLast()
    return .enumMember(TypePath(names: names, isAbsolute: isAbsolute), member)
  }

  private mutating func list(until end: String) throws(ExpressionError) -> [Expression] {
    var items: [Expression] = []
    if try take(end) { return items }
    repeat {
      // Only lists may end with a comma.
      if end == "]", !items.isEmpty, token == .sign(end) { break }
      items.append(try expression())
    } while try take(",")
    try need(end)
    return items
  }

  private mutating func typeName() throws(ExpressionError) -> TypeName {
    let isAbsolute = try take("::")
    var names = [try name()]
    while try take("::") { names.append(try name()) }
    let isArray = try take("[")
    if isArray { try need("]") }
    return TypeName(path: TypePath(names: names, isAbsolute: isAbsolute), isArray: isArray)
  }

  private mutating func typeInBrackets() throws(ExpressionError) -> TypeName {
    try need("<")
    let type = try typeName()
    try need(">")
    return type
  }

  /// What an `f"..."` is made of. Kaitai Struct user guide, section 6.1.3.
  private func parts(_ raw: String, at start: Int) throws(ExpressionError) -> [Expression] {
    let text = Array(raw.unicodeScalars)
    var parts: [Expression] = []
    var literal = String.UnicodeScalarView()
    var position = 0
    while position < text.count {
      let next = text[position]
      position += 1
      if next == "\\" {
        literal.append(try Escape.read(text, &position))
      } else if next == "{" {
        guard let end = text[position...].firstIndex(of: "}") else {
          throw ExpressionError(message: "a '{' without its '}'")
        }
        parts.append(Expression(offset: start, kind: .string(String(literal))))
        literal = String.UnicodeScalarView()
        let inner = String(String.UnicodeScalarView(text[position..<end]))
        var parser = try ExpressionParser(inner, depth: depth)
        parts.append(try parser.expression())
        try parser.finish()
        position = end + 1
      } else {
        literal.append(next)
      }
    }
    parts.append(Expression(offset: start, kind: .string(String(literal))))
    return parts
  }
}
