/// A word of an expression.
enum Token: Equatable {
  case integer(Integer)
  case float(Double)
  case string(String)
  /// The raw text between the quotes of an `f"..."`, and where it begins.
  case interpolated(String, at: Int)
  case name(String)
  case sign(String)
  case end
}

/// Cuts an expression into words. Kaitai Struct user guide, section 6.1 and 6.2.
struct Lexer {
  /// Longer than any expression a person writes; published tables reach 6,000.
  static let longest = 1 << 16

  private let text: [UnicodeScalar]
  private var position = 0
  private(set) var tokens: [(token: Token, offset: Int)] = []

  private static let signs: Set = [
    "::", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">",
    "?", ":", ",", ".", "(", ")", "[", "]",
  ]

  static func tokens(of text: String) throws(ExpressionError) -> [(token: Token, offset: Int)] {
    var lexer = Lexer(text: Array(text.unicodeScalars))
    guard lexer.text.count <= longest else {
      throw ExpressionError(message: "an expression of more than \(longest) characters")
    }
    try lexer.run()
    return lexer.tokens
  }

  private init(text: [UnicodeScalar]) { self.text = text }

  private func peek(_ ahead: Int = 0) -> UnicodeScalar? {
    position + ahead < text.count ? text[position + ahead] : nil
  }

  private mutating func run() throws(ExpressionError) {
    while true {
      skipSpace()
      let start = position
      guard let first = peek() else {
        tokens.append((.end, start))
        return
      }
      let token: Token
      if first.isDigit {
        token = try number()
      } else if first == "f", peek(1) == "\"" {
        position += 1
        token = try interpolated()
      } else if first == "_" || first.isLetter {
        token = .name(word())
      } else if first == "'" || first == "\"" {
        token = .string(try string(first))
      } else {
        token = try sign()
      }
      tokens.append((token, start))
    }
  }

  private mutating func skipSpace() {
    while let next = peek() {
      switch next {
      case " ", "\n", "\r", "\t": position += 1
      case "\\" where peek(1) == "\n": position += 2
      default: return
      }
    }
  }

  private mutating func word() -> String {
    let start = position
    while let next = peek(), next == "_" || next.isDigit || next.isLetter { position += 1 }
    return spelling(from: start)
  }

  private mutating func sign() throws(ExpressionError) -> Token {
    for end in [position + 2, position + 1] where end <= text.count {
      let sign = spelling(text[position..<end])
      guard Self.signs.contains(sign) else { continue }
      position = end
      return .sign(sign)
    }
    throw unexpected()
  }

  private func unexpected() -> ExpressionError {
    let rest = spelling(text[position...].prefix(10))
    let hint = rest.hasPrefix("!") ? ", did you mean 'not'?" : ""
    return ExpressionError(message: "unexpected '\(rest)' at position \(position + 1)\(hint)")
  }

  // MARK: Numbers

  private mutating func number() throws(ExpressionError) -> Token {
    let start = position
    if peek() == "0", let base = peek(1), "xXbBoO".unicodeScalars.contains(base) {
      position += 2
      while let next = peek(), next == "_" || next.isHexDigit { position += 1 }
      return try integer(from: start)
    }
    digits()
    var isFloat = false
    // `1.` is a float, `1.to_s` is not.
    let behind = peek(1)
    if peek() == ".", behind != "_", behind?.isLetter != true {
      isFloat = true
      position += 1
      digits()
    }
    if peek() == "e" || peek() == "E" {
      let signed = peek(1) == "-" || peek(1) == "+"
      if peek(signed ? 2 : 1)?.isDigit == true {
        isFloat = true
        position += signed ? 2 : 1
        digits()
      }
    }
    guard isFloat else { return try integer(from: start) }
    guard let value = Double(spelling(from: start).filter { $0 != "_" }) else {
      throw ExpressionError(message: "'\(spelling(from: start))' is not a number")
    }
    return .float(value)
  }

  private mutating func digits() {
    while let next = peek(), next == "_" || next.isDigit { position += 1 }
  }

  private func spelling(from start: Int) -> String { spelling(text[start..<position]) }

  private func spelling(_ scalars: ArraySlice<UnicodeScalar>) -> String {
    var spelling = String.UnicodeScalarView()
    for scalar in scalars { spelling.append(scalar) }
    return String(spelling)
  }

  private func integer(from start: Int) throws(ExpressionError) -> Token {
    guard let value = Integer(literal: spelling(from: start)) else {
      throw ExpressionError(message: "'\(spelling(from: start))' is not a 64-bit integer")
    }
    return .integer(value)
  }

  // MARK: Strings

  private mutating func string(_ quote: UnicodeScalar) throws(ExpressionError) -> String {
    let start = position
    position += 1
    var result = String.UnicodeScalarView()
    while let next = peek() {
      position += 1
      if next == quote { return String(result) }
      if next == "\\", quote == "\"" {
        result.append(try Escape.read(text, &position))
      } else {
        result.append(next)
      }
    }
    throw ExpressionError(message: "the string at position \(start + 1) has no end")
  }

  private mutating func interpolated() throws(ExpressionError) -> Token {
    position += 1
    let start = position
    while let next = peek() {
      position += 1
      if next == "\"" {
        return .interpolated(spelling(text[start..<(position - 1)]), at: start)
      }
      if next == "\\" { position += 1 }
    }
    throw ExpressionError(message: "the string at position \(start) has no end")
  }
}

extension UnicodeScalar {
  var isDigit: Bool { value >= 0x30 && value <= 0x39 }
  var isLetter: Bool {
    isASCII ? value | 0x20 >= 0x61 && value | 0x20 <= 0x7A : properties.isAlphabetic
  }
  var isHexDigit: Bool { isDigit || (value | 0x20 >= 0x61 && value | 0x20 <= 0x66) }
}

/// Escapes in double quotes. Kaitai Struct user guide, section 6.1.2.
enum Escape {
  private static let short: [UnicodeScalar: UnicodeScalar] = [
    "a": "\u{07}", "b": "\u{08}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{0B}", "f": "\u{0C}",
    "e": "\u{1B}", "'": "'", "\"": "\"", "\\": "\\",
  ]

  /// Reads what follows a backslash.
  static func read(
    _ text: [UnicodeScalar], _ position: inout Int
  ) throws(ExpressionError) -> UnicodeScalar {
    guard position < text.count else { throw ExpressionError(message: "a lone backslash") }
    let first = text[position]
    if let simple = short[first] {
      position += 1
      return simple
    }
    var digits: ArraySlice<UnicodeScalar>
    let radix: Int
    if first == "u" {
      digits = text[(position + 1)...].prefix(4)
      guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else {
        throw ExpressionError(message: "\\u needs four hexadecimal digits")
      }
      position += 5
      radix = 16
    } else {
      digits = text[position...].prefix(3).prefix { $0.value >= 0x30 && $0.value <= 0x37 }
      position += digits.count
      radix = 8
    }
    let spelling = String(String.UnicodeScalarView(digits))
    guard let code = UInt32(spelling, radix: radix), let scalar = UnicodeScalar(code) else {
      throw ExpressionError(message: "unknown escape '\\\(first)'")
    }
    return scalar
  }
}
