import HarkCore
import HarkCrypto

/// In which general encoding messages are, if in one.
enum EncodingTrial {
  /// How much of CBOR and protobuf there has to be: short random bytes may look like them.
  private static let fewestBytes = 32
  private static let fewestTags = 12

  static func find(_ messages: [[UInt8]]) -> GuessedEncoding? {
    let messages = Array(Set(messages))
    guard !messages.isEmpty, messages.allSatisfy({ !$0.isEmpty }) else { return nil }
    if messages.allSatisfy({ $0.starts(with: Array("bplist00".utf8)) }) { return .plist }
    if messages.allSatisfy({ isXMLPropertyList($0) }) { return .plist }
    if let values = decoded(messages, JSONReader.read) { return .json(members(values)) }
    if messages.count >= Least.values, messages.reduce(0, { $0 + $1.count }) >= fewestBytes,
      let values = decoded(messages, CBORReader.read)
    {
      return .cbor(members(values))
    }
    if messages.count >= Least.values, messages.reduce(0, { $0 + $1.count }) >= fewestBytes {
      if let values = named(messages, MessagePackReader.read) {
        return .messagePack(members(values))
      }
      if let values = named(messages, OPACKReader.read) { return .opack(members(values)) }
    }
    return messages.count >= Least.values && ProtobufTrial.fits(messages, tags: fewestTags)
      ? .protobuf : nil
  }

  /// The encoding of other messages if all of these are in it, however few they are; nil otherwise.
  static func again(_ encoding: GuessedEncoding, _ messages: [[UInt8]]) -> GuessedEncoding? {
    guard !messages.isEmpty else { return nil }
    switch encoding {
    case .json: return decoded(messages, JSONReader.read).map { .json(members($0)) }
    case .cbor: return decoded(messages, CBORReader.read).map { .cbor(members($0)) }
    case .opack: return named(messages, OPACKReader.read).map { .opack(members($0)) }
    case .messagePack:
      return named(messages, MessagePackReader.read).map { .messagePack(members($0)) }
    case .plist: return decoded(messages, PropertyListReader.read).map { _ in .plist }
    case .protobuf: return ProtobufTrial.fits(messages, tags: messages.count) ? .protobuf : nil
    }
  }

  private static func isXMLPropertyList(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(256), as: UTF8.self)
    return text.hasPrefix("<?xml") && text.contains("<plist") || text.hasPrefix("<plist")
  }

  /// The objects or arrays that all messages are, each to its end.
  private static func decoded(
    _ messages: [[UInt8]], _ read: ([UInt8]) -> DecodedMessage
  ) -> [ProfileValue]? {
    var values: [ProfileValue] = []
    for message in messages {
      let decoded = read(message)
      guard decoded.problem == nil, decoded.trailing == nil, decoded.faults.isEmpty else {
        return nil
      }
      switch decoded.value {
      case .object(let members) where !members.names.isEmpty: break
      case .array(let items) where !items.isEmpty: break
      default: return nil
      }
      values.append(decoded.value)
    }
    return values
  }

  /// The objects whose members have names of letters, to the end of each message: numbers alone are in most bytes.
  private static func named(
    _ messages: [[UInt8]], _ read: ([UInt8]) -> DecodedMessage
  ) -> [ProfileValue]? {
    guard let values = decoded(messages, read) else { return nil }
    let isNamed = values.allSatisfy { value in
      guard case .object(let object) = value else { return false }
      return object.names.contains {
        $0.utf8.first.map { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A } == true
      }
    }
    return isNamed ? values : nil
  }

  /// The members of objects and what they hold, never what they say: keys may be among it.
  private static func members(_ values: [ProfileValue]) -> [GuessedMember] {
    var members: [String: [ProfileValue]] = [:]
    for case .object(let object) in values {
      for (name, value) in zip(object.names, object.values) {
        guard members.count < 64 || members[name] != nil else { continue }
        members[name, default: []].append(value)
      }
    }
    return members.sorted { $0.key < $1.key }.map { name, held in
      GuessedMember(name: name, count: held.count, of: values.count, values: held)
    }
  }
}

/// An encoding of whole messages.
enum GuessedEncoding {
  case json([GuessedMember])
  case cbor([GuessedMember])
  case plist
  case opack([GuessedMember])
  case messagePack([GuessedMember])
  case protobuf

  var name: String {
    switch self {
    case .json: "JSON"
    case .cbor: "CBOR"
    case .plist: "property list"
    case .opack: "OPACK"
    case .messagePack: "MessagePack"
    case .protobuf: "protobuf"
    }
  }

  var members: [GuessedMember] {
    switch self {
    case .json(let members), .cbor(let members), .opack(let members), .messagePack(let members):
      members
    case .plist, .protobuf: []
    }
  }
}

/// A member of the objects that messages are.
struct GuessedMember {
  let name: String
  let count: Int
  let of: Int
  /// What it holds: `text`, `Base64 of 1120 bytes`.
  let holds: String
  let key: KeyShape?
  /// `base64` or `hex`, where the text spells bytes.
  let spelling: String?

  init(name: String, count: Int, of: Int, values: [ProfileValue]) {
    (self.name, self.count, self.of) = (name, count, of)
    let spelled = Self.bytes(values)
    spelling = spelled?.spelling
    let shapes: [KeyShape] = [.p256Uncompressed, .xWing, .p256, .xWingEncapsulated]
    key = spelled.flatMap { spelled in
      shapes.first { shape in
        spelled.bytes.allSatisfy { shape.fits($0) }
          && (shape.isProvable || Randomness(spelled.bytes).isEven)
      }
    }
    holds = Self.described(values, spelled)
  }

  private static func bytes(
    _ values: [ProfileValue]
  ) -> (bytes: [[UInt8]], spelling: String?)? {
    let raw = values.compactMap { value -> [UInt8]? in
      if case .bytes(let bytes) = value { bytes } else { nil }
    }
    if raw.count == values.count { return (raw, nil) }
    let texts = values.compactMap { value -> String? in
      if case .text(let text) = value { text } else { nil }
    }
    guard texts.count == values.count, texts.allSatisfy({ $0.utf8.count >= 24 }) else {
      return nil
    }
    let hex = texts.compactMap { $0.utf8.allSatisfy(isHexDigit) ? Hex.bytes($0) : nil }
    if hex.count == texts.count { return (hex, "hex") }
    let base64 = texts.compactMap { text -> [UInt8]? in
      try? Base64.decode(text)
    }
    // Words are of the same letters.
    let isMarked = texts.contains { $0.utf8.contains { [0x2B, 0x2F, 0x3D].contains($0) } }
    return base64.count == texts.count && (isMarked || Randomness(base64).isEven)
      ? (base64, "base64") : nil
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { Hex.value(of: byte) != nil }

  private static func described(
    _ values: [ProfileValue], _ spelled: (bytes: [[UInt8]], spelling: String?)?
  ) -> String {
    if let spelled {
      let sizes = StructureAnalysis.span(Set(spelled.bytes.map(\.count)).sorted())
      return spelled.spelling.map { "\($0) of \(sizes)" } ?? sizes
    }
    let kinds = Set(
      values.map { value in
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .int: "integer"
        case .float: "number"
        case .text: "text"
        case .bytes: "bytes"
        case .array: "array"
        case .object: "object"
        }
      })
    return kinds.sorted().joined(separator: " or ")
  }
}
