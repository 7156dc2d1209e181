import HarkCapture
import HarkCore
import HarkSession

/// The comments that hark adds to a packet when it writes a capture: the sentences of the timeline, the texts of
/// notifications, and the plaintext of a message that it completes. `wireshark/hark.lua` shows them as fields.
public struct RecordRemarks: Sendable {
  /// Whether decrypted messages are written too.
  private let holdsPlaintexts: Bool

  public init(holdsPlaintexts: Bool) { self.holdsPlaintexts = holdsPlaintexts }

  /// Requests the events that the session emits.
  public func prepare(_ session: inout Session) {
    session.keepsValues = true
    if holdsPlaintexts { session.keepsMessages = true }
  }

  /// Calls `body` with the comments that the events since the last call give, and the packet that
  /// each is about: the last that shows it, which may be an earlier one.
  public func comments(_ session: borrowing Session, _ body: (PacketID, String) -> Void) {
    for event in session.events {
      // Notes are what the capture says itself.
      if case .capture(.note) = event.content { continue }
      let packet = event.frames.last
      body(packet, Self.comment("\(event.lane.name): \(EventText.sentence(event, session))"))
      guard case .accessory(let accessory) = event.content else { continue }
      for field in NotificationFields.of(event, session) {
        body(packet, Self.comment("hark.\(field.name): \(field.text)"))
      }
      guard holdsPlaintexts, case .message(let message) = accessory.content,
        let opened = message.opened,
        !opened.plaintext.isEmpty
      else { continue }
      let bytes = opened.plaintext
      let text = Self.text(bytes)
      body(
        packet,
        Self.comment(
          "plaintext (\(Names.count(bytes.count, "byte"))): \(text ?? Hex.text(bytes))"))
      // A comment escapes some characters of a text.
      if text != nil { body(packet, Self.comment("hark.plaintext: \(Hex.text(bytes))")) }
    }
    guard holdsPlaintexts else { return }
    for message in session.messages {
      let fields = MessageTree(message.values).lines
      if !fields.isEmpty { body(message.packet, Self.comment(fields.joined(separator: ", "))) }
    }
  }

  /// A comment of hark's, with everything in it escaped that is no text.
  private static func comment(_ text: String) -> String {
    var out = TextBuffer()
    out.printable(RecordOrigin.mark + text)
    return out.string
  }

  /// Nil if the bytes are no text.
  private static func text(_ bytes: [UInt8]) -> String? {
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    return isText ? String(validating: bytes, as: UTF8.self) : nil
  }
}

/// The texts of notifications and of answers to them, by the names of Wireshark's fields without `hark`.
private struct NotificationFields: EventSink {
  private var found: [(name: String, text: String)] = []
  /// The texts of one of the contents by their names, and its type.
  private var texts: [String: String] = [:]
  private var type = ""
  private var isInContents = false

  static func of(_ event: Event, _ session: borrowing Session) -> [(name: String, text: String)] {
    var sink = NotificationFields()
    event.content.described.describe(event, in: session, to: &sink)
    return sink.found
  }

  private static let types: Set = [
    "add", "update", "present", "remove", "response", "clear", "displayed",
  ]
  private static let names: [(member: String, field: String)] = [
    ("source", "notification.source"), ("title", "notification.title"),
    ("subtitle", "notification.subtitle"), ("body", "notification.body"),
    ("identifier", "notification.id"), ("action", "reply.action"), ("user_text", "reply.text"),
  ]

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    guard isInContents else { return }
    switch value() {
    case .text(let text)? where !text.isEmpty: texts[name.description] = text
    case .word(let word)? where name.description == "type": type = word
    default: break
    }
  }

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) {}

  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) {
    guard !isInContents, name.description == "contents" else { return }
    isInContents = true
    body(&self)
    isInContents = false
  }

  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}

  mutating func element(_ body: (inout Self) -> Void) {
    (texts, type) = ([:], "")
    body(&self)
    guard Self.types.contains(type) else { return }
    texts["source"] = texts["source"] ?? texts["source_identifier"]
    found += Self.names.compactMap { name in texts[name.member].map { (name.field, $0) } }
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}
}
