import HarkCore

/// A value of a JSON text with the place where it starts.
///
/// Strings stay where they are, as ranges of the text: a key in a key file is decoded straight into
/// guarded memory and never becomes a `String`.
struct JSONNode {
  indirect enum Value {
    case null
    case bool(Bool)
    case number(Range<Int>)
    case string(Range<Int>)
    case array([JSONNode])
    case object([(name: String, value: JSONNode)])
  }

  let value: Value
  let offset: Int

  /// What a user would call it.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Reads a JSON text (RFC 8259) of at most 32 levels.
struct JSONReader {
  /// Where a text stops being JSON, and what was expected there.
  struct Failure: Error {
    let offset: Int
    let reason: String
  }

  let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that is the whole text.
  static func read(_ bytes: [UInt8]) throws(Failure) -> JSONNode {
    var reader = JSONReader(bytes)
    let node = try reader.node(depth: 0)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.failure("the end of the file") }
    return node
  }

  private func failure(_ expected: String) -> Failure {
    Failure(offset: position, reason: "expected \(expected)")
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func node(depth: Int) throws(Failure) -> JSONNode {
    skipBlanks()
    guard depth < 32 else { throw Failure(offset: position, reason: "more than 32 levels") }
    let start = position
    switch next {
    case UInt8(ascii: "{"): return JSONNode(value: try object(depth), offset: start)
    case UInt8(ascii: "["): return JSONNode(value: try array(depth), offset: start)
    case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), offset: start)
    default: return JSONNode(value: try scalar(), offset: start)
    }
  }

  private mutating func object(_ depth: Int) throws(Failure) -> JSONNode.Value {
    position += 1
    var members: [(name: String, value: JSONNode)] = []
    var names: Set<String> = []
    skipBlanks()
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("a member's name in quotes") }
      let start = position
      let name = JSONReader.text(try string(), in: bytes)
      guard names.insert(name).inserted else {
        throw Failure(offset: start, reason: "this member is here twice")
      }
      skipBlanks()
      guard take(":") else { throw failure("a colon") }
      members.append((name, try node(depth: depth + 1)))
      skipBlanks()
    } while take(",")
    guard take("}") else { throw failure("a comma or }") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(Failure) -> JSONNode.Value {
    position += 1
    var elements: [JSONNode] = []
    skipBlanks()
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try node(depth: depth + 1))
      skipBlanks()
    } while take(",")
    guard take("]") else { throw failure("a comma or ]") }
    return .array(elements)
  }

  /// The range between the quotes.
  private mutating func string() throws(Failure) -> Range<Int> {
    position += 1
    let start = position
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return start..<position - 1
      }
      guard byte >= 0x20 else { throw failure("the end of the string before the end of the line") }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = bytes.count
    throw failure("the end of the string")
  }

  private mutating func scalar() throws(Failure) -> JSONNode.Value {
    let start = position
    while let byte = next, [0x2B, 0x2D, 0x2E].contains(byte) || isAlphanumeric(byte) {
      position += 1
    }
    let word = bytes[start..<position]
    if word.elementsEqual("true".utf8) { return .bool(true) }
    if word.elementsEqual("false".utf8) { return .bool(false) }
    if word.elementsEqual("null".utf8) { return .null }
    if let first = word.first, first == 0x2D || (0x30...0x39).contains(first) {
      return .number(start..<position)
    }
    position = start
    throw failure("a value")
  }

  private func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The text of a string's range, escapes replaced; what is no valid escape stays as it is.
  static func text(_ range: Range<Int>, in bytes: [UInt8]) -> String {
    guard bytes[range].contains(UInt8(ascii: "\\")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var units: [UInt16] = []
    var rest = String(decoding: bytes[range], as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      let digits = rest.prefix(4).map { $0 < 0x80 ? Hex.value(of: UInt8($0)) : nil }
      if escape == 0x75, digits.count == 4, digits.allSatisfy({ $0 != nil }) {
        units.append(digits.reduce(0) { $0 << 4 | UInt16($1 ?? 0) })
        rest = rest.dropFirst(4)
      } else {
        units.append(Self.escapes[escape] ?? escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// b, f, n, r, t; all others stand for themselves.
  private static let escapes: [UInt16: UInt16] = [
    0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
  ]
}
