import HarkCrypto
import HarkSession

/// Writes guesses as a profile that reads messages with the layouts beside it.
public struct ProfileWriter {
  private var lines = GuessLines()

  /// The text of `profile.yaml` for channels, of which there is at least one.
  /// - Parameter search: What opens with a private key.
  public static func text(
    of guesses: [ChannelGuess], id: String, search: KeySearch? = nil
  ) -> String {
    var writer = ProfileWriter()
    writer.write(guesses, id, search)
    return writer.lines.text
  }

  private mutating func write(_ guesses: [ChannelGuess], _ id: String, _ search: KeySearch?) {
    lines.comment(
      "A starting point from hark dissectors guess: docs/profiles.md lists the kinds of messages."
    )
    lines.line("profile:")
    lines.indented { lines in
      lines.line("id: \(id)")
      let services = Set(guesses.map(\.traffic.service))
      if services.count == 1, let service = services.first ?? nil {
        lines.line("service: \(VendorChannel.characteristic(service).profileKey.value)")
      }
    }
    lines.line("channels:")
    lines.indented { lines in
      for (index, guess) in guesses.enumerated() {
        let alike = guesses.indices.filter { guesses[$0].traffic.channel == guess.traffic.channel }
        let chosen = alike.first { search?.concerns($0) == true } ?? alike.first
        guard chosen == index else {
          lines.comment(
            "\(guess.traffic.channel.described) means something else on "
              + "\(guess.traffic.device ?? "another device"): hark dissectors guess describes it.")
          continue
        }
        if let search, search.concerns(index) {
          Self.write(guess, index, search, to: &lines)
        } else {
          Self.write(guess, to: &lines)
        }
      }
    }
    if let search {
      lines.line("")
      search.writePlaintext(to: &lines)
    }
  }

  /// Where a channel is, and how its messages are put together.
  private static func writePlace(_ guess: ChannelGuess, to lines: inout GuessLines) {
    let place = guess.traffic.channel.profileKey
    lines.line("- \(place.key): \(place.value)")
    lines.indented { lines in
      if case .sentinels(let sentinels) = guess.assembly, sentinels.header > 0 {
        lines.line("wrapper:")
        lines.line("  prefix: \(GuessLines.list(sentinels.prefix))")
        lines.line("  size: \(sentinels.header)")
      }
      writeAssembly(guess.assembly, id: guess.id, to: &lines)
    }
  }

  /// A channel on which a search found keys, or what is sealed with them.
  private static func write(
    _ guess: ChannelGuess, _ index: Int, _ search: KeySearch, to lines: inout GuessLines
  ) {
    lines.comment(guess.summary[0])
    lines.comment("Found by search, with the private key of \(search.publicKey).")
    writePlace(guess, to: &lines)
    lines.indented { lines in
      let content = search.isOpened ? guess.made.content : nil
      guard let fragments = guess.made.fragments else {
        return write(content, guess.encoding, to: &lines) { search.writeRules(index, to: &$0) }
      }
      let flags = "_[\(fragments.offset)]"
      lines.line("encoding: raw")
      lines.line("messages:")
      lines.line("  - is: fragment")
      if fragments.first != 0 { lines.line("    first: \(flags) & \(fragments.first) != 0") }
      lines.line("    more: \(flags) & \(fragments.more) != 0")
      lines.line("    body: _.slice(\(fragments.offset + 1), _.size)")
      lines.indented { lines in
        lines.indented { lines in
          write(content, nil, to: &lines) { search.writeRules(index, to: &$0) }
        }
      }
    }
  }

  /// The encoding of messages, and their rules.
  /// - Parameter content: The encoding that they have after a header.
  private static func write(
    _ content: GuessedContent?, _ encoding: GuessedEncoding?, to lines: inout GuessLines,
    rules: (inout GuessLines) -> Void
  ) {
    guard let content, content.skipped > 0 else {
      lines.line("encoding: \((content?.encoding ?? encoding)?.key ?? "raw")")
      lines.line("messages:")
      lines.indented(rules)
      return
    }
    lines.line("encoding: raw")
    lines.line("messages:")
    lines.line("  - is: envelope")
    lines.line("    body: _.slice(\(content.skipped), _.size)")
    lines.line("    encoding: \(content.encoding.key)")
    lines.line("    messages:")
    lines.indented { $0.indented { $0.indented(rules) } }
  }

  private static func write(_ guess: ChannelGuess, to lines: inout GuessLines) {
    for line in guess.summary { lines.comment(line) }
    writePlace(guess, to: &lines)
    lines.indented { lines in
      if let encoding = guess.encoding {
        write(encoding, to: &lines)
      } else {
        let type = guess.messages.map { $0.isEmpty ? "" : "::message" } ?? ""
        lines.line("encoding: \(guess.id).ksy\(type)")
        let rules = GuessedRule.all(
          guess.messages ?? guess.values, file: "\(guess.id).ksy",
          type: guess.messages == nil ? "" : "message")
        lines.line("messages:")
        lines.indented { write(rules, to: &$0) }
      }
    }
  }

  private static func writeAssembly(
    _ assembly: GuessedAssembly, id: String, to lines: inout GuessLines
  ) {
    switch assembly {
    case .none: break
    case .runs(let runs):
      lines.comment(
        "Values of \(runs.size) bytes come in runs that end with a shorter one: parts of longer "
          + "messages? Find the field that marks them, and see `assembly` in docs/profiles.md.")
    case .sentinels(let sentinels):
      lines.line("assembly:")
      lines.line("  sentinels:")
      lines.line("    start: \(GuessLines.list(sentinels.start))")
      lines.line("    end: \(GuessLines.list(sentinels.end))")
    case .length(let length):
      lines.line("assembly:")
      lines.line("  length:")
      lines.line("    header: \(length.offset + length.integer.size)")
      lines.line("    total: \(total(length))")
    case .sequence(let sequence):
      lines.line("assembly:")
      lines.line("  sequence:")
      lines.line("    encoding: \(id).ksy")
      lines.line("    number: \(sequence.number)")
      lines.line("    \(sequence.last.key): \(sequence.last.value)")
      lines.line("    body: chunk")
    case .cobs: lines.line("assembly: cobs")
    case .slip: lines.line("assembly: slip")
    case .lines: lines.line("assembly: lines")
    }
  }

  /// The size of a message, of its first bytes.
  private static func total(_ length: StreamTrial.Length) -> String {
    let (low, high) = ("_[\(length.offset)]", "_[\(length.offset + 1)]")
    let value =
      switch length.integer {
      case .u1: low
      case .u2le: "\(low) + \(high) * 256"
      case .u2be: "\(low) * 256 + \(high)"
      }
    return length.plus == 0 ? value : "\(value) + \(length.plus)"
  }

  // MARK: Messages

  private static func write(_ encoding: GuessedEncoding, to lines: inout GuessLines) {
    lines.line("encoding: \(encoding.key)")
    for member in encoding.members {
      let name = member.name.filter { $0.isASCII && !$0.isNewline && $0 >= " " && $0 <= "~" }
      let key = member.key.map { ", \($0.described)" } ?? ""
      lines.comment("\(name): \(member.holds)\(key); in \(member.count) of \(member.of)")
    }
    lines.line("messages:")
    lines.indented { lines in
      write(encoding.members.compactMap { GuessedRule($0) }, to: &lines)
    }
  }

  private static func write(_ rules: [GuessedRule], to lines: inout GuessLines) {
    for rule in rules {
      for comment in rule.comments { lines.comment(comment) }
      let pairs =
        (rule.when.map { [("when", $0)] } ?? []) + [("is", rule.kind)] + rule.members
      for (index, pair) in pairs.enumerated() {
        lines.line("\(index == 0 ? "-" : " ") \(pair.0): \(pair.1)")
      }
      if let inner = rule.inner {
        lines.indented { lines in
          lines.line("encoding: \(inner.encoding)")
          lines.line("messages:")
          lines.indented { write(inner.rules, to: &$0) }
        }
      }
    }
    if rules.last?.when != nil || rules.isEmpty {
      lines.comment("Everything else; hark does not describe it yet.")
      lines.line("- is: nothing")
    }
  }
}

/// An item of `messages`.
struct GuessedRule {
  var when: String?
  var kind: String
  var members: [(String, String)] = []
  var comments: [String] = []
  var inner: (encoding: String, rules: [GuessedRule])?

  /// The rules of what `structure` describes, in the type `type` of `file`.
  static func all(
    _ structure: Structure, file: String, type: String, path: String = "", when: String? = nil
  ) -> [GuessedRule] {
    if let fragments = structure.fragments {
      let message = LayoutWriter.typeName(type, "message")
      let encoding = fragments.message.isEmpty ? "raw" : "\(file)::\(message)"
      let rules =
        fragments.message.isEmpty
        ? [] : all(fragments.message, file: file, type: message)
      return [
        GuessedRule(
          when: when, kind: "fragment",
          members: [
            ("first", "\(path)is_first"), ("more", "\(path)has_more"), ("body", "\(path)chunk"),
          ],
          comments: ["\(fragments.evidence)."], inner: (encoding, rules))
      ]
    }
    if let rule = key(structure, path, when) ?? sealed(structure, path, when) { return [rule] }
    var rules: [GuessedRule] = []
    for field in structure.fields {
      guard case .body(_, _, let inner) = field.meaning, !inner.isPlain else { continue }
      rules += all(
        inner, file: file, type: LayoutWriter.typeName(type, field.id),
        path: "\(path)\(field.id).", when: when)
    }
    guard let kind = structure.kind else { return rules }
    for item in structure.cases where !item.structure.isPlain {
      let name = item.value.codeName
      let condition = "\(path)\(kind) == \(LayoutWriter.enumName(type, kind))::\(name)"
      rules += all(
        item.structure, file: file, type: LayoutWriter.typeName(type, "\(kind)_\(name)"),
        path: "\(path)body.", when: condition)
    }
    return rules
  }

  private static func key(
    _ structure: Structure, _ path: String, _ when: String?
  ) -> GuessedRule? {
    for field in structure.fields {
      guard case .key(let shape) = field.meaning else { continue }
      let isPublic = shape == .p256 || shape == .xWing
      var members = [
        ("cipher-suite", shape.suite == .p256 ? "P256" : "XWing"), ("key", "\(path)\(field.id)"),
      ]
      if !isPublic, let text = structure.sizedText { members.append(("identifier", path + text)) }
      return GuessedRule(
        when: when, kind: isPublic ? "security.public-key" : "security.encapsulated-key",
        members: members, comments: ["Guessed from the size of the key; check who sends it."])
    }
    return nil
  }

  /// What is sealed has a session's identifier before it.
  private static func sealed(
    _ structure: Structure, _ path: String, _ when: String?
  ) -> GuessedRule? {
    guard let last = structure.fields.last, case .random(isSealed: true) = last.meaning,
      let text = structure.sizedText
    else { return nil }
    return GuessedRule(
      when: when, kind: "transport.message",
      members: [("session-id", path + text), ("data", path + last.id)],
      comments: [
        "Correct if the text is a session identifier, and the data a nonce, ciphertext and tag."
      ]
    )
  }

  init(
    when: String?, kind: String, members: [(String, String)], comments: [String] = [],
    inner: (encoding: String, rules: [GuessedRule])? = nil
  ) {
    (self.when, self.kind, self.members) = (when, kind, members)
    (self.comments, self.inner) = (comments, inner)
  }

  /// A member of JSON or CBOR that holds a key.
  init?(_ member: GuessedMember) {
    guard let key = member.key, let first = member.name.utf8.first,
      first >= 0x41, member.name.utf8.allSatisfy({ $0.isNamePart })
    else { return nil }
    let isPublic = key == .p256 || key == .xWing
    let value = member.name + (member.spelling.map { ".\($0)" } ?? "")
    self.init(
      when: "\(member.name).exists",
      kind: isPublic ? "security.public-key" : "security.encapsulated-key",
      members: [("cipher-suite", key.suite == .p256 ? "P256" : "XWing"), ("key", value)],
      comments: [key.described])
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: false
    }
  }
}

extension Structure {
  /// The field with text after a length.
  fileprivate var sizedText: String? {
    fields.first { field in
      if case .sized(_, isText: true) = field.meaning { true } else { false }
    }?.id
  }
}
