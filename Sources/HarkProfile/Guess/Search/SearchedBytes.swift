import HarkCore
import HarkSession

/// A message of a channel, or bytes that it spells, where a key or sealed data may be.
struct SearchedBytes {
  /// Where bytes are in the messages of a channel.
  struct Place: Hashable {
    /// Which of the guesses.
    let channel: Int
    let toServer: Bool
    /// How a profile calls them: `_`, or a member of a message in a general encoding.
    let expression: String
  }

  let place: Place
  let bytes: [UInt8]
  /// The packet that ends the message.
  let frame: UInt32
  /// UUIDs beside them, and texts that are as long as one, by the expressions for them.
  var texts: [(expression: String, text: String)] = []
  /// How the message begins, if they are a word of it.
  var lead: [UInt8] = []
  /// The other members of the message that may say what it is.
  var marks: [Mark] = []

  /// A number or a short text, as expressions.
  struct Mark: Hashable {
    let member: String
    let value: String
  }

  /// What the members of a message hold.
  private struct Members {
    var bytes: [(expression: String, bytes: [UInt8])] = []
    var texts: [(expression: String, text: String)] = []
    var marks: [Mark] = []
  }

  /// More of a channel are not looked at.
  private static let mostMessages = 1_024
  private static let deepest = 5
  static let shortestText = 36
  private static let uuidSize = 16
  /// Items of an array that are looked at.
  private static let mostItems = 4
  private static let mostMarks = 8
  private static let longestMark = 16

  /// All of the channels, in the order of the capture.
  /// - Parameter isOpened: Whether messages are read in the encoding that they have after a header.
  static func all(_ guesses: [ChannelGuess], isOpened: Bool) -> [SearchedBytes] {
    guesses.enumerated().flatMap { of($1, $0, isOpened: isOpened) }.sorted { $0.frame < $1.frame }
  }

  static func of(
    _ guess: ChannelGuess, _ channel: Int, isOpened: Bool
  ) -> [SearchedBytes] {
    let messages = Array(guess.made.searched.prefix(mostMessages))
    guard isOpened, let content = guess.made.content else {
      return of(messages, guess.encoding, channel)
    }
    return of(content.of(messages), content.encoding, channel)
  }

  /// Those of messages that a profile cuts.
  static func of(
    _ samples: [Sample], _ encoding: GuessedEncoding?, _ channel: Int
  ) -> [SearchedBytes] {
    samples.flatMap { sample -> [SearchedBytes] in
      func place(_ expression: String) -> Place {
        Place(channel: channel, toServer: sample.toServer, expression: expression)
      }
      guard let value = encoding?.read(sample.bytes) else {
        return [SearchedBytes(place: place("_"), bytes: sample.bytes, frame: sample.frame)]
          + words(of: sample, place)
      }
      var members = Members()
      var isProtobuf = false
      if case .protobuf = encoding { isProtobuf = true }
      collect(value, "", 0, isProtobuf: isProtobuf, &members)
      return members.bytes.map { member in
        SearchedBytes(
          place: place(member.expression), bytes: member.bytes, frame: sample.frame,
          texts: members.texts, marks: members.marks)
      }
    }
  }

  private static func collect(
    _ value: ProfileValue, _ path: String, _ depth: Int, isProtobuf: Bool,
    _ members: inout Members
  ) {
    switch value {
    case .bytes(let bytes):
      if bytes.count == uuidSize, let uuid = BluetoothUUID(bigEndian: bytes.raw) {
        members.texts.append(("\(path).uuid", uuid.long))
      }
      guard isProtobuf else { return members.bytes.append((path, bytes)) }
      // Without a schema, texts and messages are bytes. What is a text is no key, and not sealed.
      if let text = String(validating: bytes, as: UTF8.self),
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      {
        return collect(.text(text), "\(path).to_s", depth, isProtobuf: false, &members)
      }
      members.bytes.append((path, bytes))
      let inner = ProtobufReader.read(bytes)
      if depth < deepest, inner.problem == nil, inner.trailing == nil {
        collect(inner.value, "\(path).message", depth + 1, isProtobuf: true, &members)
      }
    case .int(let number): mark(path, "\(number)", &members)
    case .text(let text):
      if text.utf8.count == shortestText { members.texts.append((path, text)) }
      if let spelled = spelled(text) {
        members.bytes.append(("\(path).\(spelled.method)", spelled.bytes))
      }
      if text.utf8.count <= longestMark, isName(text) { mark(path, "\"\(text)\"", &members) }
    case .object(let object) where depth < deepest:
      for (name, value) in zip(object.names, object.values) {
        guard let member = member(name, of: path) else { continue }
        collect(value, member, depth + 1, isProtobuf: isProtobuf, &members)
      }
    case .array(let items) where depth < deepest:
      for (index, item) in items.prefix(mostItems).enumerated() {
        collect(
          item, "\(path.isEmpty ? "_" : path)[\(index)]", depth + 1, isProtobuf: isProtobuf,
          &members)
      }
    default: break
    }
  }

  private static func mark(_ member: String, _ value: String, _ members: inout Members) {
    guard members.marks.count < mostMarks, !member.isEmpty else { return }
    members.marks.append(Mark(member: member, value: value))
  }

  /// The expression for a member; nil if none has it. Keys of CBOR's maps are mostly small numbers.
  private static func member(_ name: String, of path: String) -> String? {
    if isName(name) { return path.isEmpty ? name : "\(path).\(name)" }
    guard name.utf8.count <= 9, let number = Int(name), number >= 0, "\(number)" == name else {
      return nil
    }
    return "\(path.isEmpty ? "_" : path)[\(name)]"
  }

  /// Whether an expression can have it as a name. KSY reference, "identifier".
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !["true", "false", "and", "or", "not"].contains(name) else {
      return false
    }
    return (first >= 0x61 && first <= 0x7A || first >= 0x41 && first <= 0x5A)
      && name.utf8.allSatisfy {
        $0 == 0x5F || $0 >= 0x30 && $0 <= 0x39 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A
      }
  }

  /// The bytes that a text spells in hexadecimal digits or base64.
  static func spelled(_ text: String) -> (method: String, bytes: [UInt8])? {
    guard text.utf8.count >= shortestText, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    if text.utf8.allSatisfy({ Hex.value(of: $0) != nil }) {
      return Hex.bytes(text).map { ("hex", $0) }
    }
    if let bytes = try? Base64.decode(text) { return ("base64", bytes) }
    return Base64.decode(text.utf8).map { ("base64url", $0) }
  }
}

extension GuessedEncoding {
  /// The value that a message is; nil for those without names for its members.
  func read(_ message: [UInt8]) -> ProfileValue? {
    switch self {
    case .json: JSONReader.read(message).value
    case .cbor: CBORReader.read(message).value
    case .plist: PropertyListReader.read(message).value
    case .opack: OPACKReader.read(message).value
    case .messagePack: MessagePackReader.read(message).value
    case .protobuf: ProtobufReader.read(message).value
    }
  }
}
