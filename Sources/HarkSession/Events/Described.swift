import HarkCore
import HarkCrypto

/// The one description of a kind of event. Sentences, JSON, comparisons, topics of rules and the
/// documentation are made from it.
public protocol Described: Sendable {
  var kind: EventKind { get }

  /// Writes the members in the order of the JSON, then the sentence.
  /// - Parameter session: Its state when the event was emitted.
  func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink)

  /// What a timeline counts as the same event: the sentence, unless the kind defines something else.
  func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition
}

extension Described {
  public func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition {
    guard let folded = kind.folded else { return EventRepetition(subject: sentence) }
    return EventRepetition(
      subject: folded.description, isNoun: true, last: "; the last: \(sentence)")
  }
}

/// The common part of events that a timeline counts in one line.
public struct EventRepetition: Equatable, Sendable {
  /// The text after `3 more times: `, or after `3 more ` if it is the plural of a noun.
  package var subject: String
  /// `notifications of Battery Level`; otherwise a sentence.
  package var isNoun = false
  /// The text after the subject if several are counted, from the last of them.
  package var last = ""
  /// Distinguishes events with the same text, such as values that are shown in part.
  package var digest: UInt64 = 0
  /// How many events this one stands for.
  package var count = 1

  /// `3 more notifications of Battery Level; the last: 87 %`, `3 more times: channel closed`
  package func counted(_ more: Int) -> String {
    "\(Names.count(more)) more\(isNoun ? "" : " times:") \(subject)\(last)"
  }

  /// Whether both are counted in one line.
  package func repeats(_ other: EventRepetition) -> Bool {
    digest == other.digest && subject == other.subject
  }
}

/// The properties that all events of a kind share.
public struct EventKind: Sendable {
  /// The `kind` in JSON. It never changes.
  public let name: StaticString
  public let lane: Event.Lane
  package let topics: Topics
  /// The step of a comparison; nil if the kind is not a step. Kinds that are one step with different
  /// outcomes share the name of one of them.
  package let step: StaticString?
  /// Whether both captures of a host and over-the-air captures can show it.
  package let isShared: Bool
  /// The name of several such events that follow one in a timeline, where they are only counted: for kinds that
  /// happen all the time.
  package private(set) var folded: StaticString?
  /// How the sentence continues if it is reported later than it happened.
  package private(set) var retrospect = Retrospect.ended

  /// The addition to the sentence of an event that is reported later than it happened.
  package enum Retrospect: Sendable {
    /// `; ended 24.4 s earlier`
    case ended
    /// `; sent 24.4 s earlier`
    case sent
    /// None: its own sentence states the time.
    case inSentence
  }

  /// - Parameter step: The name of the kind that is the same step; nil for the kind itself.
  init(
    _ name: StaticString, _ lane: Event.Lane, _ topics: Topics, step: StaticString? = nil,
    isStep: Bool = true, isShared: Bool = true
  ) {
    (self.name, self.lane, self.topics) = (name, lane, topics)
    (self.step, self.isShared) = (isStep ? step ?? name : nil, isShared)
  }

  /// The same kind, for which a timeline counts the events that follow one.
  func folded(as name: StaticString) -> EventKind {
    var kind = self
    kind.folded = name
    return kind
  }

  /// The same kind, whose sentence continues differently if it is reported later than it happened.
  func looking(back retrospect: Retrospect) -> EventKind {
    var kind = self
    kind.retrospect = retrospect
    return kind
  }
}

/// The role of a member when two captures are compared.
public enum EventRole: Sendable {
  /// It distinguishes steps, even steps with different outcomes: a UUID, a direction.
  case family
  /// It distinguishes steps.
  case identity
  /// It may differ in the same step: a difference worth reporting.
  case parameter
  /// A parameter that host captures and over-the-air captures report differently.
  case viewpoint
  /// It differs in every capture: a handle, a time, a user's text.
  case incidental
}

/// The value of a member.
public enum EventValue: Sendable {
  case number(Int64)
  case flag(Bool)
  /// A name from the specification, or one of hark's.
  case word(String)
  /// A name, text, address or identifier from the capture, which may be personal.
  case text(String)
  case nanoseconds(Int64)
  /// Octets from the capture, as hexadecimal digits in JSON.
  case octets([UInt8])
}

/// Takes the descriptions of events. Each output of events is one.
public protocol EventSink {
  /// Whether it needs no texts, addresses and bytes from the capture: they need not be made then.
  var withholdsTexts: Bool { get }
  /// A member; nil if the capture does not have it.
  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole)
  /// A name from the specification, or one of hark's.
  mutating func word(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole)
  /// A UUID as Core Specification, Vol 3, Part B, 2.5.1 writes it.
  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID?, _ role: EventRole)
  mutating func octets(
    _ name: StaticString, _ value: @autoclosure () -> [UInt8], _ role: EventRole)
  /// An address; nil if the capture does not have it.
  mutating func address(_ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole)
  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void)
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void)
  /// A name that a program gave to a message, a notification or a state. It may have been made from data of a person.
  mutating func identifier(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole)
  /// The name or the version of an app, a protocol or software: it identifies a product, and no person.
  mutating func product(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole)
  /// A text that is not from the capture: hark's own words, or those of a file beside it. It may quote the capture.
  mutating func phrase(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole)
  /// A value in a list.
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole)
  /// An object in a list.
  mutating func element(_ body: (inout Self) -> Void)
  /// The sentence of the timeline, without its full stop.
  mutating func sentence(_ sentence: @autoclosure () -> EventSentence)
}

// A sink is known only at run time, and so would be the type of each number here, at many times the cost. Because
// these are inlined, the calling kind of event determines it.
extension EventSink {
  public var withholdsTexts: Bool { false }

  @inline(__always)
  mutating func number(
    _ name: StaticString, _ value: (some FixedWidthInteger)?, _ role: EventRole = .parameter
  ) {
    // In the closure that `member` takes, the type of the number would be known only at run time.
    let number = value.map { Int64(clamping: $0) }
    member(name, number.map(EventValue.number), role)
  }

  @inline(__always)
  mutating func flag(_ name: StaticString, _ value: Bool?, _ role: EventRole = .parameter) {
    member(name, value.map(EventValue.flag), role)
  }

  public mutating func word(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    member(name, value().map(EventValue.word), role)
  }

  @inline(__always)
  mutating func word(_ name: StaticString, _ value: @autoclosure () -> String?) {
    word(name, value(), .parameter)
  }

  @inline(__always)
  mutating func text(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole = .incidental
  ) {
    if !withholdsTexts { member(name, value().map(EventValue.text), role) }
  }

  public mutating func identifier(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    text(name, value(), role)
  }

  @inline(__always)
  mutating func identifier(_ name: StaticString, _ value: @autoclosure () -> String?) {
    identifier(name, value(), .incidental)
  }

  public mutating func product(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    text(name, value(), role)
  }

  @inline(__always)
  mutating func product(_ name: StaticString, _ value: @autoclosure () -> String?) {
    product(name, value(), .incidental)
  }

  public mutating func phrase(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole
  ) {
    text(name, value(), role)
  }

  @inline(__always)
  mutating func phrase(_ name: StaticString, _ value: @autoclosure () -> String?) {
    phrase(name, value(), .incidental)
  }

  public mutating func address(
    _ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole
  ) {
    if !withholdsTexts { member(name, value.map { .text($0.description) }, role) }
  }

  @inline(__always)
  mutating func address(_ name: StaticString, _ value: BluetoothAddress?) {
    address(name, value, .incidental)
  }

  public mutating func uuid(
    _ name: StaticString, _ value: BluetoothUUID?, _ role: EventRole
  ) {
    member(name, value.map { .word($0.description) }, role)
  }

  @inline(__always)
  mutating func uuid(_ name: StaticString, _ value: BluetoothUUID?) { uuid(name, value, .family) }

  @inline(__always)
  mutating func nanoseconds(
    _ name: StaticString, _ value: Int64?, _ role: EventRole = .incidental
  ) {
    member(name, value.map(EventValue.nanoseconds), role)
  }

  /// A duration in units of 1.25 ms. It is written in seconds, as all durations are.
  mutating func interval(_ name: StaticString, _ units: UInt16?) {
    nanoseconds(name, units.map(Link.nanoseconds(interval:)), .parameter)
  }

  public mutating func octets(
    _ name: StaticString, _ value: @autoclosure () -> [UInt8], _ role: EventRole
  ) {
    if !withholdsTexts { member(name, .octets(value()), role) }
  }

  @inline(__always)
  mutating func octets(_ name: StaticString, _ value: @autoclosure () -> [UInt8]) {
    octets(name, value(), .incidental)
  }

  /// A code and its name, from the values of the field at `path`.
  @inline(__always)
  mutating func code(
    _ name: StaticString, _ value: (some FixedWidthInteger)?, _ nameOfCode: StaticString,
    _ path: String, _ role: EventRole = .parameter
  ) {
    number(name, value, role)
    guard let value else { return }
    word(nameOfCode, Names.of(value, path), role)
  }

  /// Keys appear only as fingerprints.
  @inline(__always)
  mutating func key(_ fingerprint: Fingerprint?, _ suite: CipherSuite? = nil) {
    word("cipher_suite", suite?.rawValue)
    self.fingerprint(fingerprint)
  }

  @inline(__always)
  mutating func fingerprint(_ fingerprint: Fingerprint?) {
    member("fingerprint", fingerprint.map { .word($0.description) }, .incidental)
  }

  @inline(__always)
  mutating func numbers(
    _ name: StaticString, _ values: [some FixedWidthInteger], _ role: EventRole = .parameter
  ) {
    list(name) { sink in
      for value in values { sink.element(.number(Int64(clamping: value)), role) }
    }
  }

  @inline(__always)
  mutating func words(
    _ name: StaticString, _ values: @autoclosure () -> [String], _ role: EventRole = .parameter
  ) {
    list(name) { sink in for value in values() { sink.element(.word(value), role) } }
  }

  /// The names of the set bits, from the field at `path`.
  @inline(__always)
  mutating func flags(
    _ name: StaticString, _ value: UInt32?, _ path: String, _ role: EventRole = .parameter
  ) {
    if let value { words(name, Names.flags(value, path), role) }
  }

  /// A list with an object for each item.
  @inline(__always)
  mutating func objects<Item>(
    _ name: StaticString, _ items: [Item], _ body: (Item, inout Self) -> Void
  ) {
    list(name) { sink in
      for item in items { sink.element { body(item, &$0) } }
    }
  }
}
