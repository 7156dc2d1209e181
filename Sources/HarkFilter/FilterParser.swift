import HarkDissection

/// Reads the text of a filter. `or` binds less than `and`, that less than `not`.
struct FilterParser {
  private let text: String
  private let tokens: [FilterToken]
  /// Where errors look names up.
  private let catalog: Catalog
  private var position = 0
  private var depth = 0
  private var comparisons = 0

  /// How deep parentheses and `not` may be nested.
  static let deepest = 64
  static let mostComparisons = 4_096

  static func expression(
    _ text: String, _ catalog: Catalog
  ) throws(FilterError) -> FilterExpression {
    var parser = FilterParser(text: text, tokens: try FilterLexer.tokens(text), catalog: catalog)
    guard parser.token.kind != .end else {
      throw parser.error("the filter is empty")
    }
    let expression = try parser.alternatives()
    guard parser.token.kind == .end else { throw parser.unexpected() }
    return expression
  }

  private var token: FilterToken { tokens[position] }

  /// The last token is the end, and is never passed.
  private mutating func advance() -> FilterToken {
    let token = token
    if position < tokens.count - 1 { position += 1 }
    return token
  }

  private func error(_ message: String) -> FilterError { FilterError(text, token.range, message) }

  /// Words are read without regard to case, as paths are.
  private func isNext(_ words: String...) -> Bool {
    switch token.kind {
    case .symbol: words.contains(token.spelled)
    case .word: words.contains(token.spelled.lowercased())
    case .text, .end: false
    }
  }

  private mutating func take(_ words: String...) -> Bool {
    let spelled = token.kind == .word ? token.spelled.lowercased() : token.spelled
    guard token.kind == .word || token.kind == .symbol, words.contains(spelled) else {
      return false
    }
    _ = advance()
    return true
  }

  private func unexpected() -> FilterError {
    switch token.kind {
    case .symbol where [")", "]", "}"].contains(token.spelled):
      error("there is no opening bracket for this one")
    case .word where token.spelled.hasPrefix("-"):
      error("filters do not calculate: compare a field with a number")
    case .word, .text: operatorIsMissing()
    case .symbol where ["(", "{", "!"].contains(token.spelled): operatorIsMissing()
    default: error("this does not belong here")
    }
  }

  private func operatorIsMissing() -> FilterError {
    error("an operator is missing before this: and, or, ==, contains, …")
  }

  // MARK: Logic

  private mutating func alternatives() throws(FilterError) -> FilterExpression {
    var parts = [try conjunction()]
    while take("or", "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(FilterError) -> FilterExpression {
    var parts = [try negation()]
    while take("and", "&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(FilterError) -> FilterExpression {
    guard depth < Self.deepest else {
      throw error("brackets and `not` are nested deeper than \(Self.deepest)")
    }
    depth += 1
    defer { depth -= 1 }
    if take("not", "!") { return .not(try negation()) }
    guard token.isSymbol("(") else { return try comparison() }
    let open = advance()
    let inside = try alternatives()
    guard take(")") else {
      if token.kind != .end { throw unexpected() }
      throw FilterError(text, open.range, "this bracket has no closing bracket")
    }
    return inside
  }

  // MARK: Comparisons

  private mutating func comparison() throws(FilterError) -> FilterExpression {
    comparisons += 1
    guard comparisons <= Self.mostComparisons else {
      throw error("a filter has at most \(Self.mostComparisons) comparisons; write `in {…}`")
    }
    let quantifier = self.quantifier()
    var comparison = try subject()
    comparison.quantifier = quantifier
    if take("&", "bitand", "bitwise_and") { comparison.mask = try value() }
    let isNegated = isNext("not") && tokens[position + 1].spelled.lowercased() == "in"
    if isNegated { _ = advance() }
    try operation(&comparison)
    return isNegated ? .not(.comparison(comparison)) : .comparison(comparison)
  }

  /// `any` and `all`, where they are not what a field is called.
  private mutating func quantifier() -> FilterComparison.Quantifier? {
    guard isNext("any", "all"), tokens[position + 1].kind == .word,
      FilterComparison.Operator.spellings[tokens[position + 1].spelled.lowercased()] == nil
    else { return nil }
    return advance().spelled.lowercased() == "all" ? .all : .any
  }

  private mutating func subject() throws(FilterError) -> FilterComparison {
    let start = token.range.lowerBound
    if isNext("len", "count"), tokens[min(position + 1, tokens.count - 1)].isSymbol("(") {
      let function = advance().spelled.lowercased()
      let open = advance()
      var comparison = try field()
      guard take(")") else {
        throw FilterError(text, open.range, "this bracket has no closing bracket")
      }
      comparison.function = function == "len" ? .length : .count
      comparison.subject = start..<tokens[position - 1].range.upperBound
      return comparison
    }
    return try field()
  }

  private static let reserved: Set<String> = Set(FilterComparison.Operator.spellings.keys)
    .union(["and", "or", "bitand", "bitwise_and"])

  private mutating func field() throws(FilterError) -> FilterComparison {
    switch token.kind {
    case .word where Self.reserved.contains(token.spelled.lowercased()):
      throw error("a field name is missing before this")
    case .word: break
    case .text: throw error("a comparison starts with a field name, not with a value")
    case .end:
      let last = tokens[max(0, tokens.count - 2)]
      throw FilterError(text, last.range, "something is missing after this")
    case .symbol: throw error("a field name is missing before this")
    }
    let name = advance()
    guard !token.isSymbol("(") else {
      // A name that exists is no misspelled function.
      if FilterNames.subject(name.spelled, FilterCatalog.of(catalog)) != nil {
        throw operatorIsMissing()
      }
      throw FilterError(
        text, name.range,
        "there is no function '\(FilterNames.shown(name.spelled))'; filters have len(…) and count(…)"
      )
    }
    var comparison = FilterComparison(name: name, subject: name.range)
    guard token.isSymbol("[") else { return comparison }
    _ = advance()
    comparison.slice = try slice()
    comparison.subject = name.range.lowerBound..<tokens[position - 1].range.upperBound
    return comparison
  }

  /// `[i]`, `[i:count]`, `[i-j]`, `[:count]`, `[i:]`.
  private mutating func slice() throws(FilterError) -> FilterComparison.Slice {
    let inside = advance()
    guard inside.kind == .word, let slice = Self.slice(inside.spelled), take("]") else {
      throw FilterError(
        text, inside.range, "a part of a value is written [i], [i:count], [i-j], [:count] or [i:]")
    }
    return slice
  }

  private static func slice(_ text: String) -> FilterComparison.Slice? {
    func number(_ text: Substring) -> Int? {
      Int(text).flatMap { $0.magnitude <= 1 << 20 ? $0 : nil }
    }
    if let colon = text.firstIndex(of: ":") {
      let (first, count) = (text[..<colon], text[text.index(after: colon)...])
      if first.isEmpty, count.isEmpty { return nil }
      guard let start = first.isEmpty ? 0 : number(first) else { return nil }
      if count.isEmpty { return FilterComparison.Slice(start: start, count: nil) }
      guard let count = number(count), count > 0 else { return nil }
      return FilterComparison.Slice(start: start, count: count)
    }
    if let start = number(text[...]) { return FilterComparison.Slice(start: start, count: 1) }
    guard let dash = text.dropFirst().firstIndex(of: "-"), let start = number(text[..<dash]),
      let last = number(text[text.index(after: dash)...]), start >= 0, last >= start
    else { return nil }
    return FilterComparison.Slice(start: start, count: last - start + 1)
  }

  private mutating func operation(_ comparison: inout FilterComparison) throws(FilterError) {
    let spelled = token.kind == .word ? token.spelled.lowercased() : token.spelled
    guard token.kind == .word || token.kind == .symbol,
      let operation = FilterComparison.Operator.spellings[spelled]
    else { return }
    comparison.operation = (operation, advance().range)
    if operation == .isIn {
      comparison.values = try set()
      return
    }
    comparison.values = [(try value(), nil)]
  }

  /// `{a, b, c..d}`
  private mutating func set() throws(FilterError) -> [(first: FilterToken, last: FilterToken?)] {
    let open = token
    guard take("{") else { throw error("`in` needs values in braces: {1, 2, 5..9}") }
    var values: [(first: FilterToken, last: FilterToken?)] = []
    repeat {
      if token.isSymbol("}"), !values.isEmpty { break }
      let first = try value()
      values.append((first, take("..") ? try value() : nil))
    } while take(",")
    guard take("}") else {
      guard token.kind != .end else {
        throw FilterError(text, open.range, "this brace has no closing brace")
      }
      throw error("separate values in braces with commas: {1, 2, 5..9}")
    }
    return values
  }

  private mutating func value() throws(FilterError) -> FilterToken {
    switch token.kind {
    case .word, .text: return advance()
    case .end:
      throw FilterError(text, tokens[max(0, position - 1)].range, "a value is missing after this")
    case .symbol: throw error("a value is missing before this")
    }
  }
}
