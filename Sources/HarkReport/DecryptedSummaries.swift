import HarkCore
import HarkPresentation
import HarkSession

/// What a timeline says about messages and keys, in the order of the capture.
struct DecryptedSummaries: Sendable {
  struct Saying: Sendable {
    let text: String
    let severity: Event.Severity
    let isOpened: Bool
    /// Of a message; empty if it names none.
    var session = ""
  }

  private struct Place: Hashable {
    let frame: PacketID
    let kind: Kind
  }

  private enum Kind { case message, publicKey, observation, session }

  private var wordings: [Place: [Saying]] = [:]

  private static func place(_ event: Event, _ accessory: AccessoryEvent) -> Place? {
    let kind: Kind? =
      switch accessory.content {
      case .message: .message
      case .publicKey: .publicKey
      case .observation: .observation
      case .sessionSeen: .session
      case .blank(let blank):
        // Of the copy.
        switch blank.subject {
        case .message: .message
        case .key(.publicKey, _): .publicKey
        case .key(.encapsulatedKey, _), .value: nil
        }
      default: nil
      }
    return kind.map { Place(frame: event.frames.last, kind: $0) }
  }

  mutating func add(
    _ event: Event, _ accessory: AccessoryEvent, _ indexed: borrowing Session
  ) {
    // As many as there are lines.
    guard wordings.count < CaptureGathering.mostLines, let place = Self.place(event, accessory)
    else { return }
    var isOpened = false
    var session = ""
    if case .message(let message) = accessory.content {
      (isOpened, session) = (message.verdict == nil, message.sessionID)
    }
    wordings[place, default: []].append(
      Saying(
        text: EventText.sentence(event, indexed), severity: event.severity, isOpened: isOpened,
        session: session))
  }

  /// The sentence for `event`, which belongs to a copy of the capture.
  mutating func next(like event: Event, _ accessory: AccessoryEvent) -> Saying? {
    guard let place = Self.place(event, accessory), wordings[place]?.isEmpty == false else {
      return nil
    }
    return wordings[place]?.removeFirst()
  }
}
