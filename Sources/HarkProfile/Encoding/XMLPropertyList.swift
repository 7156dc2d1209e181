import HarkCore
import HarkLayout
import HarkSession

/// Property lists as XML (Apple's PropertyList-1.0.dtd), in UTF-8. Of XML there is what they need:
/// no entities of one's own, no namespaces.
struct XMLPropertyList {
  private var reader: ByteReader

  static func read(_ bytes: [UInt8]) -> DecodedMessage {
    ByteReader.read(bytes, "property list") { (reader) throws(FramingProblem) in
      var list = XMLPropertyList(reader: reader)
      let value = try list.document()
      reader = list.reader
      return value
    }
  }

  private enum Tag: Equatable {
    case start(String)
    case end(String)
    /// `<true/>`
    case empty(String)
  }

  private mutating func document() throws(FramingProblem) -> ProfileValue {
    if reader.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position += 3 }
    // Fragments without the outermost element are property lists, too.
    let first = try tag()
    guard first == .start("plist") else { return try value(first, 0) }
    let value = try value(try tag(), 0)
    guard try tag() == .end("plist") else { throw reader.wrong }
    try skip()
    return value
  }

  private mutating func value(_ tag: Tag, _ depth: Int) throws(FramingProblem) -> ProfileValue {
    try reader.enter(depth)
    switch tag {
    case .empty(let name):
      switch name {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "string": return .text("")
      case "data": return .bytes([])
      case "array": return .array([])
      case "dict": return .object(ProfileValue.Members())
      default: throw reader.wrong
      }
    case .start("array"):
      var items: [ProfileValue] = []
      while true {
        let next = try self.tag()
        if next == .end("array") { return .array(items) }
        items.append(try value(next, depth + 1))
      }
    case .start("dict"): return try dictionary(depth)
    case .start(let name):
      let text = try text()
      guard try self.tag() == .end(name) else { throw reader.wrong }
      return try scalar(name, text)
    case .end: throw reader.wrong
    }
  }

  private mutating func dictionary(_ depth: Int) throws(FramingProblem) -> ProfileValue {
    var members = ProfileValue.Members()
    while true {
      switch try tag() {
      case .end("dict"): return .object(members)
      case .start("key"):
        let key = try text()
        guard try tag() == .end("key") else { throw reader.wrong }
        members.set(key, try value(try tag(), depth + 1))
      case .empty("key"): members.set("", try value(try tag(), depth + 1))
      default: throw reader.wrong
      }
    }
  }

  private func scalar(_ name: String, _ text: String) throws(FramingProblem) -> ProfileValue {
    switch name {
    case "string": return .text(text)
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "integer":
      if let value = Integer(literal: String(text.trimmed)) { return .int(value) }
    case "real":
      if let value = Double(text.trimmed) { return .float(value) }
    case "data":
      let letters = text.utf8.filter { !$0.isXMLSpace }
      if let bytes = Base64.decode(letters) {
        return .bytes(bytes)
      }
    case "date":
      if let seconds = Self.seconds(text.trimmed) { return .float(seconds) }
    default: break
    }
    throw reader.wrong
  }

  /// `2026-11-20T16:41:05Z` in seconds since 2001-01-01.
  private static func seconds(_ text: Substring) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[19] == UInt8(ascii: "Z") else { return nil }
    let marks: [(Int, UInt8)] = [
      (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")),
      (13, UInt8(ascii: ":")), (16, UInt8(ascii: ":")),
    ]
    guard marks.allSatisfy({ bytes[$0.0] == $0.1 }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(Int?.some(0)) { sum, digit in
        guard let sum, digit >= 0x30, digit <= 0x39 else { return nil }
        return sum * 10 + Int(digit - 0x30)
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let days = CivilDate(year: year, month: month, day: day).daysSince1970
    else { return nil }
    // 2001-01-01 is 11,323 days after 1970-01-01.
    return Double(((Int(days) - 11_323) * 24 + hour) * 3600 + minute * 60 + second)
  }
}

// What there is of XML.
extension XMLPropertyList {
  /// The next tag; blanks, comments, declarations and the document type are passed over.
  private mutating func tag() throws(FramingProblem) -> Tag {
    try skip()
    guard reader.peek == UInt8(ascii: "<") else { throw reader.wrong }
    reader.position += 1
    var isEnd = false
    if reader.peek == UInt8(ascii: "/") {
      isEnd = true
      reader.position += 1
    }
    var name: [UInt8] = []
    while let next = reader.peek, next.isXMLName {
      name.append(next)
      reader.position += 1
    }
    // Attributes say nothing: there is the version alone.
    var last: UInt8 = 0
    while let next = reader.peek, next != UInt8(ascii: ">"), next != UInt8(ascii: "<") {
      last = next
      reader.position += 1
    }
    guard reader.peek == UInt8(ascii: ">"), !name.isEmpty else { throw reader.wrong }
    reader.position += 1
    let text = String(decoding: name, as: UTF8.self)
    if isEnd { return .end(text) }
    return last == UInt8(ascii: "/") ? .empty(text) : .start(text)
  }

  private mutating func skip() throws(FramingProblem) {
    while let next = reader.peek {
      if next.isXMLSpace {
        reader.position += 1
      } else if reader.starts(with: "<!--".utf8) {
        try skip(to: "-->")
      } else if reader.starts(with: "<?".utf8) {
        try skip(to: "?>")
      } else if reader.starts(with: "<!DOCTYPE".utf8) {
        let start = reader.position
        try skip(to: ">")
        // Entities could be declared there.
        guard !reader.bytes[start..<reader.position].contains(UInt8(ascii: "[")) else {
          throw reader.wrong
        }
      } else {
        return
      }
    }
  }

  private mutating func skip(to end: String) throws(FramingProblem) {
    let letters = Array(end.utf8)
    while reader.remaining > 0 {
      if reader.starts(with: letters) {
        reader.position += letters.count
        return
      }
      reader.position += 1
    }
    throw reader.wrong
  }

  /// What is between two tags.
  private mutating func text() throws(FramingProblem) -> String {
    var text: [UInt8] = []
    while let next = reader.peek {
      if next == UInt8(ascii: "&") {
        text += try entity()
      } else if next != UInt8(ascii: "<") {
        text.append(next)
        reader.position += 1
      } else if reader.starts(with: "<![CDATA[".utf8) {
        let start = reader.position + 9
        reader.position = start
        try skip(to: "]]>")
        text += reader.bytes[start..<(reader.position - 3)]
      } else if reader.starts(with: "<!--".utf8) {
        try skip(to: "-->")
      } else {
        return String(decoding: text, as: UTF8.self)
      }
    }
    throw reader.wrong
  }

  private static let entities: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]

  private mutating func entity() throws(FramingProblem) -> [UInt8] {
    let body = reader.bytes[(reader.position + 1)...].prefix(10)
    guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { throw reader.wrong }
    let name = String(decoding: body[..<end], as: UTF8.self)
    reader.position = end + 1
    if let byte = Self.entities[name] { return [byte] }
    let code: UInt32? =
      if name.hasPrefix("#x") {
        UInt32(name.dropFirst(2), radix: 16)
      } else if name.hasPrefix("#") {
        UInt32(name.dropFirst())
      } else {
        nil
      }
    guard let scalar = code.flatMap({ UnicodeScalar($0) }) else { throw reader.wrong }
    return Array(String(scalar).utf8)
  }
}

extension UInt8 {
  fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  /// Of the names that property lists use.
  fileprivate var isXMLName: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
}
