/// An expression of a layout, as it is written. Kaitai Struct user guide, section 6.
struct Expression {
  /// Where in its text it begins, counted in Unicode scalars.
  let offset: Int
  let kind: Kind

  indirect enum Kind {
    case integer(Integer)
    case float(Double)
    case string(String)
    case bool(Bool)
    /// An `f"..."` whose parts are strings and expressions in turn.
    case interpolated([Expression])
    case name(String)
    /// `a::b::member`.
    case enumMember(TypePath, String)
    case list([Expression])
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    case conditional(Expression, Expression, Expression)
    case index(Expression, Expression)
    case member(Expression, String)
    case call(Expression, String, [Expression])
    case cast(Expression, TypeName)
    case sizeOf(TypeName, inBits: Bool)
  }
}

enum UnaryOperator: String {
  case minus = "-"
  case plus = "+"
  case invert = "~"
  case not = "not"
}

enum BinaryOperator: String {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case modulo = "%"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and, or
}

/// `a::b`, or `::a::b` from the top.
struct TypePath: Hashable, CustomStringConvertible {
  var names: [String]
  var isAbsolute = false

  var description: String { (isAbsolute ? "::" : "") + names.joined(separator: "::") }
}

/// A type as it is named in `type:` and in casts: a path, perhaps of an array.
struct TypeName: Hashable {
  var path: TypePath
  var isArray = false
}

/// Why an expression cannot be read or cannot mean anything.
struct ExpressionError: Error {
  let message: String
}
