import HarkCore
import HarkCrypto
import HarkSession

/// A vendor's framing as a profile describes it.
struct ProfileFraming: VendorFraming {
  let profile: Profile

  init(_ profile: Profile) { self.profile = profile }

  var name: String { profile.name }
  var service: BluetoothUUID? { profile.service }
  var channels: [VendorChannel] { profile.channels.map(\.channel) }

  var sentinels: [Sentinels] {
    var found: [Sentinels] = []
    for channel in profile.channels {
      guard case .sentinels(let start, let end) = channel.assembly else { continue }
      let sentinels = Sentinels(framing: name, start: start, end: end)
      if !found.contains(sentinels) { found.append(sentinels) }
    }
    return found
  }

  var statedTexts: Set<String> { profile.statedTexts }

  func carriesKeys(_ channel: VendorChannel) -> Bool {
    profile.places[channel].map { profile.channels[$0].hidesValues } ?? false
  }

  func makeAssembler() -> any VendorAssembler { ProfileAssembler(profile) }

  func decode(plaintext: [UInt8], direction: MessageDirection) -> DecodedPlaintext {
    var result = DecodedPlaintext()
    guard !plaintext.isEmpty else {
      result.problem = .empty
      return result
    }
    var isFirst = true
    let candidates = profile.plaintexts.filter { $0.direction ?? direction == direction }
    // Whichever of them it is, or none: what cannot be read may hold a password or a key as well.
    result.isSecret = candidates.contains(where: \.mayBeSecret)
    for candidate in candidates {
      if let when = candidate.when {
        var evaluator = Evaluator(.bytes(plaintext))
        guard evaluator.value(when).bool == true else { continue }
      }
      var found = Self.decode(plaintext, candidate.contents)
      found.decoded.isSecret =
        found.isKnown ? candidate.isSecret || candidate.contents.marksKeysInside : result.isSecret
      if found.isKnown { return found.decoded }
      // The first reading is the most informative.
      if isFirst { result = found.decoded }
      isFirst = false
    }
    if isFirst, !candidates.isEmpty, let type = plaintext.first {
      result.problem = .unknownType(type)
    }
    return result
  }

  func values(plaintext: [UInt8], direction: MessageDirection) -> [MessageValue] {
    let candidates = profile.plaintexts.filter { $0.direction ?? direction == direction }
    var first: Profile.Contents?
    for candidate in candidates {
      if let when = candidate.when {
        var evaluator = Evaluator(.bytes(plaintext))
        guard evaluator.value(when).bool == true else { continue }
      }
      if Self.decode(plaintext, candidate.contents).isKnown {
        let isSecret = candidate.isSecret || candidate.contents.marksKeysInside
        return isSecret ? [] : values(plaintext, candidate.contents)
      }
      first = first ?? candidate.contents
    }
    // Whichever of them it is: see `decode`.
    guard let first, !candidates.contains(where: \.mayBeSecret) else { return [] }
    return values(plaintext, first)
  }

  /// The values of a message, and of those inside of it.
  private func values(_ bytes: [UInt8], _ contents: Profile.Contents) -> [MessageValue] {
    let message = contents.encoding.read(bytes)
    let values = profile.values(message, bytes, contents.encoding)
    var evaluator = Evaluator(message.value)
    guard case .rule(let rule) = contents.choose(&evaluator), rule.kind == .envelope,
      let inner = rule.contents,
      let body = try? evaluator.inside(rule, { evaluator in evaluator.bytes(.body, of: rule) })
    else { return values }
    return values + self.values(body, inner)
  }

  private static func decode(
    _ plaintext: [UInt8], _ contents: Profile.Contents
  ) -> (decoded: DecodedPlaintext, isKnown: Bool) {
    let message = contents.encoding.read(plaintext, listsFields: true)
    var result = DecodedPlaintext()
    result.fields = message.fields
    (result.secrets, result.notes) = (message.secrets, message.notes)
    result.problem = message.plaintextProblem
    if !contents.encoding.isReadable { result.outline = message.lines }
    var evaluator = Evaluator(message.value)
    do throws(PlaintextProblem) {
      try evaluator.read(contents.head, into: &result)
    } catch {
      result.problem = error
      return (result, true)
    }
    switch contents.choose(&evaluator) {
    case .none(_, let reason):
      if message.problem == nil, let first = plaintext.first {
        let unknown = contents.encoding.source == nil ? message.value.unknown : nil
        result.problem = (reason ?? unknown).map { PlaintextProblem($0) } ?? .unknownType(first)
      }
      return (result, false)
    case .rule(let rule):
      guard message.problem == nil || rule.takesPart else { return (result, true) }
      do throws(FramingProblem) {
        try evaluator.read(rule, of: plaintext, into: &result)
      } catch {
        result.problem = result.problem ?? .json(error)
      }
      return (result, true)
    }
  }

  /// What is inside of a plaintext, or of an envelope in it.
  fileprivate static func inner(
    _ body: [UInt8], of outer: DecodedPlaintext, _ contents: Profile.Contents
  ) -> DecodedPlaintext {
    var decoded = decode(body, contents).decoded
    if let tree = contents.encoding.tree(body) { decoded.envelopes.insert(tree, at: 0) }
    // Fields and lines are of the bytes that they are from.
    (decoded.fields, decoded.outline) = (outer.fields, outer.outline)
    (decoded.secrets, decoded.notes) = (outer.secrets, outer.notes)
    return decoded
  }
}

extension Evaluator {
  /// What the plaintext says about itself.
  fileprivate mutating func read(
    _ head: Profile.Head, into result: inout DecodedPlaintext
  ) throws(PlaintextProblem) {
    guard !head.members.isEmpty else { return }
    result.id = text(.messageID, head.members)
    result.version = int(.messageVersion, head.members)
    result.sentAt = time(.sentAt, head.members)
    if let problem { throw .json(problem) }
    if let version = result.version, !head.versions.isEmpty, !head.versions.contains(version) {
      throw .version(version)
    }
  }

  /// What it says by a rule.
  fileprivate mutating func read(
    _ rule: Rule, of plaintext: [UInt8], into result: inout DecodedPlaintext
  ) throws(FramingProblem) {
    if rule.kind == .envelope, let contents = rule.contents {
      let body = try inside(rule) { evaluator in evaluator.bytes(.body, of: rule) }
      try check()
      guard let body else { throw .missing(field: name(.body, of: rule)) }
      let (id, version, sentAt) = (result.id, result.version, result.sentAt)
      result = ProfileFraming.inner(body, of: result, contents)
      result.id = result.id ?? id
      result.version = result.version ?? version
      result.sentAt = result.sentAt ?? sentAt
      return
    }
    result.id = text(.messageID, of: rule) ?? result.id
    result.version = int(.messageVersion, of: rule) ?? result.version
    result.sentAt = time(.sentAt, of: rule) ?? result.sentAt
    result.contents = try contents(rule)
  }
}

extension PlaintextProblem {
  fileprivate init(_ problem: FramingProblem) {
    self = if case .unknownType(let type) = problem { .unknownType(type) } else { .json(problem) }
  }
}
