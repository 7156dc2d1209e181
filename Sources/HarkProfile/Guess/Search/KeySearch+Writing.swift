import HarkCrypto
import HarkSession

// What a search found, for people and as the rules of a profile.
extension KeySearch {
  /// What people read if nothing opens.
  /// - Parameters:
  ///   - channels: How many were searched.
  ///   - privateKeys: With how many.
  public static func failure(channels: Int, privateKeys: Int) -> String {
    guard privateKeys > 0 else {
      return "Not searched for a key exchange: no private key of an accessory is known"
    }
    return "Searched \(count(channels, "channel")) for a key exchange with "
      + "\(count(privateKeys, "private key")): nothing opens"
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }

  /// Some lines about what was found and where.
  public func summary(_ guesses: [ChannelGuess]) -> [String] {
    func channel(_ part: Part) -> String { guesses[part.place.channel].traffic.channel.described }
    var lines = [
      "Found by search, with the private key of \(publicKey): an exchange of \(suite.name), and "
        + "\(Self.count(messages.count, "message")) that open\(messages.count == 1 ? "s" : "")"
    ]
    if let announced {
      lines.append("  public key of the accessory on \(channel(announced)), \(announced.described)")
    }
    lines.append(
      "  encapsulated key on \(channel(key)), \(key.described), packet \(keyFrame); info `\(info)`"
        + (isUsual ? "" : ", which Apple's phones do not use"))
    for one in sealed {
      lines.append(
        "  sealed messages on \(channel(one.part)), \(one.part.described), "
          + "session \(one.session.described): \(one.messages.count) of "
          + "\(one.messages.count + one.locked) values open")
    }
    return lines
  }

  /// Whether it found something on a channel.
  func concerns(_ channel: Int) -> Bool {
    key.place.channel == channel || announced?.place.channel == channel
      || sealed.contains { $0.part.place.channel == channel }
  }

  /// The rules of a channel. What no rule has a word for is nothing.
  func writeRules(_ channel: Int, to lines: inout GuessLines) {
    let suite = suite == .p256 ? "P256" : "XWing"
    if let announced, announced.place.channel == channel {
      lines.line("- when: \(announced.condition)")
      lines.line("  is: security.public-key")
      lines.line("  cipher-suite: \(suite)")
      lines.line("  key: \(announced.expression)")
    }
    if key.place.channel == channel {
      lines.line("- when: \(key.condition)")
      lines.line("  is: security.encapsulated-key")
      lines.line("  cipher-suite: \(suite)")
      lines.line("  key: \(key.expression)")
      if let name = identifier.expression(in: key.base) { lines.line("  identifier: \(name)") }
    }
    for one in sealed where one.part.place.channel == channel {
      lines.line("- when: \(one.part.condition)")
      lines.line("  is: transport.message")
      lines.line("  session-id: \(one.session.expression(in: one.part.base) ?? "'\"\"'")")
      lines.line("  data: \(one.part.expression)")
    }
    lines.line("- is: nothing")
  }

  /// How what was sealed is read.
  func writePlaintext(to lines: inout GuessLines) {
    lines.line("plaintext:")
    for direction in MessageDirection.allCases {
      let texts = messages.filter { $0.direction == direction }.map(\.plaintext)
      guard !texts.isEmpty else { continue }
      let encoding = EncodingTrial.find(texts)
      lines.line("  - from: \(direction == .hostToAccessory ? "phone" : "accessory")")
      lines.line("    encoding: \(encoding?.key ?? "raw")")
      for member in encoding?.members ?? [] {
        lines.comment("  \(GuessLines.quoted(member.name)): \(member.holds)")
      }
      lines.line("    messages:")
      lines.line("      - is: nothing")
    }
  }
}

extension GuessedEncoding {
  /// As profiles spell it.
  var key: String {
    switch self {
    case .json: "json"
    case .cbor: "cbor"
    case .plist: "plist"
    case .opack: "opack"
    case .messagePack: "msgpack"
    case .protobuf: "protobuf"
    }
  }
}

extension KeySearch.Part {
  /// What precedes `slice`.
  var base: String { place.expression }

  var expression: String {
    switch (offset, count, trailing) {
    case (0, nil, 0): base
    case (_, let count?, _): "\(base).slice(\(offset), \(offset + count))"
    case (_, nil, 0): "\(base).slice(\(offset), \(base).size)"
    case (_, nil, _): "\(base).slice(\(offset), \(base).size - \(trailing))"
    }
  }

  /// What distinguishes messages with it from others: their size, and how they begin.
  var condition: String {
    if let count, base != "_", offset == 0 { return "\(base).size == \(count)" }
    let least = (count ?? SealedSize.least) + offset + trailing
    let begin =
      prefix.isEmpty ? "" : " and \(base).slice(0, \(prefix.count)) == \(GuessLines.list(prefix))"
    return "\(base).size >= \(least)" + begin
  }

  var described: String {
    count == nil
      ? "from byte \(offset) on" + (trailing > 0 ? ", but for the last \(trailing)" : "")
      : "bytes \(offset) to \(offset + (count ?? 0) - 1)"
  }

  private enum SealedSize {
    /// A nonce and a tag.
    static let least = 28
  }
}

extension KeySearch.Source {
  func expression(in base: String) -> String? {
    switch self {
    case .bytes(let offset): "\(base).slice(\(offset), \(offset + 16)).uuid"
    case .characters(let offset): "\(base).slice(\(offset), \(offset + 36)).to_s"
    case .member(let name): name
    case .fixed(let text): text.isEmpty ? nil : "'\"\(text)\"'"
    }
  }

  var described: String {
    switch self {
    case .bytes(let offset): "in bytes \(offset) to \(offset + 15)"
    case .characters(let offset): "in the text at byte \(offset)"
    case .member(let name): "in \(name)"
    case .fixed(let text): text.isEmpty ? "without a name" : text
    }
  }
}
