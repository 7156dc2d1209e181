/// A value of a JSON text, and where it stands.
///
/// Strings and numbers stay where they are, as ranges of the text: a key in a key file is decoded straight
/// into guarded memory and never becomes a `String`.
public struct JSONNode: Sendable {
  public indirect enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Range<Int>)
    /// What is between the quotes: see `JSONParser.string`.
    case string(Range<Int>)
    case array([JSONNode])
    case object([(name: String, value: JSONNode)])
  }

  public let value: Value
  public let offset: Int

  /// A member of an object; nil for one that it lacks, and for other values.
  public subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for other values.
  /// - Parameter bytes: The JSON text.
  public func text(in bytes: [UInt8]) -> String? {
    guard case .string(let range) = value else { return nil }
    return JSONParser.string(range, in: bytes)
  }

  /// A whole number that `Number` can represent; nil for other values.
  /// - Parameter bytes: The JSON text.
  public func number<Number: FixedWidthInteger>(in bytes: [UInt8]) -> Number? {
    guard case .number(let range) = value else { return nil }
    return Number(String(decoding: bytes[range], as: UTF8.self))
  }
}

/// Reads a JSON text (RFC 8259).
public struct JSONParser {
  /// Where a text stops being JSON, and why.
  public struct Failure: Error {
    public enum Reason: Sendable {
      case expected(StaticString)
      /// Something follows the value.
      case expectedEnd
      case tooDeep
      case tooMany
      /// A member has the name of an earlier one.
      case duplicate
    }

    public let offset: Int
    public let reason: Reason
  }

  /// What a text may have at most.
  public struct Limits: Sendable {
    let levels: Int
    let values: Int
    let takesDuplicates: Bool

    public init(levels: Int, values: Int, takesDuplicates: Bool) {
      (self.levels, self.values, self.takesDuplicates) = (levels, values, takesDuplicates)
    }
  }

  private let bytes: [UInt8]
  private let limits: Limits
  private let end: Int
  private var position: Int
  private var valuesLeft: Int

  /// The value that is all of `range`.
  public static func read(
    _ bytes: [UInt8], in range: Range<Int>, _ limits: Limits
  ) throws(Failure) -> JSONNode {
    var text = JSONParser(bytes, range, limits)
    let node = try text.node(0)
    text.skipBlanks()
    guard text.position == text.end else {
      throw Failure(offset: text.position, reason: .expectedEnd)
    }
    return node
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, _ limits: Limits) {
    (self.bytes, self.limits) = (bytes, limits)
    (position, end, valuesLeft) = (range.lowerBound, range.upperBound, limits.values)
  }

  private func failure(_ expected: StaticString) -> Failure {
    Failure(offset: position, reason: .expected(expected))
  }

  private var next: UInt8? { position < end ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  /// Takes a byte if it is the next one after blanks.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    return takeNow(UInt8(ascii: character))
  }

  private mutating func takeNow(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func node(_ depth: Int) throws(Failure) -> JSONNode {
    skipBlanks()
    guard depth < limits.levels else { throw Failure(offset: position, reason: .tooDeep) }
    guard valuesLeft > 0 else { throw Failure(offset: position, reason: .tooMany) }
    valuesLeft -= 1
    let start = position
    switch next {
    case UInt8(ascii: "{"): return JSONNode(value: try object(depth), offset: start)
    case UInt8(ascii: "["): return JSONNode(value: try array(depth), offset: start)
    case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), offset: start)
    case UInt8(ascii: "t"): return JSONNode(value: try word("true", .bool(true)), offset: start)
    case UInt8(ascii: "f"): return JSONNode(value: try word("false", .bool(false)), offset: start)
    case UInt8(ascii: "n"): return JSONNode(value: try word("null", .null), offset: start)
    default: return JSONNode(value: .number(try number()), offset: start)
    }
  }

  private mutating func word(
    _ word: String, _ value: JSONNode.Value
  ) throws(Failure) -> JSONNode.Value {
    guard bytes[position..<end].starts(with: word.utf8) else { throw failure("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(Failure) -> JSONNode.Value {
    position += 1
    var members: [(name: String, value: JSONNode)] = []
    var names: Set<String> = []
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw failure("a member's name in quotes") }
      let name = Self.string(try string(), in: bytes)
      if !limits.takesDuplicates, !names.insert(name).inserted {
        throw Failure(offset: start, reason: .duplicate)
      }
      guard take(":") else { throw failure("a colon") }
      members.append((name, try node(depth + 1)))
    } while take(",")
    guard take("}") else { throw failure("a comma or }") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(Failure) -> JSONNode.Value {
    position += 1
    var elements: [JSONNode] = []
    if take("]") { return .array(elements) }
    repeat { elements.append(try node(depth + 1)) } while take(",")
    guard take("]") else { throw failure("a comma or ]") }
    return .array(elements)
  }

  // MARK: Numbers

  private mutating func number() throws(Failure) -> Range<Int> {
    let start = position
    _ = takeNow(UInt8(ascii: "-"))
    let isZero = next == UInt8(ascii: "0")
    let whole = digits()
    var isValid = whole > 0 && (!isZero || whole == 1)
    if takeNow(UInt8(ascii: ".")) { isValid = digits() > 0 && isValid }
    if takeNow(UInt8(ascii: "e")) || takeNow(UInt8(ascii: "E")) {
      _ = takeNow(UInt8(ascii: "-")) || takeNow(UInt8(ascii: "+"))
      isValid = digits() > 0 && isValid
    }
    if isValid { return start..<position }
    position = start
    throw failure("a value")
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, 0x30...0x39 ~= byte { position += 1 }
    return position - start
  }

  // MARK: Strings

  /// The range between the quotes, of valid UTF-8 and with valid escapes.
  private mutating func string() throws(Failure) -> Range<Int> {
    position += 1
    let start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        // No `String` is made of it: it may be a key.
        guard Self.isUTF8(bytes.span.extracting(start..<position)) else {
          throw failure("UTF-8 in the string")
        }
        position += 1
        return start..<position - 1
      case UInt8(ascii: "\\"):
        position += 1
        try escape()
      case 0..<0x20: throw failure("a closing quote before the end of the line")
      default: position += 1
      }
    }
    throw failure("the end of the string")
  }

  private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch {
      return false
    }
  }

  private mutating func escape() throws(Failure) {
    guard let letter = next else { throw failure("the end of the string") }
    position += 1
    if Self.escapes[letter] != nil { return }
    guard letter == UInt8(ascii: "u") else { throw failure("an escape of JSON") }
    for _ in 0..<4 {
      guard let digit = next, Hex.value(of: digit) != nil else {
        throw failure("four hexadecimal digits")
      }
      position += 1
    }
  }

  /// The text of a string's range, with its escapes replaced. Half a surrogate pair becomes U+FFFD.
  public static func string(_ range: Range<Int>, in bytes: [UInt8]) -> String {
    guard bytes[range].contains(UInt8(ascii: "\\")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var units: [UInt16] = []
    var rest = String(decoding: bytes[range], as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let letter = rest.popFirst() else {
        units.append(unit)
        continue
      }
      if let byte = UInt8(exactly: letter).flatMap({ escapes[$0] }) {
        units.append(UInt16(byte))
      } else {
        let digits = rest.prefix(4).map { UInt8(exactly: $0).flatMap { Hex.value(of: $0) } ?? 0 }
        units.append(digits.reduce(0) { $0 << 4 | UInt16($1) })
        rest = rest.dropFirst(4)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12,
    UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C,
    UInt8(ascii: "/"): 0x2F,
  ]
}
