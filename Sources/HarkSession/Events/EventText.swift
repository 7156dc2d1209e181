import HarkCore

/// The sentence a timeline shows for an event.
///
/// Sentences hold names and texts of the capture as they came: whoever prints one passes it through
/// `TextBuffer.printable`.
public enum EventText {
  /// One sentence, without its full stop.
  /// - Parameter session: As it was when the event was emitted.
  public static func sentence(_ event: Event, _ session: borrowing Session) -> String {
    sentence(of: event, session).text
  }

  /// The sentence, with what is personal in it.
  package static func sentence(
    of event: Event, _ session: borrowing Session
  ) -> EventSentence {
    described(event, session).sentence
  }

  /// The sentence, and the identities behind the addresses that the event names.
  package static func described(
    _ event: Event, _ session: borrowing Session
  ) -> (sentence: EventSentence, resolved: Event.Resolved) {
    let (sentence, resolved) = Event.sentenceAndIdentities(
      of: event.content.described, event, session)
    return (sentence + EventSentence(lag(of: event)), resolved)
  }

  /// `; ended 24.4 s earlier`: what reads as a matter of the same moment needs no mention.
  package static func lag(of event: Event) -> String {
    guard event.lag >= 100_000_000 else { return "" }
    let earlier = "\(Names.duration(event.lag)) earlier"
    return switch event.content.described.kind.retrospect {
    case .ended: "; \(event.frames.count > 1 ? "ended " : "")\(earlier)"
    case .sent: "; sent \(earlier)"
    case .inSentence: ""
    }
  }

  /// What a timeline needs to fold events that say the same.
  /// - Parameter sentence: That of the event.
  package static func repetition(
    _ event: Event, _ session: borrowing Session, _ sentence: String
  ) -> EventRepetition {
    let described = event.content.described
    // When it is reported is no part of it.
    let plain =
      event.lag > 0 ? Event.sentence(of: described, event, session).text : sentence
    return described.repetition(plain, event, in: session)
  }
}
