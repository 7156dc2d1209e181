import HarkCore
import HarkSession

/// What an event says about itself, for a row of a table. One takes any number of events, as it keeps its memory.
package struct EventColumns {
  private let withTexts: Bool
  private var sink = EventJSON()
  /// As JSON has it.
  package private(set) var kind: StaticString = ""
  package private(set) var lane = Event.Lane.note
  /// Its sentence, without the full stop.
  package private(set) var text = ""

  /// Its members: a JSON object.
  package var members: TextBuffer { sink.json.text }

  /// - Parameter withTexts: Whether names, texts, addresses and bytes of the capture are in it. Without them, an
  ///   ellipsis stands for each in the sentence, and the members have none.
  package init(withTexts: Bool) {
    self.withTexts = withTexts
    (sink.withholdsTexts, sink.keepsSentence) = (!withTexts, true)
  }

  package mutating func read(_ event: Event, _ session: borrowing Session) {
    let described = event.content.described
    let kind = described.kind
    (self.kind, lane) = (kind.name, kind.lane)
    sink.json.text.clear()
    sink.json.text.byte(UInt8(ascii: "{"))
    described.describe(event, in: session, to: &sink)
    sink.json.text.byte(UInt8(ascii: "}"))
    let sentence = sink.takeSentence()
    text =
      (withTexts ? sentence.text : sentence.text(markingPersonal: "…")) + EventText.lag(of: event)
  }
}
