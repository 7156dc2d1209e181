extension Event.Content {
  /// What describes the event.
  package var described: any Described {
    switch self {
    case .controller(let event): event.described
    case .capture(let event): event.described
    case .finding(let event): event
    case .link(let event): event.described
    case .linkLayer(let event): event.described
    case .security(let event): event.described
    case .channel(let event): event.described
    case .attribute(let event): event.described
    case .isochronous(let event): event.described
    case .periodic(let event): event.described
    case .sdp(let event): event.described
    case .rfcomm(let event): event.described
    case .hid(let event): event.described
    case .fastPair(let event): event.described
    case .obex(let event): event
    case .handsFree(let event): event.described
    case .leAudio(let event): event.described
    case .audio(let event): event.described
    case .audioSourceNotCleared(let event): event
    case .iap2(let event): event.described
    case .accessoryProtocol(let event): event.described
    case .accessory(let event): event
    case .app(let event): event.described
    }
  }
}

extension Event {
  /// The sentence that its kind gives, without its full stop.
  package static func sentence(
    of described: any Described, _ event: Event, _ session: borrowing Session
  ) -> EventSentence {
    var writer = SentenceWriter()
    described.describe(event, in: session, to: &writer)
    return writer.sentence
  }
}

/// Keeps the sentence alone.
private struct SentenceWriter: EventSink {
  private(set) var sentence: EventSentence = ""

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {}
  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) {}
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) {}
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}
  mutating func element(_ body: (inout Self) -> Void) {}

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {
    self.sentence = sentence()
  }
}
