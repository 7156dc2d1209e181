import HarkCore
import HarkCrypto

/// The first message of a session, in any direction.
public struct SessionSeen: AccessoryEventContent, Hashable {
  /// Empty if the message does not name a session.
  public var sessionID: String

  func kind(in event: AccessoryEvent) -> EventKind { event.kind("session-seen", .session) }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.identifier("session", sessionID)
    sink.sentence(
      sessionID.isEmpty
        ? "first message of an unnamed session"
        : "first message of session \(personal: sessionID)")
  }
}

/// The messages of a session switch to another transport.
public struct SessionMoved: AccessoryEventContent, Hashable {
  /// Empty if the message does not name a session.
  public var sessionID: String
  public var from: Link.Transport
  public var to: Link.Transport

  func kind(in event: AccessoryEvent) -> EventKind { event.kind("session-moved", .session) }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.identifier("session", sessionID)
    sink.word("from", from.rawValue, .incidental)
    sink.word("to", to.rawValue)
    let session: EventSentence =
      sessionID.isEmpty ? "a session without a name" : "session \(personal: sessionID)"
    sink.sentence("\(session) continues over \(Self.words(to)), no longer over \(Self.words(from))")
  }

  private static func words(_ transport: Link.Transport) -> String {
    switch transport {
    case .le: "Bluetooth LE"
    case .brEDR: "Bluetooth BR/EDR"
    case .tcp: "the local network"
    case .sco, .esco, .iso, .usb, .unknown: transport.rawValue
    }
  }
}

/// Apple's `TransportMessage` in the traffic, decrypted or not.
public struct TransportedMessage: AccessoryEventContent, Hashable {
  public enum Outcome: Hashable, Sendable {
    case opened(OpenedPlaintext)
    /// The exact reason why it cannot be read.
    case locked(Verdict)
  }

  public var sessionID: String
  /// The number of bytes of IV, ciphertext and tag.
  public var size: Int
  /// Those bytes, as far as the capture has them.
  public var sealed: [UInt8]
  public var receiptID: String?
  public var outcome: Outcome
  /// Whether an encapsulated key was sent earlier on the same link, or on another link that is still open. An
  /// accessory that keeps the keys in RAM cannot decrypt a message without one after a restart, even if hark can.
  public var followsKeyOnLink: Bool
  /// Retries, reused nonces and stale keys.
  public var observations: [Observation]

  /// Nil if the message stays locked.
  public var opened: OpenedPlaintext? {
    if case .opened(let opened) = outcome { opened } else { nil }
  }

  /// Nil if the message is open.
  public var verdict: Verdict? {
    if case .locked(let verdict) = outcome { verdict } else { nil }
  }

  func kind(in event: AccessoryEvent) -> EventKind {
    guard let opened else {
      return event.kind("message-locked", event.messageLane, .sealedMessages, step: "message")
    }
    let contents = opened.decoded.contents
    return event.kind(
      "message", contents.first?.ownLane ?? event.messageLane,
      contents.reduce([.sealedMessages, .openedMessages]) { $0.union($1.topics) })
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.identifier("session", sessionID)
    sink.number("size", size, .incidental)
    sink.identifier("receipt", receiptID)
    sink.flag("follows_key_on_link", followsKeyOnLink)
    switch outcome {
    case .locked(let verdict):
      sink.word("reason", verdict.reason, .viewpoint)
      sink.word("reason_text", verdict.description, .incidental)
      sink.sentence(sentence(verdict, event.direction))
    case .opened(let opened):
      opened.describe(to: &sink)
      sink.sentence(sentence(opened, event.direction))
    }
  }

  /// The sender and size of the message.
  private func head(_ direction: MessageDirection) -> EventSentence {
    Self.head(direction, size: size, sessionID)
  }

  private static func head(
    _ direction: MessageDirection, size: Int, _ sessionID: String
  ) -> EventSentence {
    let session: EventSentence =
      sessionID.isEmpty ? "unnamed session" : "session \(personal: sessionID)"
    return "message \(direction.way), \(Names.count(size, "byte")), \(session)"
  }

  /// For a sealed message that others can decrypt, or that was overwritten.
  package static func withheld(
    _ direction: MessageDirection, size: Int, _ sessionID: String
  ) -> EventSentence {
    "\(head(direction, size: size, sessionID)): decrypted with its key; its content is left out"
  }

  private func sentence(_ verdict: Verdict, _ direction: MessageDirection) -> EventSentence {
    let form = if case .notEncrypted = verdict { "" } else { "encrypted " }
    var text: EventSentence = "\(form)\(head(direction)): \(verdict.description)"
    // A tag alone cannot distinguish an unknown key from damage, but this can.
    if case .tagFails = verdict, !followsKeyOnLink {
      text += """
        ; no encapsulated key precedes it on this link: its key may come from one that is not in \
        the capture
        """
    }
    return text
  }

  private func sentence(
    _ opened: OpenedPlaintext, _ direction: MessageDirection
  ) -> EventSentence {
    var text = opened.decoded.contents.map { $0.words(opened.answers, from: direction) }
      .joined(separator: "; ")
    if text.text.isEmpty {
      text = "message \(direction.way) decrypted, \(Names.count(opened.size, "byte"))"
      if opened.decoded.problem == nil { text += " of unknown meaning" }
    }
    if let problem = opened.decoded.problem { text += "; \(problem.words)" }
    for note in opened.faults { text += "; \(note.text)" }
    // It contains the identifier and the session from which the key is derived.
    if !opened.keyUse.deviations.isEmpty { text += "; \(personal: opened.keyUse.summary)" }
    // An accessory that encrypts has its keys.
    if !followsKeyOnLink, direction == .hostToAccessory {
      text += """
        ; sent before any encapsulated key on this link: an accessory that forgot its keys \
        cannot read it
        """
    }
    return text
  }
}

/// What a message said.
public struct OpenedPlaintext: Hashable, Sendable {
  /// Empty if it may contain a password or a key in any place; zeros replace the parts that are keys.
  public var plaintext: [UInt8]
  /// In bytes.
  public var size: Int
  /// Which key, of which generation, and what is unusual about its derivation.
  public var keyUse: KeyUse
  public var decoded: DecodedPlaintext
  /// The message that it refers to or answers, if it is in the capture.
  public var answers: EarlierMessage?

  /// Checks that its fields failed.
  fileprivate var faults: [MessageNote] { decoded.isSecret ? [] : decoded.notes.filter(\.isFault) }

  fileprivate func describe(to sink: inout some EventSink) {
    sink.object("key") { keyUse.describe(to: &$0) }
    if decoded.isOpen { sink.octets("plaintext", plaintext) }
    answers.describe(to: &sink)
    sink.objects("contents", decoded.contents) { $0.describe(to: &$1) }
    sink.phrase("problem", decoded.problem?.words.text, .parameter)
    if !faults.isEmpty { sink.words("failed_checks", faults.map(\.text)) }
  }
}

extension PlainMessage: AccessoryEventContent {
  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind(
      "message-plain", lane ?? event.messageLane,
      contents.reduce([]) { $0.union($1.topics) }, step: "message")
  }

  /// Nil if the direction determines it.
  private var lane: Event.Lane? {
    guard let content = contents.first else { return nil }
    if let lane = content.ownLane { return lane }
    return switch content {
    case .request, .application, .greeting, .media(.supportedCommands), .media(.watch),
      .media(.choose):
      .session
    case .refused(.request, _, _), .refused(.media(.watch), _, _), .refused(.media(.choose), _, _):
      .session
    case .media(.update), .media(.unknownValue): .configuration
    case .add, .update, .present, .remove, .removeAllNotifications, .response, .clear, .displayed,
      .commandResult, .refused, .media(.command), .configuration, .externalAccessory, .transport,
      .security, .networkSharing, .liveActivity, .failure:
      nil
    }
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    answers.describe(to: &sink)
    if isUnasked { sink.flag("unasked", true) }
    sink.objects("contents", contents) { $0.describe(to: &$1) }
    sink.sentence(sentence(event.direction))
  }

  private func sentence(_ direction: MessageDirection) -> EventSentence {
    var text = contents.map { $0.words(answers, from: direction) }.joined(separator: "; ")
    if case .present = contents.first, let asked = answers {
      let time = asked.latency.map { ", \(Names.duration($0)) earlier" } ?? ""
      text += "; requested in #\(asked.packet.number)\(time)"
    }
    if isUnasked { text += "; the capture contains no request for it" }
    return text
  }
}

/// An oddity of a sealed message. It follows the message, which also contains it.
public struct MessageObservation: AccessoryEventContent, Hashable {
  public var observation: Observation
  public var sessionID: String

  func kind(in event: AccessoryEvent) -> EventKind { event.kind("observation", .session) }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.identifier("session", sessionID)
    sink.word("observation", observation.reason)
    sink.sentence("\(observation.description)")
  }
}

extension MessageDirection {
  fileprivate var way: StaticString {
    self == .hostToAccessory ? "to the accessory" : "from the accessory"
  }
}

extension KeyUse {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.fingerprint(key)
    sink.phrase("name", name)
    sink.number("generation", exchange?.generation)
    let derivation = exchange?.derivation
    sink.phrase("info", derivation.flatMap { $0.source.usesInfo ? $0.info : nil }, .parameter)
    sink.phrase("context", derivation.flatMap { $0.source.usesContext ? $0.context : nil })
    guard !deviations.isEmpty else { return }
    sink.list("deviations") { sink in
      for deviation in deviations {
        sink.element(.text(deviation.clause(direction)), .parameter)
      }
    }
  }
}

extension Verdict {
  /// A stable name, for programs.
  package var reason: String {
    switch self {
    case .tooShort: "too-short"
    case .incomplete: "incomplete"
    case .cutByCapture: "cut-by-capture"
    case .noEncapsulatedKey: "no-encapsulated-key"
    case .unusableEncapsulatedKey: "unusable-encapsulated-key"
    case .noPrivateKey: "no-private-key"
    case .sessionKeysFail: "session-keys-fail"
    case .unknownSession: "unknown-session"
    case .tagFails: "tag-fails"
    case .notEncrypted: "not-encrypted"
    case .wrongForm: "wrong-form"
    case .keysOfOther: "keys-of-other"
    case .keysRefused: "keys-refused"
    case .partRefused: "part-refused"
    case .partRepeated: "part-repeated"
    case .partsInterleaved: "parts-interleaved"
    }
  }
}

extension Observation {
  /// A stable name, for programs.
  fileprivate var reason: String {
    switch self {
    case .duplicate: "duplicate"
    case .otherCopy: "other-copy"
    case .nonceReuse: "nonce-reuse"
    case .staleGeneration: "stale-generation"
    }
  }
}
