import HarkCapture
import HarkCore
import HarkSession

/// The comments that hark adds to a packet when it writes a capture: the sentences of the timeline, and the
/// plaintext of a message that it completes.
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
      guard holdsPlaintexts, case .accessory(let accessory) = event.content,
        case .message(let message) = accessory.content, let opened = message.opened,
        !opened.plaintext.isEmpty
      else { continue }
      let bytes = opened.plaintext
      body(
        packet,
        Self.comment("plaintext (\(Names.count(bytes.count, "byte"))): \(Self.text(bytes))"))
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

  /// The bytes as text if they are text, otherwise as hexadecimal digits.
  private static func text(_ bytes: [UInt8]) -> String {
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
    return isText ? String(validating: bytes, as: UTF8.self) ?? Hex.text(bytes) : Hex.text(bytes)
  }
}
