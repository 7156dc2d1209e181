import HarkCore
import HarkCrypto

/// A message of the internet transport, which does not use Bluetooth: it goes from a vendor's server to the phone
/// over APNs. Apple, "Forwarding notifications to your accessory using the internet transport type".
public struct InternetMessage: Sendable {
  public enum Outcome: Sendable {
    /// - Parameter key: The root or chain key that decrypted it.
    case opened(plaintext: [UInt8], key: Fingerprint, MessageDirection)
    /// Why it cannot be decrypted, also as a sentence.
    case locked(InternetRatchets.Problem, String)
  }

  public let index: UInt32
  public let keyID: UInt32
  public let session: String?
  /// The number of bytes of IV, ciphertext and tag.
  public let size: Int
  public let outcome: Outcome
  /// Whether the payload has a time; without one, it follows the capture.
  public let isDated: Bool
  /// The time of the payload if hark cannot read it.
  public let unreadTime: String?

  public init(
    index: UInt32, keyID: UInt32, session: String?, size: Int, outcome: Outcome, isDated: Bool,
    unreadTime: String? = nil
  ) {
    self.unreadTime = unreadTime
    (self.index, self.keyID, self.session) = (index, keyID, session)
    (self.size, self.outcome, self.isDated) = (size, outcome, isDated)
  }

  var isLocked: Bool { if case .locked = outcome { true } else { false } }
}

extension InternetMessage {
  func describe(to sink: inout some EventSink) {
    sink.number("message_index", index, .incidental)
    sink.word("key_id", InternetKey.text(keyID: keyID))
    sink.identifier("session", session)
    sink.number("size", size, .incidental)
    sink.flag("dated", isDated)
    sink.phrase("unread_time", unreadTime)
    switch outcome {
    case .opened(let plaintext, let key, let direction):
      sink.word("direction", direction.rawValue, .family)
      sink.fingerprint(key)
      sink.octets("plaintext", plaintext)
      if let text = String(validating: plaintext, as: UTF8.self) {
        sink.text("plaintext_text", text)
      }
    case .locked(_, let reason): sink.phrase("reason_text", reason)
    }
  }

  /// Longer plaintexts are cut in sentences; JSON has all of them.
  private static let longest = 300

  var words: EventSentence {
    var text: EventSentence =
      "\(isLocked ? "encrypted " : "")message \(index) over the internet (APNs), \(Names.count(size, "byte"))"
    if let session { text += ", session \(personal: session)" }
    if let unreadTime {
      text +=
        ", time unknown (\(personal: unreadTime) is neither RFC 3339 nor seconds since 1970)"
    } else if !isDated {
      text += ", time unknown"
    }
    switch outcome {
    case .locked(_, let reason): text += ": \(personal: reason)"
    case .opened(let plaintext, let key, let direction):
      if direction != .accessoryToHost {
        text += ", encrypted with the key of the wrong direction: the phone cannot decrypt it"
      }
      let whole = String(validating: plaintext, as: UTF8.self) ?? Hex.text(plaintext)
      let cut = String(String.UnicodeScalarView(whole.unicodeScalars.prefix(Self.longest)))
      text += ", decrypted with key \(key.description): \(personal: cut)"
      if cut.utf8.count < whole.utf8.count { text += "…" }
    }
    return text
  }
}
