import HarkCore
import HarkCrypto

/// What a kind of event says about itself, once. Sentences, JSON, comparisons, topics of rules and the
/// documentation are made from it.
public protocol Described: Sendable {
  var kind: EventKind { get }

  /// Gives the members in the order of the JSON, then the sentence.
  /// - Parameter session: As it was when the event was emitted.
  func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink)

  /// What a timeline counts where several say the same: the sentence, if the kind does not say otherwise.
  func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition
}

extension Described {
  public func repetition(
    _ sentence: String, _ event: Event, in session: borrowing Session
  ) -> EventRepetition {
    guard let folded = kind.folded else { return EventRepetition(subject: sentence) }
    return EventRepetition(subject: folded.description, last: ", the last: \(sentence)")
  }
}

/// What events have in common that a timeline counts in one line.
public struct EventRepetition: Equatable, Sendable {
  /// What `3 more: ` is followed by.
  package var subject: String
  /// What follows the subject where several are counted: of the last of them.
  package var last = ""
  /// Tells apart what reads alike, such as values that are shown in part.
  package var digest: UInt64 = 0
  /// How many the event stands for itself.
  package var count = 1

  /// Whether both are counted in one line.
  package func repeats(_ other: EventRepetition) -> Bool {
    digest == other.digest && subject == other.subject
  }
}

/// What is the same for all events of a kind.
public struct EventKind: Sendable {
  /// The `kind` in JSON. It never changes.
  public let name: StaticString
  public let lane: Event.Lane
  package let topics: Topics
  /// The step of a comparison; nil where the kind is no step. Kinds that are one step with different
  /// outcomes have the name of one of them.
  package let step: StaticString?
  /// Whether captures of a host and captures from the air both can show it.
  package let isShared: Bool
  /// What several are called that follow one in a timeline, where they are only counted: of kinds that happen
  /// all the time, whatever else does.
  package private(set) var folded: StaticString?
  /// How its sentence goes on where it happened earlier than it is told.
  package private(set) var retrospect = Retrospect.ended

  /// What is said of an event that happened earlier than it is told.
  package enum Retrospect: Sendable {
    /// `; ended 24.4 s earlier`
    case ended
    /// `; asked 24.4 s earlier`
    case asked
    /// Nothing: its own sentence looks back.
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

  /// The same kind, of which a timeline counts those that follow one.
  func folded(as name: StaticString) -> EventKind {
    var kind = self
    kind.folded = name
    return kind
  }

  /// The same kind, whose sentence goes on in another way where it happened earlier.
  func looking(back retrospect: Retrospect) -> EventKind {
    var kind = self
    kind.retrospect = retrospect
    return kind
  }
}

/// What a member means where two captures are compared.
public enum EventRole: Sendable {
  /// It tells steps apart, even steps with different outcomes: a UUID, a direction.
  case family
  /// It tells steps apart.
  case identity
  /// It may differ in the same step: a difference worth reporting.
  case parameter
  /// A parameter that captures of a host and captures from the air give differently.
  case viewpoint
  /// It differs in every capture: a handle, a time, a user's text.
  case incidental
}

/// The value of a member.
public enum EventValue: Sendable {
  case number(Int64)
  case flag(Bool)
  /// A name of the specification's, or of hark's.
  case word(String)
  /// A name, text or identifier from the capture, which may be personal.
  case text(String)
  case address(BluetoothAddress)
  case nanoseconds(Int64)
  /// Octets from the capture, as hexadecimal digits in JSON.
  case octets([UInt8])
}

/// Takes what events say about themselves. Each output of events is one.
public protocol EventSink {
  /// A member; nil where the capture does not have it.
  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole)
  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void)
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void)
  /// A value in a list.
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole)
  /// An object in a list.
  mutating func element(_ body: (inout Self) -> Void)
  /// The sentence of the timeline, without its full stop.
  mutating func sentence(_ sentence: @autoclosure () -> EventSentence)
}

extension EventSink {
  mutating func number(
    _ name: StaticString, _ value: (some FixedWidthInteger)?, _ role: EventRole = .parameter
  ) {
    member(name, value.map { .number(Int64(clamping: $0)) }, role)
  }

  mutating func flag(_ name: StaticString, _ value: Bool?, _ role: EventRole = .parameter) {
    member(name, value.map(EventValue.flag), role)
  }

  mutating func word(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole = .parameter
  ) {
    member(name, value().map(EventValue.word), role)
  }

  mutating func text(
    _ name: StaticString, _ value: @autoclosure () -> String?, _ role: EventRole = .incidental
  ) {
    member(name, value().map(EventValue.text), role)
  }

  mutating func address(
    _ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole = .incidental
  ) {
    member(name, value.map(EventValue.address), role)
  }

  /// A UUID as Core Specification, Vol 3, Part B, 2.5.1 writes it.
  mutating func uuid(
    _ name: StaticString, _ value: BluetoothUUID?, _ role: EventRole = .family
  ) {
    member(name, value.map { .word($0.description) }, role)
  }

  mutating func nanoseconds(
    _ name: StaticString, _ value: Int64?, _ role: EventRole = .incidental
  ) {
    member(name, value.map(EventValue.nanoseconds), role)
  }

  mutating func octets(
    _ name: StaticString, _ value: @autoclosure () -> [UInt8], _ role: EventRole = .incidental
  ) {
    member(name, .octets(value()), role)
  }

  /// A code, and the name that the values of the field at `path` give it.
  mutating func code(
    _ name: StaticString, _ value: (some FixedWidthInteger)?, _ nameOfCode: StaticString,
    _ path: String, _ role: EventRole = .parameter
  ) {
    number(name, value, role)
    guard let value else { return }
    word(nameOfCode, Names.of(value, path), role)
  }

  /// A key never appears but by its fingerprint.
  mutating func key(_ fingerprint: Fingerprint?, _ suite: CipherSuite? = nil) {
    word("cipher_suite", suite?.rawValue)
    self.fingerprint(fingerprint)
  }

  mutating func fingerprint(_ fingerprint: Fingerprint?) {
    member("fingerprint", fingerprint.map { .word($0.description) }, .incidental)
  }

  mutating func numbers(
    _ name: StaticString, _ values: [some FixedWidthInteger], _ role: EventRole = .parameter
  ) {
    list(name) { sink in
      for value in values { sink.element(.number(Int64(clamping: value)), role) }
    }
  }

  mutating func words(
    _ name: StaticString, _ values: @autoclosure () -> [String], _ role: EventRole = .parameter
  ) {
    list(name) { sink in for value in values() { sink.element(.word(value), role) } }
  }

  /// The names of the bits that are set, in the field at `path`.
  mutating func flags(
    _ name: StaticString, _ value: UInt32?, _ path: String, _ role: EventRole = .parameter
  ) {
    if let value { words(name, Names.flags(value, path), role) }
  }

  /// A list with an object for each item.
  mutating func objects<Item>(
    _ name: StaticString, _ items: [Item], _ body: (Item, inout Self) -> Void
  ) {
    list(name) { sink in
      for item in items { sink.element { body(item, &$0) } }
    }
  }
}
