import HarkCore
import HarkCrypto
import HarkSession

// The values of events of accessories.
extension TimelineJSON {
  static func accessory(_ event: AccessoryEvent, to json: inout JSONText) -> StaticString {
    json.string("framing", event.framing)
    json.string("direction", event.direction.rawValue)
    switch event.content {
    case .publicKey, .encapsulatedKey, .exposedKey, .keyExchangeComplete:
      return key(event.content, to: &json)
    case .sessionSeen(let id):
      json.string("session", id)
      return "session-seen"
    case .message(let message): return self.message(message, to: &json)
    case .plain(let message): return plain(message, to: &json)
    case .observation(let observation, let id):
      json.string("session", id)
      json.string("observation", observation.reason)
      return "observation"
    case .accepted(let acceptance):
      json.string("receipt", acceptance.receiptID)
      earlier(acceptance.answers, to: &json)
      return "accepted"
    case .flowControl: return "flow-control"
    case .incomplete(let gap):
      json.number("size", event.origin.size)
      json.string("reason", "incomplete")
      json.string("reason_text", EventText.gap(gap))
      return "message-incomplete"
    case .unreadable(let message):
      json.number("size", event.origin.size)
      json.string("session", message.sessionID)
      json.string("reason", "unreadable")
      json.string("reason_text", EventText.problem(message.problem))
      return "message-unreadable"
    }
  }

  private static func key(
    _ content: AccessoryEvent.Content, to json: inout JSONText
  ) -> StaticString {
    switch content {
    case .publicKey(let key):
      step(key.step, to: &json)
      json.described("fingerprint", key.fingerprint)
      json.described("replaces", key.replaces)
      json.flag("private_key_known", key.hasPrivateKey)
      json.string("defect", key.defect)
      return "public-key"
    case .encapsulatedKey(let key):
      step(key.step, to: &json)
      json.number("generation", key.generation)
      json.number("replaces", key.replaces)
      json.number("repeats_frame", key.repeats?.number)
      json.described("public_key", key.publicKey)
      json.string("defect", key.defect)
      return "encapsulated-key"
    case .exposedKey(let key):
      json.key(key.fingerprint, key.suite)
      return "private-key-exposed"
    case .keyExchangeComplete(let completion):
      json.number("generation", completion.generation)
      json.seconds("latency", completion.latency)
      return "key-exchange-complete"
    default: return "unknown"
    }
  }

  private static func step(_ step: SecurityStep, to json: inout JSONText) {
    json.string("cipher_suite", step.message.cipherSuite.rawValue)
    json.number("size", step.message.key.count)
    json.string("identifier", step.message.identifier)
    json.string("phase", step.phase?.rawValue)
  }

  static func earlier(_ message: EarlierMessage?, to json: inout JSONText) {
    json.number("answers_frame", message?.packet.number)
    json.seconds("latency", message?.latency)
  }

  // MARK: Messages

  static func message(
    _ message: TransportedMessage, to json: inout JSONText
  ) -> StaticString {
    json.string("session", message.sessionID)
    json.number("size", message.size)
    json.string("receipt", message.receiptID)
    json.flag("follows_key_on_link", message.followsKeyOnLink)
    switch message.outcome {
    case .locked(let verdict):
      json.string("reason", verdict.reason)
      json.string("reason_text", verdict.description)
      return "message-locked"
    case .opened(let opened):
      json.object("key") { key(opened.keyUse, to: &$0) }
      if !opened.decoded.isSecret { json.hex("plaintext", opened.plaintext) }
      earlier(opened.answers, to: &json)
      json.array("contents") { json in
        for content in opened.decoded.contents {
          json.object { self.content(content, to: &$0) }
        }
      }
      if let problem = opened.decoded.problem {
        json.string("problem", EventText.problem(problem))
      }
      return "message"
    }
  }

  private static func key(_ use: KeyUse, to json: inout JSONText) {
    json.described("fingerprint", use.key)
    json.string("name", use.name)
    json.number("generation", use.exchange?.generation)
    json.string("info", use.exchange?.derivation.info)
    json.string("context", use.exchange?.derivation.context)
    guard !use.deviations.isEmpty else { return }
    json.array("deviations") { json in
      for deviation in use.deviations { json.element(deviation.clause(use.direction)) }
    }
  }
}

extension Verdict {
  /// A name that stays, for programs.
  var reason: StaticString {
    switch self {
    case .tooShort: "too-short"
    case .incomplete: "incomplete"
    case .cutByCapture: "cut-by-capture"
    case .noEncapsulatedKey: "no-encapsulated-key"
    case .unusableEncapsulatedKey: "unusable-encapsulated-key"
    case .noPrivateKey: "no-private-key"
    case .unknownSession: "unknown-session"
    case .tagFails: "tag-fails"
    }
  }
}

extension Observation {
  /// A name that stays, for programs.
  var reason: StaticString {
    switch self {
    case .duplicate: "duplicate"
    case .nonceReuse: "nonce-reuse"
    case .staleGeneration: "stale-generation"
    }
  }
}
