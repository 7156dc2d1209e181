import HarkCore

/// A sentence about an event. It keeps which parts came from the capture and may be personal.
///
///     "LE link \(Names.hex(handle)) to \(personal: name)"
public struct EventSentence: ExpressibleByStringInterpolation, Sendable {
  /// Sentences are made of many short parts: appending those to bytes takes a fifth of what a string takes.
  public private(set) var utf8: [UInt8]
  /// Ranges of `utf8`: names, texts, addresses and identifiers.
  public private(set) var personal: [Range<Int>] = []

  public var text: String { String(decoding: utf8, as: UTF8.self) }

  public init(stringLiteral text: String) { utf8 = Array(text.utf8) }

  public init(stringInterpolation parts: StringInterpolation) { self = parts.sentence }

  public init(_ text: String) { utf8 = Array(text.utf8) }

  private init(capacity: Int) {
    utf8 = []
    utf8.reserveCapacity(capacity)
  }

  public static func + (a: EventSentence, b: EventSentence) -> EventSentence {
    var sentence = a
    sentence += b
    return sentence
  }

  public static func += (a: inout EventSentence, b: EventSentence) {
    let start = a.utf8.count
    a.utf8 += b.utf8
    for range in b.personal {
      a.personal.append(range.lowerBound + start..<range.upperBound + start)
    }
  }

  /// The text with `mark` in place of each part that came from the capture and may be personal.
  public func text(markingPersonal mark: String) -> String {
    guard !personal.isEmpty else { return text }
    var words: [UInt8] = []
    words.reserveCapacity(utf8.count)
    var place = 0
    for range in personal.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      words += utf8[place..<max(place, range.lowerBound)]
      words += mark.utf8
      place = max(place, range.upperBound)
    }
    words += utf8[place...]
    return String(decoding: words, as: UTF8.self)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sentence: EventSentence

    public init(literalCapacity: Int, interpolationCount: Int) {
      sentence = EventSentence(capacity: literalCapacity + 8 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { sentence.utf8 += literal.utf8 }

    public mutating func appendInterpolation(_ words: String) { sentence.utf8 += words.utf8 }

    public mutating func appendInterpolation(_ words: StaticString) {
      unsafe words.withUTF8Buffer { unsafe sentence.utf8.append(contentsOf: $0) }
    }

    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      sentence.utf8 += String(number).utf8
    }

    public mutating func appendInterpolation(personal value: some CustomStringConvertible) {
      let start = sentence.utf8.count
      sentence.utf8 += value.description.utf8
      sentence.personal.append(start..<sentence.utf8.count)
    }

    public mutating func appendInterpolation(_ part: EventSentence) { sentence += part }
  }
}

extension [EventSentence] {
  func joined(separator: String) -> EventSentence {
    dropFirst().reduce(first ?? "") { "\($0)\(separator)\($1)" }
  }

  /// The first of many parts, and how many more there are, as `Names.few` has it.
  func few(most: Int = 4, separator: String = ", ") -> EventSentence {
    guard count > most + 1 else { return joined(separator: separator) }
    return "\(Array(prefix(most)).joined(separator: separator)) and \(count - most) more"
  }
}

extension Event {
  /// The sentence that its kind gives, without its full stop.
  package static func sentence(
    of described: any Described, _ event: Event, _ session: borrowing Session
  ) -> EventSentence {
    var writer = SentenceWriter()
    described.describe(event, in: session, to: &writer)
    var sentence = writer.sentence
    for (address, identity) in identities(in: described, event, session) {
      // Some sentences name the identity themselves, or not the address.
      let text = sentence.text
      guard text.contains(address.description) else { continue }
      switch identity {
      case .address(let identity):
        if text.contains(identity.description) { continue }
        sentence += "; \(personal: address) is \(personal: identity)"
      case .key(let fingerprint):
        sentence += "; IRK \("\(fingerprint)") made \(personal: address)"
      }
    }
    return sentence
  }

  /// What the known IRKs show about the resolvable private addresses that an event names.
  package static func identities(
    in described: any Described, _ event: Event, _ session: borrowing Session
  ) -> [(address: BluetoothAddress, identity: AddressIdentity)] {
    guard session.knowsIRKs else { return [] }
    var collector = AddressCollector()
    described.describe(event, in: session, to: &collector)
    var found: [(address: BluetoothAddress, identity: AddressIdentity)] = []
    for address in collector.addresses {
      if let identity = session.identity(of: address) { found.append((address, identity)) }
    }
    return found
  }
}

/// Keeps the resolvable private addresses alone.
private struct AddressCollector: EventSink {
  private(set) var addresses: [BluetoothAddress] = []

  /// Texts need not be made.
  var withholdsTexts: Bool { true }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {}

  mutating func address(_ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole) {
    guard let value, value.isResolvablePrivate, !addresses.contains(value) else { return }
    addresses.append(value)
  }

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) { body(&self) }
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) { body(&self) }
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}
  mutating func element(_ body: (inout Self) -> Void) { body(&self) }
  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {}
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
