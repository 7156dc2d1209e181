/// One part of a derivation that is not what Apple's phones use.
public enum NonstandardDerivation: Hashable, Sendable {
  case suite(used: String, expected: String)
  case version(used: String, expected: String)
  /// Nil stands for a part left out together with its hyphen.
  case identifier(used: String?, expected: String)
  case session(used: String?, expected: String)
  /// The context names the other direction; this one.
  case direction(used: MessageDirection)
  /// Instead of the info string the context holds the description of a Data with that string, as
  /// Apple's sample code gives when taken literally: `50 bytes-HostToAccessory-…`.
  case sampleCode(byteCount: Int)
  /// The KEM took the recipient's public key without its leading 04.
  case rawPublicKey
  /// HPKE gets a string with the NUL that terminates it in C.
  case terminator(inInfo: Bool, inContext: Bool)
  /// HPKE gets no info.
  case emptyInfo
  case directionSpelling(used: String, expected: String)
  /// The strings contain a UUID as 16 bytes instead of as text: in the order of its digits, or in reverse order.
  case identifierBytes(isReversed: Bool, expected: String)
  case sessionBytes(isReversed: Bool, expected: String)
  /// The key is not what HPKE exports.
  case keySource(ExchangeSecret)
  /// The exchange was made with another public key than the one last announced.
  case otherPublicKey(used: Fingerprint, announced: Fingerprint)
  /// The key file lists the session key for another direction or session than the message's: the file may be wrong, or
  /// the sender.
  case listedFor(direction: MessageDirection?, session: String?)

  /// The part that is wrong, in one or two words.
  public var part: String {
    switch self {
    case .suite: "suite spelling"
    case .version: "version spelling"
    case .identifier, .identifierBytes: "identifier"
    case .session, .sessionBytes: "session UUID"
    case .direction: "direction"
    case .sampleCode: "sample-code trap"
    case .rawPublicKey: "public key form"
    case .terminator: "string terminator"
    case .emptyInfo: "info"
    case .directionSpelling: "direction spelling"
    case .keySource: "key"
    case .otherPublicKey: "public key"
    case .listedFor: "key file"
    }
  }

  /// A clause on who does what: ``the firmware uses `version1`, Apple's phones send `Version1` ``.
  /// - Parameter direction: Of the message: its sender chose the derivation.
  public func clause(_ direction: MessageDirection) -> String {
    let sender = direction.sender
    return switch self {
    case .suite(let used, let expected), .version(let used, let expected):
      direction == .accessoryToHost
        ? "\(sender) uses `\(used)`; Apple's phones use `\(expected)`"
        : "\(sender) uses `\(used)` instead of the usual `\(expected)`"
    case .identifier(let used, let expected):
      "\(sender) \(Self.difference("identifier", used, expected))"
    case .session(let used, let expected):
      "\(sender) \(Self.difference("session UUID", used, expected))"
    case .direction(let used):
      "\(sender) derives the key for `\(used.rawValue)`, but the message goes "
        + "`\(used.opposite.rawValue)`"
    case .sampleCode(let count):
      "\(sender) derives the key from the text `\(count) bytes` instead of the info string: "
        + "Apple's sample code puts a Data into the string"
    case .rawPublicKey:
      "\(sender) passes the public key to the KEM as 64 bytes X‖Y; HPKE requires 65 with a leading 04"
    case .terminator(let inInfo, let inContext):
      "\(sender) passes the "
        + (inInfo ? inContext ? "info and the context" : "info" : "context")
        + " to HPKE with the NUL byte that terminates a C string"
    case .emptyInfo:
      "\(sender) passes an empty info to HPKE"
    case .directionSpelling(let used, let expected):
      "\(sender) uses `\(used)` instead of `\(expected)`"
    case .identifierBytes(let isReversed, let expected):
      "\(sender) \(Self.binary("identifier", isReversed, expected))"
    case .sessionBytes(let isReversed, let expected):
      "\(sender) \(Self.binary("session UUID", isReversed, expected))"
    case .keySource(let source):
      "\(sender) \(Self.used(source))"
    case .otherPublicKey(let used, let announced):
      "the exchange used public key \(used), but the accessory announced \(announced)"
    case .listedFor(let listed, let session):
      "the key file lists it for "
        + [session.map { "session `\($0)`" }, listed.map { "`\($0.rawValue)`" }].compactMap { $0 }
        .joined(separator: ", ")
        + ", but the message belongs to another "
        + (session == nil ? "direction" : listed == nil ? "session" : "session and direction")
        + ": the key file is wrong, or \(sender) uses a wrong key"
    }
  }

  /// One of each case, in all forms of its clause, with empty values: what they say are hark's own words.
  package static let withoutValues: [NonstandardDerivation] = [
    .suite(used: "", expected: ""), .version(used: "", expected: ""),
    .identifier(used: nil, expected: ""), .identifier(used: "", expected: ""),
    .identifier(used: "a", expected: "A"), .identifier(used: "A", expected: "a"),
    .identifier(used: "Aa", expected: "aa"), .identifier(used: "a", expected: "b"),
    .session(used: nil, expected: ""), .direction(used: .hostToAccessory),
    .identifier(used: "aa", expected: "a-a"), .sampleCode(byteCount: 0), .rawPublicKey,
    .terminator(inInfo: true, inContext: true), .terminator(inInfo: true, inContext: false),
    .terminator(inInfo: false, inContext: true), .emptyInfo,
    .directionSpelling(used: "", expected: ""), .identifier(used: "aa", expected: "A-A"),
    .identifierBytes(isReversed: false, expected: ""),
    .identifierBytes(isReversed: true, expected: ""),
    .sessionBytes(isReversed: false, expected: ""),
    .keySource(.exportedReversed), .keySource(.agreement), .keySource(.sharedSecret),
    .keySource(.encryptionKey), .keySource(.exporterSecret),
    .listedFor(direction: .hostToAccessory, session: nil), .listedFor(direction: nil, session: ""),
    .listedFor(direction: .hostToAccessory, session: ""),
  ]

  private static func difference(_ name: String, _ used: String?, _ expected: String) -> String {
    guard let used else { return "omits the \(name)" }
    if used.isEmpty { return "leaves the \(name) empty" }
    if used.lowercased() == expected.lowercased() {
      let form = used == used.lowercased() ? "lower" : used == used.uppercased() ? "upper" : "mixed"
      return "spells the \(name) in \(form) case, `\(used)`; expected: `\(expected)`"
    }
    if used == expected.filter({ $0 != "-" }) {
      return "writes the \(name) without hyphens, `\(used)`; expected: `\(expected)`"
    }
    if used == expected.filter({ $0 != "-" }).lowercased() {
      return
        "writes the \(name) in lower case and without hyphens, `\(used)`; expected: `\(expected)`"
    }
    return "uses a different \(name), `\(used)`; expected: `\(expected)`"
  }

  private static func binary(_ name: String, _ isReversed: Bool, _ expected: String) -> String {
    "writes the \(name) as 16 bytes" + (isReversed ? " in reverse order" : "")
      + " instead of as text; expected: `\(expected)`"
  }

  private static func used(_ source: ExchangeSecret) -> String {
    switch source {
    case .exported: "uses the key that HPKE exports"
    case .exportedReversed: "reverses the bytes of the key that HPKE exports"
    case .agreement: "uses the ECDH shared secret as the key instead of the key that HPKE exports"
    case .sharedSecret:
      "uses the shared secret of the KEM as the key instead of the key that HPKE exports"
    case .encryptionKey: "uses HPKE's own encryption key instead of the key that HPKE exports"
    case .exporterSecret:
      "uses HPKE's exporter secret as the key instead of the key that is exported with it"
    }
  }
}
