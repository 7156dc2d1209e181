import HarkLayout
import HarkSession

/// Reads JSON (RFC 8259): an object or array, or several run together. Integers keep their 64 bits;
/// other numbers are floats.
struct JSONReader {
  private var reader: ByteReader

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    var values = JSONReader(bytes, bytes.indices)
    if let value = try? values.text() { return DecodedMessage(value: value) }
    // Something is wrong: what, and what can be read all the same?
    let scan = JSONScan(bytes)
    var messages = scan.objects.map { range in
      var values = JSONReader(bytes, range)
      do throws(FramingProblem) {
        return DecodedMessage(value: try values.text())
      } catch {
        return DecodedMessage(value: .null, problem: .framing(error))
      }
    }
    guard !messages.isEmpty else {
      return DecodedMessage(value: .null, problem: .framing(scan.problem ?? .empty))
    }
    var first = messages.removeFirst()
    if !messages.isEmpty { first.faults.append(.concatenatedJSON(objects: messages.count + 1)) }
    if let problem = scan.problem { first.faults.append(problem) }
    first.others = messages
    return first
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    reader = ByteReader(bytes, "JSON", in: range)
  }

  private var notJSON: FramingProblem { .notJSON(offset: reader.position) }

  /// All of it.
  private mutating func text() throws(FramingProblem) -> ProfileValue {
    skipSpace()
    guard reader.peek == UInt8(ascii: "{") || reader.peek == UInt8(ascii: "[") else {
      throw notJSON
    }
    let value = try value(0)
    skipSpace()
    guard reader.position == reader.end else { throw notJSON }
    return value
  }

  private mutating func skipSpace() {
    while reader.position < reader.end {
      switch reader.bytes[reader.position] {
      case 0x20, 0x09, 0x0A, 0x0D: reader.position += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard reader.peek == byte else { return false }
    reader.position += 1
    return true
  }

  private mutating func value(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    skipSpace()
    switch reader.peek {
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
    _ word: String, _ value: ProfileValue
  ) throws(FramingProblem) -> ProfileValue {
    guard reader.bytes[reader.position..<reader.end].starts(with: word.utf8) else { throw notJSON }
    reader.position += word.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    reader.position += 1
    var members = ProfileValue.Members()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard reader.peek == UInt8(ascii: "\"") else { throw notJSON }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw notJSON }
      members.set(name, try value(depth + 1))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw notJSON }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    reader.position += 1
    var items: [ProfileValue] = []
    if take(UInt8(ascii: "]")) { return .array(items) }
    repeat { items.append(try value(depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw notJSON }
    return .array(items)
  }

  // MARK: Numbers

  private mutating func number() throws(FramingProblem) -> ProfileValue {
    let start = reader.position
    _ = takeSign(UInt8(ascii: "-"))
    let isZero = reader.peek == UInt8(ascii: "0")
    let whole = digits()
    var isValid = whole > 0 && (!isZero || whole == 1)
    var isWhole = true
    if reader.peek == UInt8(ascii: ".") {
      (reader.position, isWhole) = (reader.position + 1, false)
      isValid = digits() > 0 && isValid
    }
    if let letter = reader.peek, letter | 0x20 == UInt8(ascii: "e") {
      (reader.position, isWhole) = (reader.position + 1, false)
      _ = takeSign(UInt8(ascii: "-")) || takeSign(UInt8(ascii: "+"))
      isValid = digits() > 0 && isValid
    }
    if isValid {
      let text = String(decoding: reader.bytes[start..<reader.position], as: UTF8.self)
      if isWhole, let value = Int64(text) { return .int(Integer(value)) }
      if isWhole, let value = UInt64(text) { return .int(Integer(unsigned: value)) }
      if let value = Double(text) { return .float(value) }
    }
    reader.position = start
    throw notJSON
  }

  private mutating func takeSign(_ sign: UInt8) -> Bool {
    guard reader.peek == sign else { return false }
    reader.position += 1
    return true
  }

  private mutating func digits() -> Int {
    let start = reader.position
    while let next = reader.peek, next >= 0x30, next <= 0x39 { reader.position += 1 }
    return reader.position - start
  }

  // MARK: Strings

  private mutating func string() throws(FramingProblem) -> String {
    reader.position += 1
    let start = reader.position
    // Most have no escapes, and are copied at once.
    while reader.position < reader.end {
      switch reader.bytes[reader.position] {
      case UInt8(ascii: "\""):
        return try made(reader.bytes[start..<reader.position], behind: reader.position + 1)
      case UInt8(ascii: "\\"):
        return try escapedString(Array(reader.bytes[start..<reader.position]))
      case 0..<0x20: throw notJSON
      default: reader.position += 1
      }
    }
    throw notJSON
  }

  private mutating func escapedString(_ beginning: [UInt8]) throws(FramingProblem) -> String {
    var text = beginning
    while let next = reader.peek {
      switch next {
      case UInt8(ascii: "\""): return try made(text[...], behind: reader.position + 1)
      case UInt8(ascii: "\\"):
        reader.position += 1
        try escape(into: &text)
      case 0..<0x20: throw notJSON
      default:
        text.append(next)
        reader.position += 1
      }
    }
    throw notJSON
  }

  private mutating func made(
    _ text: ArraySlice<UInt8>, behind: Int
  ) throws(FramingProblem) -> String {
    guard let made = String(validating: text, as: UTF8.self) else { throw notJSON }
    reader.position = behind
    return made
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12,
    UInt8(ascii: "r"): 13, UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C,
    UInt8(ascii: "/"): 0x2F,
  ]

  private mutating func escape(into text: inout [UInt8]) throws(FramingProblem) {
    guard let letter = reader.peek else { throw notJSON }
    reader.position += 1
    if let byte = Self.escapes[letter] { return text.append(byte) }
    guard letter == UInt8(ascii: "u") else { throw notJSON }
    var code = try unit()
    if code & 0xFC00 == 0xD800,
      reader.bytes[reader.position..<reader.end].starts(with: [0x5C, UInt8(ascii: "u")])
    {
      reader.position += 2
      let low = try unit()
      if low & 0xFC00 == 0xDC00 { code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF) }
    }
    text += Array(String(UnicodeScalar(code) ?? "\u{FFFD}").utf8)
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(FramingProblem) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      switch reader.peek {
      case let digit? where digit >= 0x30 && digit <= 0x39: code = code << 4 | UInt32(digit - 0x30)
      case let letter? where letter | 0x20 >= 0x61 && letter | 0x20 <= 0x66:
        code = code << 4 | UInt32((letter | 0x20) - 0x57)
      default: throw notJSON
      }
      reader.position += 1
    }
    return code
  }
}
