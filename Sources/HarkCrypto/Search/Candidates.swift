import HarkCore

/// The grid of derivations to try for a message and a key generation, likeliest first.
struct Candidates {
  /// Deviations in one candidate, at most.
  static let mostDeviations = 4

  let suite: CipherSuite
  /// The suite and version as the exchange spelt them on the air, where it did.
  let suiteSeen: String?
  let versionSeen: String?
  /// What phones use here: as in the exchange, else out of the key file, else empty.
  let identifier: String
  /// Whether the exchange carried the identifier: only then can another be called a deviation.
  let isIdentifierSeen: Bool
  /// In upper case if it is a UUID; nil if the message names no session.
  let session: String?
  let direction: MessageDirection
  let otherIdentifiers: [String]
  let otherSessions: [String]

  init(
    generation: KeyGeneration, keyIdentifiers: [String], message: SealedMessage,
    deviceIdentifiers: [String], deviceSessions: [String]
  ) {
    suite = generation.key.suite
    suiteSeen = generation.key.suiteSpelling
    versionSeen = generation.key.version
    identifier = generation.key.identifier ?? keyIdentifiers.first ?? ""
    isIdentifierSeen = generation.key.identifier != nil
    session = message.session.map(Self.standard)
    direction = message.direction
    otherIdentifiers = keyIdentifiers + deviceIdentifiers
    otherSessions = deviceSessions
  }

  /// A UUID in upper case, as Foundation spells one; any other text as it is.
  static func standard(_ session: String) -> String {
    let characters = session.utf8
    let isUUID =
      characters.count == 36
      && characters.allSatisfy { $0 == UInt8(ascii: "-") || Hex.value(of: $0) != nil }
    return isUUID ? session.uppercased() : session
  }

  /// A value of one part, and 1 if it deviates, else 0.
  private struct Choice<Value> {
    let value: Value
    let text: String?
    let weight: Int
  }

  private var suites: [Choice<String>] {
    spellings(suite.spellings, seen: suiteSeen)
  }

  private var versions: [Choice<String>] {
    spellings(CipherSuite.versionSpellings, seen: versionSeen)
  }

  /// What was seen on the air comes first, then what is known to work; neither is a deviation.
  private func spellings(_ known: [String], seen: String?) -> [Choice<String>] {
    let all = (seen.map { [$0] } ?? []) + known
    var choices: [Choice<String>] = []
    for text in all where choices.contains(where: { $0.text == text }) == false {
      let isUsual = text == seen || text == known.first
      choices.append(Choice(value: text, text: text, weight: isUsual ? 0 : 1))
    }
    return choices
  }

  private func parts(_ expected: String?, _ others: [String]) -> [Choice<DerivationVariant.Part>] {
    let parts: [DerivationVariant.Part] =
      [.expected, .upper, .lower, .empty, .missing] + others.prefix(8).map { .other($0) }
    var choices: [Choice<DerivationVariant.Part>] = []
    for part in parts {
      let text = part.text(expected)
      guard choices.contains(where: { $0.text == text }) == false else { continue }
      choices.append(Choice(value: part, text: text, weight: choices.isEmpty ? 0 : 1))
    }
    return choices
  }

  /// Without a session in the message, each that the accessory used before is as likely.
  private var sessions: [Choice<DerivationVariant.Part>] {
    guard session == nil else { return parts(session, otherSessions) }
    return parts(nil, otherSessions).map { choice in
      let isKnown = if case .other = choice.value { true } else { false }
      return Choice(value: choice.value, text: choice.text, weight: isKnown ? 0 : 1)
    }
  }

  /// Calls `body` with each candidate, those with fewest deviations first, until it returns true.
  func first(_ weights: ClosedRange<Int>, where body: (DerivationVariant) -> Bool) {
    let (suites, versions, sessions) = (suites, versions, sessions)
    let identifiers = parts(identifier, otherIdentifiers)
    let forms: [PublicKeyForm] = suite == .p256 ? [.uncompressed, .raw] : [.uncompressed]
    for weight in weights {
      for suite in suites {
        for version in versions {
          for identifier in identifiers {
            let rest = weight - suite.weight - version.weight - identifier.weight
            guard rest >= 0 else { continue }
            var recipe = DerivationVariant(
              suite: suite.value, version: version.value, identifier: identifier.value)
            for session in sessions where session.weight <= rest {
              recipe.session = session.value
              for form in forms {
                recipe.publicKeyForm = form
                let switches = rest - session.weight - (form == .raw ? 1 : 0)
                if flip(&recipe, switches, body) { return }
              }
            }
          }
        }
      }
      if weight == 1, tryMistakes(body) { return }
    }
  }

  /// Mistakes in the strings of the usual derivations, and other secrets of the exchange as the key; true if `body`
  /// returned true.
  private func tryMistakes(_ body: (DerivationVariant) -> Bool) -> Bool {
    var isFound = false
    first(0...0) { usual in
      var tried = [derivation(usual)]
      isFound = StringMistakes.tried.contains { mistakes in
        var recipe = usual
        recipe.mistakes = mistakes
        let made = derivation(recipe)
        guard !tried.contains(made) else { return false }
        tried.append(made)
        return body(recipe)
      }
      return isFound
    }
    if isFound { return true }
    // Most of them depend on few strings or none.
    first(0...0) { usual in
      isFound = ExchangeSecret.allCases.contains { source in
        var recipe = usual
        recipe.source = source
        return source != .exported && (suite == .p256 || source != .agreement) && body(recipe)
      }
      return true
    }
    return isFound
  }

  /// The two switches that are left, `count` of them on.
  private func flip(
    _ recipe: inout DerivationVariant, _ count: Int, _ body: (DerivationVariant) -> Bool
  ) -> Bool {
    let settings: [(Bool, Bool)]
    switch count {
    case 0: settings = [(false, false)]
    case 1: settings = [(true, false), (false, true)]
    case 2: settings = [(true, true)]
    default: return false
    }
    for (isSampleCode, isSwapped) in settings {
      recipe.isSampleCode = isSampleCode
      recipe.isSwapped = isSwapped
      if body(recipe) { return true }
    }
    return false
  }
}

extension Candidates {
  /// The strings a recipe makes here.
  func derivation(_ recipe: DerivationVariant) -> Derivation {
    let mistakes = recipe.mistakes
    var info = DerivationText("\(recipe.suite)-\(recipe.version)")
    Self.append(
      usedIdentifier(recipe), mistakes.contains(.identifierBytes), mistakes, to: &info)
    var context =
      recipe.isSampleCode ? DerivationText("\(info.bytes.count) bytes") : info
    context.append("-\(usedDirection(recipe))")
    Self.append(usedSession(recipe), mistakes.contains(.sessionBytes), mistakes, to: &context)
    if mistakes.contains(.emptyInfo) { info = DerivationText("") }
    if mistakes.contains(.infoTerminator) { info.append("\0") }
    if mistakes.contains(.contextTerminator) { context.append("\0") }
    return Derivation(
      info: info, context: context, publicKeyForm: recipe.publicKeyForm, source: recipe.source)
  }

  private static func append(
    _ part: String?, _ isBytes: Bool, _ mistakes: StringMistakes, to text: inout DerivationText
  ) {
    guard let part else { return }
    text.append("-")
    if isBytes, let bytes = uuidBytes(part) {
      text.append(bytes: mistakes.contains(.reversedBytes) ? bytes.reversed() : bytes)
    } else {
      text.append(part)
    }
  }

  /// The 16 bytes of a UUID in the order of its digits; nil for any other text.
  private static func uuidBytes(_ text: String) -> [UInt8]? {
    text.utf8.count == 36 ? Hex.bytes(text).flatMap { $0.count == 16 ? $0 : nil } : nil
  }

  func usedIdentifier(_ recipe: DerivationVariant) -> String? {
    spelt(recipe.identifier.text(identifier), recipe.mistakes, .identifierHyphens, .identifierCase)
  }

  private func usedSession(_ recipe: DerivationVariant) -> String? {
    spelt(recipe.session.text(session), recipe.mistakes, .sessionHyphens, .sessionCase)
  }

  private func spelt(
    _ text: String?, _ mistakes: StringMistakes, _ hyphens: StringMistakes, _ lower: StringMistakes
  ) -> String? {
    let digits = mistakes.contains(hyphens) ? text?.filter { $0 != "-" } : text
    return mistakes.contains(lower) ? digits?.lowercased() : digits
  }

  private func usedDirection(_ recipe: DerivationVariant) -> String {
    let text = (recipe.isSwapped ? direction.opposite : direction).rawValue
    return recipe.mistakes.contains(.directionCase)
      ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// What is unusual about a recipe here.
  func deviations(_ recipe: DerivationVariant) -> [NonstandardDerivation] {
    var result: [NonstandardDerivation] = []
    let usualSuite = suite.spellings[0]
    if recipe.suite != usualSuite, recipe.suite != suiteSeen {
      result.append(.suite(used: recipe.suite, expected: suiteSeen ?? usualSuite))
    }
    let usualVersion = CipherSuite.versionSpellings[0]
    if recipe.version != usualVersion, recipe.version != versionSeen {
      result.append(.version(used: recipe.version, expected: versionSeen ?? usualVersion))
    }
    let usedIdentifier = usedIdentifier(recipe)
    if isIdentifierSeen, usedIdentifier != identifier {
      result.append(.identifier(used: usedIdentifier, expected: identifier))
    }
    let usedSession = usedSession(recipe)
    if let session, usedSession != session {
      result.append(.session(used: usedSession, expected: session))
    }
    if recipe.isSwapped { result.append(.direction(used: direction.opposite)) }
    if recipe.isSampleCode {
      result.append(.sampleCode(byteCount: derivation(recipe).info.utf8.count))
    }
    if recipe.publicKeyForm == .raw { result.append(.rawPublicKey) }
    let mistakes = recipe.mistakes
    if !mistakes.isDisjoint(with: [.infoTerminator, .contextTerminator]) {
      result.append(
        .terminator(
          inInfo: mistakes.contains(.infoTerminator),
          inContext: mistakes.contains(.contextTerminator)))
    }
    let isReversed = mistakes.contains(.reversedBytes)
    if mistakes.contains(.identifierBytes), Self.uuidBytes(identifier) != nil {
      result.append(.identifierBytes(isReversed: isReversed, expected: identifier))
    }
    if mistakes.contains(.sessionBytes), let session = recipe.session.text(session),
      Self.uuidBytes(session) != nil
    {
      result.append(.sessionBytes(isReversed: isReversed, expected: session))
    }
    if mistakes.contains(.emptyInfo) { result.append(.emptyInfo) }
    if recipe.source != .exported { result.append(.keySource(recipe.source)) }
    if mistakes.contains(.directionCase) {
      result.append(
        .directionSpelling(used: usedDirection(recipe), expected: direction.rawValue))
    }
    return result
  }
}
