import HarkCapture
import HarkCore
import HarkSelection
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
      for field in accessory.content.messageContents.flatMap(\.notificationFields) {
        body(packet, Self.comment("hark.\(field.name): \(field.text)"))
      }
      guard holdsPlaintexts, case .message(let message) = accessory.content,
        let opened = message.opened,
        opened.decoded.isOpen, !opened.plaintext.isEmpty
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

extension AccessoryEvent.Content {
  /// What the message says; empty if it stays locked.
  fileprivate var messageContents: [AccessoryContent] {
    switch self {
    case .plain(let message): message.contents
    case .message(let message): message.opened?.decoded.contents ?? []
    default: []
    }
  }
}

extension AccessoryContent {
  /// The texts of a notification, or of an answer to it, by the names of Wireshark's fields without `hark`.
  fileprivate var notificationFields: [(name: String, text: String)] {
    let found: [(name: String, text: String?)]
    switch self {
    case .add(let it), .update(let it), .present(let it):
      let source = it.sourceName.flatMap { $0.isEmpty ? nil : $0 }
      found = [
        ("notification.source", source ?? it.identifier?.sourceIdentifier),
        ("notification.title", it.title), ("notification.subtitle", it.subtitle),
        ("notification.body", it.body),
        ("notification.id", it.identifier?.notificationIdentifier),
      ]
    case .remove(let identifier), .clear(let identifier), .displayed(let identifier, _):
      found = Self.fields(of: identifier)
    case .response(let it):
      found =
        Self.fields(of: it.identifier) + [
          ("reply.action", it.actionIdentifier), ("reply.text", it.userText),
        ]
    case .removeAllNotifications, .commandResult, .application, .request, .refused, .media,
      .configuration, .externalAccessory, .transport, .security, .networkSharing, .liveActivity,
      .greeting, .failure:
      found = []
    }
    return found.compactMap { field in
      guard let text = field.text, !text.isEmpty else { return nil }
      return (field.name, text)
    }
  }

  private static func fields(
    of identifier: AccessoryNotification.Identifier
  ) -> [(name: String, text: String?)] {
    [
      ("notification.source", identifier.sourceIdentifier),
      ("notification.id", identifier.notificationIdentifier),
    ]
  }
}
