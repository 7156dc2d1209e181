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
    let bytes = Array(text.utf8)
    var words = ""
    var place = 0
    for range in personal.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      words += String(decoding: bytes[place..<max(place, range.lowerBound)], as: UTF8.self)
      words += mark
      place = max(place, range.upperBound)
    }
    return words + String(decoding: bytes[place...], as: UTF8.self)
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

    public mutating func appendInterpolation(_ number: some BinaryInteger) { text += "\(number)" }

    public mutating func appendInterpolation(personal value: some CustomStringConvertible) {
      let start = text.utf8.count
      text += value.description
      personal.append(start..<text.utf8.count)
    }

    public mutating func appendInterpolation(_ part: EventSentence) {
      let start = text.utf8.count
      text += part.text
      personal += part.personal.map { $0.lowerBound + start..<$0.upperBound + start }
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
    var writer = SentenceWriter(findsAddresses: session.tables.devices.hasIdentities)
    described.describe(event, in: session, to: &writer)
    var sentence = writer.sentence
    for address in writer.addresses where sentence.text.contains(address.description) {
      guard let identity = session.identity(of: address),
        !sentence.text.contains(identity.description)
      else { continue }
      sentence += "; \(personal: address) is \(personal: identity)"
    }
    return sentence
  }
}

/// Keeps the sentence, and the resolvable private addresses that it may contain.
private struct SentenceWriter: EventSink {
  let findsAddresses: Bool
  private(set) var sentence: EventSentence = ""
  private(set) var addresses: [BluetoothAddress] = []

  init(findsAddresses: Bool) { self.findsAddresses = findsAddresses }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {
    guard findsAddresses, case .address(let address)? = value(), address.isResolvablePrivate,
      !addresses.contains(address)
    else { return }
    addresses.append(address)
  }

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) {
    if findsAddresses { body(&self) }
  }

  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) {
    if findsAddresses { body(&self) }
  }

  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}

  mutating func element(_ body: (inout Self) -> Void) {
    if findsAddresses { body(&self) }
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {
    self.sentence = sentence()
  }
}
