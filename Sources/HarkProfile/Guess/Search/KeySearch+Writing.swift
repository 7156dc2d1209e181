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
      + "\(count(privateKeys, "private key")): no key decrypts anything"
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
        "  encrypted messages on \(channel(one.part)), \(one.part.described), "
          + "session \(one.session.described): \(one.messages.count) of "
          + "\(one.messages.count + one.locked) values decrypted")
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
    let parts = ([announced, key] + sealed.map(\.part)).compactMap(\.self)
      .filter { $0.place.channel == channel }
    // Members of one message alone may be counters.
    let constant = Set(
      sealed.filter { $0.part.place.channel == channel && $0.messages.count > 1 }
        .flatMap { $0.part.marks.map(\.member) })
    func condition(_ part: Part) -> String { part.condition(beside: parts, constant) }
    if let announced, announced.place.channel == channel {
      lines.line("- when: \(condition(announced))")
      lines.line("  is: security.public-key")
      lines.line("  cipher-suite: \(suite)")
      lines.line("  key: \(announced.expression)")
    }
    if key.place.channel == channel {
      lines.line("- when: \(condition(key))")
      lines.line("  is: security.encapsulated-key")
      lines.line("  cipher-suite: \(suite)")
      lines.line("  key: \(key.expression)")
      if let name = identifier.expression(in: key.base) { lines.line("  identifier: \(name)") }
    }
    for one in sealed where one.part.place.channel == channel {
      lines.line("- when: \(condition(one.part))")
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

  /// What distinguishes messages with it from others: their size, how they begin, and what `members` hold, if that differs
  /// from the `others` of the channel.
  func condition(beside others: [KeySearch.Part], _ members: Set<String>) -> String {
    func begins(_ base: String, _ bytes: [UInt8], besides varying: Set<Int> = []) -> String {
      var text = ""
      var start = 0
      for end in 0...bytes.count where end == bytes.count || varying.contains(end) {
        if start < end {
          let part = GuessLines.list(Array(bytes[start..<end]))
          text += " and \(base).slice(\(start), \(end)) == \(part)"
        }
        start = end + 1
      }
      return text
    }
    let telling = marks.filter { mark in
      members.contains(mark.member)
        && others.contains {
          $0.marks.contains { $0.member == mark.member && $0.value != mark.value }
        }
    }
    let marked = telling.prefix(2).map { " and \($0.member) == \($0.value)" }.joined()
    if let count, base != "_", offset == 0 {
      return "\(base).size == \(count)" + begins(base, prefix, besides: varying) + begins("_", lead)
        + marked
    }
    let least = (count ?? SealedSize.least) + offset + trailing
    return "\(base).size >= \(least)" + begins(base, prefix, besides: varying) + begins("_", lead)
      + marked
  }

  var described: String {
    let of = base == "_" ? "" : " of \(base)"
    guard let count else {
      return "from byte \(offset)\(of) on" + (trailing > 0 ? ", but for the last \(trailing)" : "")
    }
    return "bytes \(offset) to \(offset + count - 1)\(of)"
  }

  private enum SealedSize {
    /// A nonce and a tag.
    static let least = 28
  }
}

extension KeySearch.Source {
  func expression(in base: String) -> String? {
    switch self {
    case .bytes(let offset): "\(Self.slice(base, offset, 16)).uuid"
    case .characters(let offset): "\(Self.slice(base, offset, 36)).to_s"
    case .member(let name): name
    case .fixed(let text): text.isEmpty ? nil : "'\"\(text)\"'"
    }
  }

  private static func slice(_ base: String, _ offset: Int, _ count: Int) -> String {
    func place(_ offset: Int) -> String {
      offset < 0 ? "\(base).size - \(-offset)" : "\(base).size"
    }
    return offset < 0
      ? "\(base).slice(\(place(offset)), \(place(offset + count)))"
      : "\(base).slice(\(offset), \(offset + count))"
  }

  var described: String {
    switch self {
    case .bytes(let offset) where offset < 0: "in 16 bytes, \(-offset) before the end"
    case .bytes(let offset): "in bytes \(offset) to \(offset + 15)"
    case .characters(let offset) where offset < 0: "in the text \(-offset) bytes before the end"
    case .characters(let offset): "in the text at byte \(offset)"
    case .member(let name): "in \(name)"
    case .fixed(let text): text.isEmpty ? "without a name" : text
    }
  }
}
