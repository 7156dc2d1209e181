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

  /// More of a channel are not looked at.
  private static let mostMessages = 1_024
  private static let deepest = 5
  private static let shortestText = 36
  private static let uuidSize = 16
  /// Items of an array that are looked at.
  private static let mostItems = 4

  /// All of the channels, in the order of the capture.
  /// - Parameter isOpened: Whether messages are read in the encoding that they have after a header.
  static func all(_ guesses: [ChannelGuess], isOpened: Bool) -> [SearchedBytes] {
    guesses.enumerated().flatMap { of($1, $0, isOpened: isOpened) }.sorted { $0.frame < $1.frame }
  }

  private static func of(
    _ guess: ChannelGuess, _ channel: Int, isOpened: Bool
  ) -> [SearchedBytes] {
    let messages = Array(guess.searchedMessages.prefix(mostMessages))
    guard isOpened, let content = guess.content else {
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
        var found = [SearchedBytes(place: place("_"), bytes: sample.bytes, frame: sample.frame)]
        if let spelled = Self.spelled(String(decoding: sample.bytes, as: UTF8.self)) {
          found.append(
            SearchedBytes(
              place: place("_.to_s.\(spelled.method)"), bytes: spelled.bytes, frame: sample.frame))
        }
        return found
      }
      var members: [(expression: String, bytes: [UInt8])] = []
      var texts: [(expression: String, text: String)] = []
      var isProtobuf = false
      if case .protobuf = encoding { isProtobuf = true }
      collect(value, "", 0, isProtobuf: isProtobuf, &members, &texts)
      return members.map { member in
        SearchedBytes(
          place: place(member.expression), bytes: member.bytes, frame: sample.frame,
          texts: texts)
      }
    }
  }

  private static func collect(
    _ value: ProfileValue, _ path: String, _ depth: Int, isProtobuf: Bool,
    _ members: inout [(expression: String, bytes: [UInt8])],
    _ texts: inout [(expression: String, text: String)]
  ) {
    switch value {
    case .bytes(let bytes):
      if bytes.count == uuidSize, let uuid = BluetoothUUID(bigEndian: bytes.raw) {
        texts.append(("\(path).uuid", uuid.long))
      }
      guard isProtobuf else { return members.append((path, bytes)) }
      // Without a schema, texts and messages are bytes. What is a text is no key, and not sealed.
      if let text = String(validating: bytes, as: UTF8.self),
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      {
        return collect(
          .text(text), "\(path).to_s", depth, isProtobuf: false, &members, &texts)
      }
      members.append((path, bytes))
      let inner = ProtobufReader.read(bytes)
      if depth < deepest, inner.problem == nil, inner.trailing == nil {
        collect(inner.value, "\(path).message", depth + 1, isProtobuf: true, &members, &texts)
      }
    case .text(let text):
      if text.utf8.count == shortestText { texts.append((path, text)) }
      if let spelled = spelled(text) {
        members.append(("\(path).\(spelled.method)", spelled.bytes))
      }
    case .object(let object) where depth < deepest:
      for (name, value) in zip(object.names, object.values) {
        guard let member = member(name, of: path) else { continue }
        collect(
          value, member, depth + 1, isProtobuf: isProtobuf, &members, &texts)
      }
    case .array(let items) where depth < deepest:
      for (index, item) in items.prefix(mostItems).enumerated() {
        collect(
          item, "\(path.isEmpty ? "_" : path)[\(index)]", depth + 1, isProtobuf: isProtobuf,
          &members, &texts)
      }
    default: break
    }
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
  private static func spelled(_ text: String) -> (method: String, bytes: [UInt8])? {
    guard text.utf8.count >= shortestText, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    if text.utf8.allSatisfy({ Hex.value(of: $0) != nil }) {
      return Hex.bytes(text).map { ("hex", $0) }
    }
    if let bytes = try? Base64.decode(text) { return ("base64", bytes) }
    return Base64.decode(text.utf8).map { ("base64url", $0) }
  }
}

extension ChannelGuess {
  /// The messages that values make, as far as that is known.
  var searchedMessages: [Sample] {
    let samples = Samples(traffic.values.map { Sample($0) })
    if let made = AssemblyTrial.find(
      samples, isStream: traffic.isStream, isTentative: isTentative
    ).messages {
      return made
    }
    return searchedFragments?.messages(samples) ?? samples.all.filter(\.isStep)
  }

  /// Whether bits of a byte show which values are parts of one message.
  var searchedFragments: FragmentTrial? {
    let samples = Samples(traffic.values.map { Sample($0) })
    switch assembly {
    case .none where encoding == nil, .runs where isTentative:
      return FragmentTrial.find(samples, isTentative: isTentative)
    default: return nil
    }
  }
}

/// A general encoding that messages have after a header of the vendor's, such as a type and a length.
struct GuessedContent {
  /// The size of the header.
  let skipped: Int
  let encoding: GuessedEncoding

  private static let mostSkipped = 8

  static func find(_ messages: [Sample]) -> GuessedContent? {
    for skipped in 0...mostSkipped {
      guard messages.allSatisfy({ $0.bytes.count > skipped }) else { return nil }
      if let encoding = EncodingTrial.find(messages.map { Array($0.bytes.dropFirst(skipped)) }) {
        return GuessedContent(skipped: skipped, encoding: encoding)
      }
    }
    return nil
  }

  func of(_ messages: [Sample]) -> [Sample] {
    messages.map {
      Sample(
        Array($0.bytes.dropFirst(skipped)), frame: $0.frame, toServer: $0.toServer,
        isStep: $0.isStep)
    }
  }
}

extension ChannelGuess {
  /// What is in messages that are in no general encoding as a whole.
  var content: GuessedContent? {
    guard encoding == nil else { return nil }
    return GuessedContent.find(searchedMessages)
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
