/// OPACK, Apple's compact serialization, as the pyatv project observed it. Every object begins with a
/// tag; small values are in the tag itself.
struct OPACK: Sendable {
  /// What a tag says about the object after it.
  enum Shape: Equatable, Sendable {
    case invalid, terminator, null, uuid, absoluteTime
    case boolean(Bool)
    /// −1 to 39.
    case small(Int)
    case integer(octets: Int)
    case float(octets: Int)
    case string(count: Int)
    case data(count: Int)
    /// The length precedes the bytes, in this many octets.
    case longString(lengthOctets: Int)
    case longData(lengthOctets: Int)
    case stringUpToNUL
    /// The number of an object that came before, from 0.
    case reference(Int)
    case longReference(octets: Int)
    /// Without a count, up to a terminator.
    case array(count: Int?)
    case dictionary(count: Int?)

    init(tag: UInt8) {
      let low = Int(tag & 0x0F)
      switch tag {
      case 0x01: self = .boolean(true)
      case 0x02: self = .boolean(false)
      case 0x03: self = .terminator
      case 0x04: self = .null
      case 0x05: self = .uuid
      case 0x06: self = .absoluteTime
      case 0x07...0x2F: self = .small(Int(tag) - 8)
      case 0x30...0x33: self = .integer(octets: 1 << low)
      case 0x35: self = .float(octets: 4)
      case 0x36: self = .float(octets: 8)
      case 0x40...0x60: self = .string(count: Int(tag) - 0x40)
      case 0x61...0x64: self = .longString(lengthOctets: low)
      case 0x6F: self = .stringUpToNUL
      case 0x70...0x90: self = .data(count: Int(tag) - 0x70)
      case 0x91...0x94: self = .longData(lengthOctets: 1 << (low - 1))
      case 0xA0...0xC0: self = .reference(Int(tag) - 0xA0)
      case 0xC1...0xC4: self = .longReference(octets: low)
      case 0xD0...0xDF: self = .array(count: low == 15 ? nil : low)
      case 0xE0...0xEF: self = .dictionary(count: low == 15 ? nil : low)
      default: self = .invalid
      }
    }
  }

  let tag = Field("Tag", .hex, lookup: OPACK.tagName)
  let dictionary = Field("Dictionary", .group)
  let entry = Field("Entry", .list)
  let array = Field("Array", .group)
  let length = Field("Length")
  let key = Field("Key", .text, role: .description)
  let string = Field("String", .text, personal: .text)
  let integer = Field("Integer")
  let float = Field("Float", .float)
  let data = Field("Data", .bytes)
  let uuid = Field("UUID", .uuidBigEndian)
  // No published description of OPACK decodes one.
  let absoluteTime = Field("Absolute Time", .bytes)
  let reference = Field("Reference")

  static let shared = OPACK()

  /// The deepest nesting that is read. Real ones have two or three levels.
  static let deepest = 16

  @Sendable static func tagName(_ tag: UInt64) -> String? {
    switch Shape(tag: UInt8(truncatingIfNeeded: tag)) {
    case .invalid: nil
    case .terminator: "terminator"
    case .null: "null"
    case .uuid: "UUID"
    case .absoluteTime: "absolute time"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .small(let value): "integer \(value)"
    case .integer: "integer"
    case .float: "float"
    case .string, .longString, .stringUpToNUL: "string"
    case .data, .longData: "data"
    case .reference, .longReference: "reference"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }

  /// Reads one object.
  func read(
    _ pdu: inout PDU<some Sink>, isKey: Bool = false, depth: Int = 0
  ) throws(Malformed) {
    guard depth < Self.deepest else { throw pdu.invalid(tag, "is nested too deep") }
    let word = try pdu.word(1, of: tag)
    pdu.part(tag, word, of: 1)
    let text = isKey ? key : string
    switch Shape(tag: UInt8(word)) {
    case .invalid: throw pdu.invalid(tag, "has an unknown type")
    case .terminator: throw pdu.invalid(tag, "ends nothing")
    case .null, .boolean: break
    case .small(let value): if value >= 0 { pdu.part(integer, UInt64(value), of: 1) }
    case .uuid: try pdu.bytes(16, uuid)
    case .absoluteTime: try pdu.bytes(8, absoluteTime)
    case .integer(let octets): try pdu.unsigned(octets, integer)
    case .float(let octets): try pdu.unsigned(octets, float)
    case .string(let count): try pdu.bytes(count, text)
    case .data(let count): try pdu.bytes(count, data)
    case .longString(let octets):
      try pdu.bytes(longCount(octets, &pdu), text)
    case .longData(let octets):
      if octets > 2 { disagreement(&pdu) }
      try pdu.bytes(longCount(octets, &pdu), data)
    case .stringUpToNUL: try pdu.upToNUL(text)
    case .reference(let index): pdu.part(reference, UInt64(index), of: 1)
    case .longReference(let octets):
      if octets > 2 { disagreement(&pdu) }
      try pdu.unsigned(octets, reference)
    case .array(let count):
      try pdu.group(array) { pdu throws(Malformed) in
        try items(count, &pdu) { pdu throws(Malformed) in try read(&pdu, depth: depth + 1) }
      }
    case .dictionary(let count):
      try pdu.group(dictionary) { pdu throws(Malformed) in
        try items(count, &pdu) { pdu throws(Malformed) in
          try pdu.group(entry) { pdu throws(Malformed) in
            try read(&pdu, isKey: true, depth: depth + 1)
            try read(&pdu, depth: depth + 1)
          }
        }
      }
    }
  }

  /// Each takes at least one byte, so that a large count ends with the bytes.
  private func items<Out: Sink>(
    _ count: Int?, _ pdu: inout PDU<Out>, _ body: (inout PDU<Out>) throws(Malformed) -> Void
  ) throws(Malformed) {
    if let count {
      for _ in 0..<count { try body(&pdu) }
      return
    }
    while pdu.remaining == 0 || pdu.peek() != 0x03 { try body(&pdu) }
    let word = try pdu.word(1, of: tag)
    pdu.part(tag, word, of: 1)
  }

  private func longCount(
    _ octets: Int, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Int {
    Int(clamping: try pdu.unsigned(octets, length))
  }

  private func disagreement(_ pdu: inout PDU<some Sink>) {
    pdu.note(.info, "sources disagree how many octets the number behind it has", over: 1)
  }
}
