import HarkCore
import HarkCrypto
import HarkSession

/// A file of APNs payloads, as events of the timeline.
public enum InternetPayloads {
  public struct Message: Sendable {
    /// Nil if the payload has none.
    public let time: Timestamp?
    public let event: AppEvent
  }

  /// Reads the payloads of a file and opens those that a key opens.
  /// - Parameters:
  ///   - name: Of the file, as the user gave it.
  ///   - ratchets: Pass them on to the next file: each key opens one message.
  public static func messages(
    _ bytes: [UInt8], name: String, _ ratchets: inout InternetRatchets
  ) throws(APNsPayload.Failure) -> [Message] {
    var messages: [Message] = []
    for payload in try APNsPayload.read(bytes) {
      let time = payload.time.flatMap(Self.time)
      var event = AppEvent(
        .internetMessage, AppEvent.Origin(file: name, line: payload.line ?? 0))
      event.isCertain = true
      event.internet = InternetMessage(
        index: payload.messageIndex, keyID: payload.keyID, session: payload.sessionIdentifier,
        size: payload.encryptedData.count, outcome: Self.outcome(payload, &ratchets),
        isDated: time != nil, unreadTime: time == nil ? payload.time : nil)
      messages.append(Message(time: time, event: event))
    }
    return messages
  }

  private static func outcome(
    _ payload: APNsPayload, _ ratchets: inout InternetRatchets
  ) -> InternetMessage.Outcome {
    do throws(InternetRatchets.Failure) {
      let (plaintext, key) = try ratchets.open(payload)
      return .opened(plaintext: plaintext, key: key.fingerprint, key.direction)
    } catch {
      return .locked(error.problem, error.description)
    }
  }

  /// RFC 3339, or seconds since 1970.
  private static func time(_ text: String) -> Timestamp? {
    if let time = LogTime(text.utf8) { return time.time }
    guard let seconds = Double(text), seconds > 0, seconds < 9e9 else { return nil }
    return Timestamp(nanoseconds: Int64((seconds * 1e6).rounded()) * 1_000)
  }
}
