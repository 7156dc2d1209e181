/// An expression of a layout, as it is written. Kaitai Struct user guide, section 6.
package struct Expression: Sendable {
  /// Where in its text it begins, counted in Unicode scalars.
  package let offset: Int
  package let kind: Kind

  package indirect enum Kind: Sendable {
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

package enum UnaryOperator: String, Sendable {
  case minus = "-"
  case plus = "+"
  case invert = "~"
  case not = "not"
}

package enum BinaryOperator: String, Sendable {
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
package struct TypePath: Hashable, CustomStringConvertible, Sendable {
  package var names: [String]
  package var isAbsolute = false

  package var description: String { (isAbsolute ? "::" : "") + names.joined(separator: "::") }
}

/// A type as it is named in `type:` and in casts: a path, perhaps of an array.
package struct TypeName: Hashable, Sendable {
  package var path: TypePath
  package var isArray = false
}

/// Why an expression cannot be read or cannot mean anything.
package struct ExpressionError: Error {
  package let message: String

  package init(message: String) { self.message = message }
}
