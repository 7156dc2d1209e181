import HarkCore

/// A sentence about an event. It keeps which parts came from the capture and may be personal.
///
///     "LE link \(Names.hex(handle)) to \(personal: name)"
public struct EventSentence: ExpressibleByStringInterpolation, Sendable {
  public private(set) var text: String
  /// Ranges of UTF-8 code units of `text`: names, texts, addresses and identifiers.
  public private(set) var personal: [Range<Int>] = []

  public init(stringLiteral text: String) { self.text = text }

  public init(stringInterpolation parts: StringInterpolation) {
    (text, personal) = (parts.text, parts.personal)
  }

  public init(_ text: String) { self.text = text }

  public static func + (a: EventSentence, b: EventSentence) -> EventSentence {
    "\(a)\(b)"
  }

  /// The text with `mark` in place of each part that came from the capture and may be personal.
  public func text(markingPersonal mark: String) -> String {
    guard !personal.isEmpty else { return text }
    let utf8 = text.utf8
    var words = ""
    words.reserveCapacity(utf8.count)
    var place = 0
    for range in personal.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      words += Self.part(of: utf8, place..<max(place, range.lowerBound))
      words += mark
      place = max(place, range.upperBound)
    }
    return words + Self.part(of: utf8, place..<utf8.count)
  }

  private static func part(of text: String.UTF8View, _ range: Range<Int>) -> Substring {
    let start = text.index(text.startIndex, offsetBy: range.lowerBound)
    return Substring(text[start..<text.index(start, offsetBy: range.count)])
  }

  public static func += (a: inout EventSentence, b: EventSentence) { a = a + b }

  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var personal: [Range<Int>] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(_ words: String) { text += words }

    public mutating func appendInterpolation(_ words: StaticString) { text += words.description }

    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      text += String(number)
    }

    public mutating func appendInterpolation(personal value: some CustomStringConvertible) {
      let start = text.utf8.count
      text += value.description
      personal.append(start..<text.utf8.count)
    }

    public mutating func appendInterpolation(_ part: EventSentence) {
      let start = text.utf8.count
      text += part.text
      for range in part.personal {
        personal.append(range.lowerBound + start..<range.upperBound + start)
      }
    }
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
