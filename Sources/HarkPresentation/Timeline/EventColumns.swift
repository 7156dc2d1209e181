import HarkCore
import HarkSession

/// What an event says of itself, for a row of a table.
package struct EventColumns {
  /// Its members: a JSON object.
  package let members: TextBuffer
  /// Its sentence, without the full stop.
  package let text: String

  /// - Parameter withTexts: Whether names, texts, addresses and bytes of the capture are in it. Without them, an
  ///   ellipsis stands for each in the sentence, and the members have none.
  package init(_ event: Event, _ session: borrowing Session, withTexts: Bool) {
    var sink = EventJSON()
    sink.withholdsTexts = !withTexts
    sink.json.text.byte(UInt8(ascii: "{"))
    event.content.described.describe(event, in: session, to: &sink)
    sink.json.text.byte(UInt8(ascii: "}"))
    members = sink.json.text
    let sentence = Event.sentence(of: event.content.described, event, session)
    text =
      (withTexts ? sentence.text : sentence.text(markingPersonal: "…")) + EventText.lag(of: event)
  }
}
