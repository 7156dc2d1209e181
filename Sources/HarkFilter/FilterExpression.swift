/// What a filter says, as it was written: names and values are not looked at yet.
indirect enum FilterExpression {
  case all([FilterExpression])
  case any([FilterExpression])
  case not(FilterExpression)
  case comparison(FilterComparison)
  /// One of several texts that are a filter together.
  case text(String, FilterExpression)
}

/// One comparison, or a name alone.
struct FilterComparison {
  /// How many of the values must fit, where several are there.
  enum Quantifier { case any, all }

  enum Function { case length, count }

  enum Operator: String {
    case equal = "=="
    case notEqual = "!="
    case allEqual = "==="
    case anyNotEqual = "!=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case contains
    case matches

    /// The words and signs of each.
    static let spellings: [String: Operator] = [
      "==": .equal, "eq": .equal, "any_eq": .equal, "!=": .notEqual, "ne": .notEqual,
      "all_ne": .notEqual, "===": .allEqual, "all_eq": .allEqual, "!==": .anyNotEqual,
      "~=": .anyNotEqual, "any_ne": .anyNotEqual, "<": .less, "lt": .less, "<=": .lessOrEqual,
      "le": .lessOrEqual, ">": .greater, "gt": .greater, ">=": .greaterOrEqual,
      "ge": .greaterOrEqual, "in": .isIn, "contains": .contains, "matches": .matches,
      "~": .matches,
    ]
  }

  /// A part of a value, in bytes; negative counts from its end.
  struct Slice: Equatable {
    var start: Int
    /// nil: up to the end.
    var count: Int?
  }

  var quantifier: Quantifier?
  var function: Function?
  var name: FilterToken
  var slice: Slice?
  /// The text from the name to what is after it.
  var subject: Range<Int>
  var mask: FilterToken?
  var operation: (Operator, place: Range<Int>)?
  /// What it is compared with: a value, or for `in` several, and ranges.
  var values: [(first: FilterToken, last: FilterToken?)] = []
}
