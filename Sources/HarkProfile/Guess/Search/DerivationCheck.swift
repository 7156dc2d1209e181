import HarkCrypto
import HarkSession

/// Compares what a profile derives keys with, and what opens the messages. A difference in what an expression takes is
/// likely a mistake of the profile; one that only firmware makes, such as an identifier in lower case, is not.
public struct DerivationCheck {
  /// An expression of the profile, and what opens messages instead of its value.
  public struct Mistake: Hashable, Sendable {
    /// In the profile's file.
    public let line: Int
    public let column: Int
    public let words: String
  }

  private let profile: Profile
  /// Messages with a key or sealed data, as the profile cuts them.
  private var messages: [MessageTreeText] = []
  /// How many messages opened, and with which values that the profile does not give.
  private var opened = 0
  private var others: [Other: Int] = [:]
  /// HPKE's info of those.
  private var infos: Set<String> = []

  private static let mostMessages = 1_024
  private static let mostInfos = 16

  private struct Other: Hashable {
    let member: String
    let rule: String
    let taken: String
    let used: String
  }

  private static let sealing = "transport.message"
  private static let exchange = "security.encapsulated-key"

  public init(_ profile: Profile) { self.profile = profile }

  /// Takes a message that the profile cut.
  public mutating func take(_ message: MessageTreeText) {
    guard let kind = message.rule?.kind, [Self.sealing, Self.exchange].contains(kind) else {
      return
    }
    if messages.count < Self.mostMessages { messages.append(message) }
  }

  /// Takes what opened a message.
  public mutating func take(_ use: KeyUse) {
    opened += 1
    if let info = use.exchange?.derivation.info, infos.count < Self.mostInfos { infos.insert(info) }
    for deviation in use.deviations {
      guard let other = Self.other(deviation) else { continue }
      others[other, default: 0] += 1
    }
  }

  /// Nil if firmware is as likely to be wrong: it spells a text in another way, or omits it.
  private static func other(_ deviation: NonstandardDerivation) -> Other? {
    switch deviation {
    case .identifier(let used?, let expected) where isOther(used, expected):
      Other(member: "identifier", rule: exchange, taken: expected, used: used)
    case .session(let used?, let expected) where isOther(used, expected):
      Other(member: "session-id", rule: sealing, taken: expected, used: used)
    default: nil
    }
  }

  private static func isOther(_ used: String, _ expected: String) -> Bool {
    !used.isEmpty && used.lowercased() != expected.lowercased()
      && used.lowercased() != expected.filter { $0 != "-" }.lowercased()
  }

  /// The expressions that are likely wrong.
  /// - Parameter ring: With the private keys that the search uses where nothing opened.
  public func mistakes(_ ring: inout KeyRing) -> [Mistake] {
    opened > 0 ? ofOpened : ofLocked(&ring)
  }

  /// Only what is so in each message: otherwise a device deviated.
  private var ofOpened: [Mistake] {
    var counts: [String: Int] = [:]
    for (other, count) in others { counts[other.member, default: 0] += count }
    var found: [Mistake] = []
    var reported: Set<String> = []
    for (other, _) in others.sorted(by: {
      ($0.key.member, $0.key.used) < ($1.key.member, $1.key.used)
    })
    where counts[other.member] == opened && reported.insert(other.member).inserted {
      let rule = messages.lazy.compactMap(\.rule).first { $0.kind == other.rule }
      guard let member = rule?.members.first(where: { $0.name == other.member }) else { continue }
      found.append(
        mistake(member, "'\(other.member)' derives with `\(other.taken)`", "`\(other.used)`"))
    }
    if let ofVersion { found.append(ofVersion) }
    return found
  }

  /// A version that the profile takes, where the one that phones use opens the messages.
  private var ofVersion: Mistake? {
    let rule = messages.lazy.compactMap(\.rule).first { $0.kind == Self.exchange }
    let usual = CipherSuite.versionSpellings[0]
    guard let member = rule?.members.first(where: { $0.name == "version" }),
      let taken = member.text,
      taken != usual, !infos.isEmpty,
      infos.allSatisfy({ $0.split(separator: "-").dropFirst().first ?? "" == usual })
    else { return nil }
    return mistake(member, "'version' derives with `\(taken)`", "`\(usual)`")
  }

  private func mistake(_ member: RuleReading.Member, _ derives: String, _ opens: String) -> Mistake
  {
    Mistake(
      line: member.line, column: member.column,
      words: "the profile's \(derives), but the messages decrypt with \(opens)")
  }

  // MARK: Messages that stay locked

  /// Looks in the messages themselves for what opens them.
  private func ofLocked(_ ring: inout KeyRing) -> [Mistake] {
    let channels = messages.map(\.channel).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let pieces = messages.flatMap { message -> [SearchedBytes] in
      let toServer =
        profile.outlines.first { $0.channel?.described == message.channel }?.direction
        != .accessoryToHost
      let sample = Sample(
        message.bytes, frame: message.frames.last?.number ?? 0, toServer: toServer, isStep: true)
      return SearchedBytes.of(
        [sample], GuessedEncoding(title: message.encoding),
        channels.firstIndex(of: message.channel) ?? 0)
    }
    guard let search = KeySearch.find(in: pieces, &ring) else { return [] }
    var found = ofExchange(search)
    for group in search.sealed {
      for message in group.messages {
        for mistake in of(message, group) where !found.contains(where: { $0.line == mistake.line })
        {
          found.append(mistake)
        }
      }
    }
    // Everything is taken from the right bytes: the suite is left.
    if found.isEmpty, search.isUsual, let rule = reading(Self.exchange, at: search.keyFrame) {
      found.append(
        Mistake(
          line: rule.line, column: rule.column,
          words:
            "the profile gives this exchange another cipher suite, but the messages decrypt with "
            + search.suite.name))
    }
    return found
  }

  private func reading(_ kind: String, at frame: UInt32) -> RuleReading? {
    messages.first { $0.rule?.kind == kind && $0.frames.last?.number == frame }?.rule
  }

  private func ofExchange(_ search: KeySearch) -> [Mistake] {
    guard let rule = reading(Self.exchange, at: search.keyFrame) else { return [] }
    var found: [Mistake] = []
    if let key = rule.members.first(where: { $0.name == "key" }) {
      // With or without the 04 in front.
      let fits = [search.keyBytes, [4] + search.keyBytes, Array(search.keyBytes.dropFirst())]
        .contains {
          key.value == ProfileValue.bytes($0).summary
        }
      if !fits, key.value != RuleReading.Member.hidden {
        found.append(
          mistake(
            key, "'key' takes \(key.value ?? "nothing")", "the key in \(search.key.described)"))
      }
    }
    let identifier = rule.members.first { $0.name == "identifier" }
    let taken = identifier?.text ?? ""
    if Self.isOther(search.identifierText, taken) {
      let derives =
        identifier == nil
        ? "rule has no 'identifier'" : "'identifier' derives with `\(taken)`"
      let place =
        identifier
        ?? RuleReading.Member(
          "identifier", line: rule.line, column: rule.column, value: nil, isRequired: false)
      found.append(
        mistake(place, derives, "`\(search.identifierText)`, \(Self.place(search.identifier))"))
    }
    return found
  }

  private static func place(_ source: KeySearch.Source) -> String {
    if case .fixed = source { "of the key file" } else { source.described }
  }

  private func of(_ message: KeySearch.Message, _ group: KeySearch.Sealed) -> [Mistake] {
    guard let rule = reading(Self.sealing, at: message.frame) else { return [] }
    var found: [Mistake] = []
    if let session = rule.members.first(where: { $0.name == "session-id" }) {
      let (taken, used) = (session.text ?? "", message.session ?? "")
      if used.lowercased() != taken.lowercased() {
        let opens = used.isEmpty ? "no session" : "`\(used)`, \(Self.place(group.session))"
        found.append(mistake(session, "'session-id' derives with `\(taken)`", opens))
      }
    }
    if let data = rule.members.first(where: { $0.name == "data" }),
      data.value != RuleReading.Member.hidden,
      data.value != ProfileValue.bytes(message.sealed).summary
    {
      found.append(
        mistake(
          data, "'data' takes \(data.value ?? "nothing")", "the bytes \(group.part.described)"))
    }
    return found
  }
}

extension RuleReading.Member {
  /// The value of a text without its quotation marks.
  fileprivate var text: String? {
    guard let value, value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else {
      return value
    }
    return String(value.dropFirst().dropLast())
  }
}

extension GuessedEncoding {
  /// Of those that name the members of messages; the title is that of a profile's encoding.
  fileprivate init?(title: String) {
    switch title {
    case Encoding.json.title: self = .json([])
    case Encoding.cbor.title: self = .cbor([])
    case Encoding.propertyList.title: self = .plist
    case Encoding.opack.title: self = .opack([])
    case Encoding.messagePack.title: self = .messagePack([])
    case _ where title.hasPrefix(Encoding.protobuf(nil, type: 0).title): self = .protobuf
    default: return nil
    }
  }
}
