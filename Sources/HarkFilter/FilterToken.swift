import HarkCore

/// A piece of a filter's text.
struct FilterToken {
  enum Kind: Equatable {
    /// A name or a value that is not in quotes: letters, digits, and `_ . : -`.
    case word
    /// In quotes: its bytes, and whether a backslash stands for itself in it.
    case text([UInt8], isRaw: Bool)
    case symbol
    case end
  }

  let kind: Kind
  /// As it was written.
  let spelled: String
  let range: Range<Int>

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && spelled == symbol }
}

/// Cuts the text of a filter into tokens.
struct FilterLexer {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  /// The longest text of a filter, in bytes.
  static let longest = 1 << 16

  private static let symbols = [
    "===", "!==", "==", "!=", "~=", "<=", ">=", "&&", "||", "..", "<", ">", "!", "~", "&", "(", ")",
    "{", "}", "[", "]", ",",
  ]

  static func tokens(_ text: String) throws(FilterError) -> [FilterToken] {
    guard text.utf8.count <= longest else {
      throw FilterError(text, 0..<0, "a filter has at most \(longest) bytes")
    }
    var lexer = FilterLexer(text: text, bytes: Array(text.utf8))
    var tokens: [FilterToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(FilterError) -> FilterToken {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
    guard position < bytes.count else { return token(.end, from: bytes.count) }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "\""): return try quoted(from: start)
    case UInt8(ascii: "r"), UInt8(ascii: "R"):
      if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
        position += 1
        return try quoted(from: start, isRaw: true)
      }
      return word()
    case let byte where Self.isWord(byte): return isRange(at: position) ? symbol("..") : word()
    default:
      if let symbol = Self.symbols.first(where: { bytes[start...].starts(with: $0.utf8) }) {
        return self.symbol(symbol)
      }
      throw FilterError(text, start..<(start + 1), complaint(at: start))
    }
  }

  private func complaint(at place: Int) -> String {
    switch bytes[place] {
    case UInt8(ascii: "="): "write == to compare"
    case UInt8(ascii: "|"): "write || or `or`"
    case UInt8(ascii: "'"): "write texts in double quotes: \"…\""
    case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "%"):
      "filters do not calculate: compare a field with a number"
    default: "a filter cannot contain this character here"
    }
  }

  private func token(_ kind: FilterToken.Kind, from start: Int) -> FilterToken {
    FilterToken(
      kind: kind, spelled: String(decoding: bytes[start..<position], as: UTF8.self),
      range: start..<position)
  }

  private mutating func symbol(_ symbol: String) -> FilterToken {
    let start = position
    position += symbol.utf8.count
    return token(.symbol, from: start)
  }

  private mutating func word() -> FilterToken {
    let start = position
    while position < bytes.count, Self.isWord(bytes[position]), !isRange(at: position) {
      position += 1
    }
    return token(.word, from: start)
  }

  /// Letters of other scripts are taken, so that it can be said that texts are quoted.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default:
      [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-")]
        .contains(byte)
    }
  }

  private func isRange(at place: Int) -> Bool {
    bytes[place...].starts(with: "..".utf8)
  }

  // MARK: Quotes

  private mutating func quoted(from start: Int, isRaw: Bool = false) throws(FilterError)
    -> FilterToken
  {
    var value: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return token(.text(value, isRaw: isRaw), from: start) }
      guard byte == UInt8(ascii: "\\"), position < bytes.count else {
        value.append(byte)
        continue
      }
      // In a raw text a backslash keeps the quote after it from ending the text, and stays.
      if isRaw {
        value += [byte, bytes[position]]
        position += 1
      } else {
        escape(to: &value)
      }
    }
    throw FilterError(text, start..<bytes.count, "this text has no closing quote")
  }

  /// Other escapes may belong to a regular expression, and stay.
  private mutating func escape(to value: inout [UInt8]) {
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): value.append(letter)
    case UInt8(ascii: "n"): value.append(0x0A)
    case UInt8(ascii: "r"): value.append(0x0D)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "x"):
      if position + 1 < bytes.count, let high = Hex.value(of: bytes[position]),
        let low = Hex.value(of: bytes[position + 1])
      {
        value.append(high << 4 | low)
        position += 2
      } else {
        value += [UInt8(ascii: "\\"), letter]
      }
    default: value += [UInt8(ascii: "\\"), letter]
    }
  }
}
