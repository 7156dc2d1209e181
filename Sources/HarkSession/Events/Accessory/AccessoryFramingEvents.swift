import HarkCore
import HarkCrypto

/// A receipt of the framing: the other side has a message.
public struct Acceptance: AccessoryEventContent, Hashable {
  public enum Subject: Hashable, Sendable {
    case message(sessionID: String)
    case key(SecurityStep.Phase?)
  }

  public var receiptID: String
  /// Nil for a receipt of something the capture does not show.
  public var subject: Subject?
  public var answers: EarlierMessage?

  func kind(in event: AccessoryEvent) -> EventKind { event.kind("accepted", .session) }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.identifier("receipt", receiptID)
    answers.describe(to: &sink)
    let who = event.direction == .accessoryToHost ? "accessory" : "phone"
    sink.sentence("\(who) confirms \(what)\(answers.words)")
  }

  private var what: EventSentence {
    switch subject {
    case .message: "the message"
    case .key(let phase): "the key\(phase.map { " (\($0.rawValue))" } ?? "")"
    case nil: "receipt “\(personal: receiptID)”, which belongs to no message in the capture"
    }
  }
}

extension FlowControl: AccessoryEventContent {
  func kind(in event: AccessoryEvent) -> EventKind { event.kind("flow-control", .session) }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.sentence("\(words)")
  }

  private var words: String {
    switch self {
    case .confirmed(let slices, let slowest):
      "all \(Names.count(slices, "slice")) confirmed"
        + (slowest > 0 ? ", the slowest after \(Names.duration(slowest))" : "")
    case .unconfirmed(_, let waited, let reason):
      "a slice was never confirmed: "
        + (waited > 0 ? "the sender continued after \(Names.duration(waited))" : reason.words)
    case .lateReceipt(_, let latency):
      "a slice was confirmed too late" + (latency > 0 ? ", after \(Names.duration(latency))" : "")
    case .unknownReceipt: "a receipt confirms a slice that is not in the capture"
    case .receiverReady: "receiver is ready: the sender restarts its message"
    }
  }
}

extension Gap: AccessoryEventContent {
  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("message-incomplete", isAboutRequest ? .session : event.messageLane, step: "message")
  }

  /// Whether the message itself arrived, but its answer did not.
  private var isAboutRequest: Bool { if case .noAnswer = self { true } else { false } }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.number("size", event.origin.size, .incidental)
    sink.word("reason", "incomplete", .viewpoint)
    sink.word("reason_text", words, .incidental)
    if case .noAnswer(let reason) = self {
      sink.sentence(
        """
        the request in #\(event.frames.last?.number ?? 0) was never answered; \(reason.words)
        """)
    } else if case .repeated = self {
      sink.sentence("last part of a message received again: \(words)")
    } else if case .begunAgain = self {
      sink.sentence(
        "message begun, \(Names.count(event.origin.size, "byte")) of it received: \(words)")
    } else if case .interleaved = self {
      sink.sentence(
        "rest of a message, \(Names.count(event.origin.size, "byte")): \(words)")
    } else if case .rest = self {
      sink.sentence(
        "rest of a lost message, \(Names.count(event.origin.size, "byte")): \(words)")
    } else {
      sink.sentence(
        "message lost, \(Names.count(event.origin.size, "byte")) of it received: \(words)")
    }
  }

  private var words: String {
    switch self {
    case .endWithoutStart: "the capture has no start of it on this link"
    case .outsideMessage(let reason):
      "neither its start nor its end is in the capture; \(reason.words)"
    case .startWithoutEnd(let reason): "its end never arrived; \(reason.words)"
    case .continuationWithoutFirst: "the capture has no beginning of it on this link"
    case .repeated(let packet): "it repeats #\(packet.number), which completed the message"
    case .begunAgain(let packet): "its sender began it again in #\(packet.number)"
    case .interleaved(let packet):
      "it continues the message that began in #\(packet.number), whose parts alternate with those of another message"
    case .rest(let packet): "it continues the message that began in #\(packet.number)"
    case .moreWithoutLast(let reason): "its last fragment never arrived; \(reason.words)"
    case .lostFragments(let first, let count):
      count == 1
        ? "its fragment \(first) never arrived"
        : "\(Names.count(count, "fragment")) never arrived, from number \(first) on"
    case .noAnswer(let reason): "no answer arrived; \(reason.words)"
    case .tooLarge(let limit): "it is longer than \(Names.count(limit)), the most that hark keeps"
    }
  }
}

extension UnreadableMessage: AccessoryEventContent {
  func kind(in event: AccessoryEvent) -> EventKind {
    event.kind("message-unreadable", event.messageLane, step: "message")
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.number("size", event.origin.size, .incidental)
    sink.identifier("session", sessionID)
    sink.word("reason", "unreadable", .viewpoint)
    sink.phrase("reason_text", problem.words.text)
    let head: EventSentence =
      "message of \(Names.count(event.origin.size, "byte")) not decoded: \(problem.words)"
    sink.word("cause", cause?.reason, .viewpoint)
    if case .partRepeated(let repetition) = cause {
      sink.number("repeated_frame", repetition.packet.number, .incidental)
      sink.number("repeats_frame", repetition.original.number, .incidental)
    }
    sink.sentence("\(head)\(cause.map { "; \(Self.words(of: $0))" } ?? "")")
  }

  private static func words(of cause: Verdict) -> String {
    switch cause {
    case .partRepeated(let repetition):
      "#\(repetition.packet.number) repeats #\(repetition.original.number), and without the repetition, it can be decoded"
    case .partsInterleaved(let packet):
      "the parts of two messages alternate, and those that begin in #\(packet.number) can be decoded without the others"
    default: cause.description
    }
  }
}

extension BlankMessage: AccessoryEventContent {
  func kind(in event: AccessoryEvent) -> EventKind {
    if case .key = subject { return event.kind("key-blank", .keys, .keyExchange) }
    return event.kind("message-blank", event.messageLane)
  }

  func describe(in event: AccessoryEvent, to sink: inout some EventSink) {
    sink.number("size", size)
    switch subject {
    case .key(let type, let suite):
      sink.word("key_type", type.rawValue)
      sink.word("cipher_suite", suite.rawValue)
    case .message(let sessionID): sink.identifier("session", sessionID.isEmpty ? nil : sessionID)
    case .value: break
    }
    sink.sentence("\(what) of \(Names.count(size, "byte")), \(zeros), as after redaction")
  }

  private var what: String {
    switch subject {
    case .key(.publicKey, let suite): "public key (\(suite.name))"
    case .key(.encapsulatedKey, let suite): "encapsulated key (\(suite.name))"
    case .message: "message"
    case .value: "value"
    }
  }

  private var zeros: String { subject == .value ? "overwritten with zeros" : "all zero" }
}

extension Interruption {
  fileprivate var words: String {
    switch self {
    case .linkClosed: "the link closed"
    case .streamClosed: "its channel closed"
    case .dataMissing: "packets after it are missing"
    case .captureEnded: "the capture ended"
    case .startedAgain: "the sender began another message"
    }
  }
}

extension FramingProblem {
  package var words: EventSentence {
    switch self {
    case .empty: "it is empty"
    case .unknownType(let type): "type \(Names.hex(type)) is unknown"
    case .tooShort(let field, let offset, let needed, let available, let part):
      """
      \(field) needs \(Names.count(needed, "byte"))\(offset > 0 ? " at byte \(offset)" : ""), \
      \(available) available\(part.map { " in \($0)" } ?? "")
      """
    case .trailing(let offset, let count):
      "\(Names.count(count, "byte")) left over at byte \(offset)"
    case .keySize(.publicKey, let found):
      "a public key of \(Names.count(found, "byte")), a size that no suite has"
    case .keySize(.encapsulatedKey, let found):
      "an encapsulated key of \(Names.count(found, "byte")), a size that no suite has"
    case .privateKey(let reason): "the private key in the message is not valid: \(reason)"
    case .valueTooLong(let size, let limit):
      "a value of \(Names.count(size, "byte")); the receiver accepts at most \(limit)"
    case .tooDeep(let encoding, let limit):
      "\(encoding) nested more than \(Names.count(limit, "level")) deep"
    case .tooMany(let encoding, let limit):
      "\(encoding) of more than \(Names.count(limit)) values or bytes"
    case .missing(let field): "\(field) is missing"
    case .wrong(let field): "\(field) does not have the required value"
    case .unknownValue(let field): "the value of \(field) is unknown"
    case .cutByCapture(let missing): "\(Names.count(missing, "byte")) of it are not in the capture"
    case .notJSON(let offset): "no valid JSON from byte \(offset) on"
    case .truncatedJSON(let offset, let depth, let inString):
      """
      JSON that starts at byte \(offset) breaks off\(inString ? " inside a string" : ""), \
      \(Names.count(depth, "level")) deep
      """
    case .concatenatedJSON(let objects): "\(Names.count(objects, "JSON object")) in one message"
    case .deepJSON(let limit): "JSON nested more than \(Names.count(limit, "level")) deep"
    case .base64MidQuantum(let field, let characters):
      """
      \(field) has \(Names.count(characters)) base64 characters, not a multiple of 4: a part is \
      missing
      """
    case .base64Character(let field, let offset):
      "\(field) is not valid base64 at character \(offset)"
    case .unknownArray(let items): "unknown kind of array, with \(Names.count(items, "item"))"
    case .scalarJSON: "a JSON value that is neither an object nor an array"
    case .unknownObject(let members) where members.isEmpty:
      "unknown kind of object, without members"
    case .unknownObject(let members):
      "unknown kind of object, with the members \(personal: members.joined(separator: ", "))"
    }
  }
}

extension PlaintextProblem {
  var words: EventSentence {
    switch self {
    case .empty: "the plaintext is empty"
    case .unknownType(let type): "plaintext of unknown type \(Names.hex(type))"
    case .tooShort(let field, let offset, let needed, let available):
      """
      the plaintext ends in \(field): it needs \(Names.count(needed, "byte")) at byte \(offset), \
      \(available) available
      """
    case .trailing(let offset, let count):
      "\(Names.count(count, "byte")) of the plaintext left over at byte \(offset)"
    case .json(let problem): "plaintext not decoded: \(problem.words)"
    case .version(let version): "plaintext of unknown version \(version)"
    }
  }
}
