import HarkSession

/// The members of an event by name, without those inside others.
struct TopMembers: EventSink {
  private var values: [String: EventValue] = [:]

  static func of(_ event: Event, _ session: borrowing Session) -> [String: EventValue] {
    var sink = TopMembers()
    event.content.described.describe(event, in: session, to: &sink)
    return sink.values
  }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    values[name.description] = value()
  }

  mutating func object(_ name: StaticString, _ body: (inout TopMembers) -> Void) {}
  mutating func list(_ name: StaticString, _ body: (inout TopMembers) -> Void) {}
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}
  mutating func element(_ body: (inout TopMembers) -> Void) {}
  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}
}
