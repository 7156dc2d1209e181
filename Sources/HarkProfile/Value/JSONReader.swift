import HarkLayout
import HarkSession

/// Reads JSON (RFC 8259). Integers keep their 64 bits; other numbers are floats.
struct JSONReader {
  private static let deepest = 64
  private static let mostValues = 1 << 16

  private let bytes: [UInt8]
  private var position = 0
  private var valuesLeft = mostValues

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    var reader = JSONReader(bytes)
    do throws(FramingProblem) {
      let value = try reader.value(0)
      var message = DecodedMessage(value: value)
      reader.skipSpace()
      if reader.position < bytes.count { message.trailing = reader.position..<bytes.count }
      return message
    } catch {
      return DecodedMessage(value: .null, problem: .framing(error))
    }
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var notJSON: FramingProblem { .notJSON(offset: position) }

  private mutating func skipSpace() {
    while let next = peek, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    guard depth < Self.deepest else { throw .deepJSON(limit: Self.deepest) }
    valuesLeft -= 1
    guard valuesLeft > 0 else { throw notJSON }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: ProfileValue
  ) throws(FramingProblem) -> ProfileValue {
    let letters = Array("\(word)".utf8)
    guard bytes[position...].starts(with: letters) else { throw notJSON }
    position += letters.count
    return value
  }

  private mutating func object(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    position += 1
    var members = ProfileValue.Members()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw notJSON }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw notJSON }
      members.set(name, try value(depth + 1))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw notJSON }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    position += 1
    var items: [ProfileValue] = []
    if take(UInt8(ascii: "]")) { return .array(items) }
    repeat { items.append(try value(depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw notJSON }
    return .array(items)
  }

  private mutating func number() throws(FramingProblem) -> ProfileValue {
    let start = position
    while let next = peek, next.isJSONNumber { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let value = Int64(text) { return .int(Integer(value)) }
    if let value = UInt64(text) { return .int(Integer(unsigned: value)) }
    guard let value = Double(text) else {
      position = start
      throw notJSON
    }
    return .float(value)
  }

  private mutating func string() throws(FramingProblem) -> String {
    position += 1
    var text: [UInt8] = []
    while let next = peek {
      position += 1
      if next == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard next == UInt8(ascii: "\\") else {
        text.append(next)
        continue
      }
      try escape(into: &text)
    }
    throw notJSON
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12,
    UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C,
    UInt8(ascii: "/"): 0x2F,
  ]

  private mutating func escape(into text: inout [UInt8]) throws(FramingProblem) {
    guard let letter = peek else { throw notJSON }
    position += 1
    if let byte = Self.escapes[letter] { return text.append(byte) }
    guard letter == UInt8(ascii: "u") else { throw notJSON }
    var code = try unit()
    if code & 0xFC00 == 0xD800, bytes[position...].starts(with: [0x5C, UInt8(ascii: "u")]) {
      position += 2
      let low = try unit()
      if low & 0xFC00 == 0xDC00 { code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF) }
    }
    text += Array(String(UnicodeScalar(code) ?? "\u{FFFD}").utf8)
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(FramingProblem) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4,
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw notJSON }
    position += 4
    return code
  }
}

extension UInt8 {
  fileprivate var isJSONNumber: Bool {
    self >= 0x30 && self <= 0x39 || self == 0x2B || self == 0x2D || self == 0x2E
      || self | 0x20 == 0x65
  }
}
