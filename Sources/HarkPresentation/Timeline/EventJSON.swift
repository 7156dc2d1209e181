import HarkCore
import HarkSession

/// Writes the members of an event as JSON.
struct EventJSON: EventSink {
  var json = JSONText()
  /// Whether texts and bytes from the capture are left out.
  var withholdsTexts = false
  /// Whether the sentence is kept as well.
  var keepsSentence = false
  private(set) var sentence: EventSentence = ""

  /// The sentence, which a kind of event may not have.
  mutating func takeSentence() -> EventSentence {
    defer { sentence = "" }
    return sentence
  }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    switch value() {
    case .text where withholdsTexts, .octets where withholdsTexts: break
    case .number(let number): json.number(name, number)
    case .flag(let flag): json.flag(name, flag)
    case .word(let text), .text(let text): json.string(name, text)
    case .nanoseconds(let duration): json.seconds(name, duration)
    case .octets(let octets): json.hex(name, octets)
    case nil: break
    }
  }

  mutating func object(_ name: StaticString, _ body: (inout EventJSON) -> Void) {
    json.open(name, UInt8(ascii: "{"))
    body(&self)
    json.close(UInt8(ascii: "}"))
  }

  mutating func list(_ name: StaticString, _ body: (inout EventJSON) -> Void) {
    json.open(name, UInt8(ascii: "["))
    body(&self)
    json.close(UInt8(ascii: "]"))
  }

  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {
    switch value() {
    case .text where withholdsTexts, .octets where withholdsTexts: break
    case .number(let number): json.element(number)
    case .flag(let flag): json.element(flag)
    case .word(let text), .text(let text): json.element(text)
    case .nanoseconds(let duration): json.element(seconds: duration)
    case .octets(let octets): json.element(Hex.text(octets))
    }
  }

  mutating func element(_ body: (inout EventJSON) -> Void) {
    json.open(nil, UInt8(ascii: "{"))
    body(&self)
    json.close(UInt8(ascii: "}"))
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {
    if keepsSentence { self.sentence = sentence() }
  }
}

extension JSONText {
  /// Adds what an event says about itself.
  mutating func members(_ describe: (inout EventJSON) -> Void) {
    var sink = EventJSON()
    // The text has one owner at a time, and is not copied.
    swap(&sink.json, &self)
    describe(&sink)
    swap(&sink.json, &self)
  }
}
