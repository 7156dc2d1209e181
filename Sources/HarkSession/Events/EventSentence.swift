import HarkCore

/// A sentence about an event. It keeps track of the parts that come from the capture and may be personal.
///
///     "LE link \(Names.hex(handle)) to \(personal: name)"
public struct EventSentence: ExpressibleByStringInterpolation, Sendable {
  /// Sentences consist of many short parts: appending these to bytes takes a fifth of the time that a string takes.
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

  /// The text with `mark` in place of each part that comes from the capture and may be personal.
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
      words.withUTF8Buffer { unsafe sentence.utf8.append(contentsOf: $0) }
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

  /// The first of many parts, and the number of the others, like `Names.few`.
  func few(most: Int = 4, separator: String = ", ") -> EventSentence {
    guard count > most + 1 else { return joined(separator: separator) }
    return "\(Array(prefix(most)).joined(separator: separator)) and \(count - most) more"
  }
}

extension Event {
  /// What the known IRKs show about the resolvable private addresses that an event names.
  package typealias Resolved = [(address: BluetoothAddress, identity: AddressIdentity)]

  /// The sentence that its kind gives, without its full stop.
  package static func sentence(
    of described: any Described, _ event: Event, _ session: borrowing Session
  ) -> EventSentence {
    sentenceAndIdentities(of: described, event, session).sentence
  }

  /// The sentence, and the identities behind the addresses among the members.
  package static func sentenceAndIdentities(
    of described: any Described, _ event: Event, _ session: borrowing Session
  ) -> (sentence: EventSentence, resolved: Resolved) {
    var writer = SentenceWriter(keepsSentence: true, keepsAddresses: session.knowsIRKs)
    described.describe(event, in: session, to: &writer)
    let resolved: Resolved = writer.addresses.compactMap { address in
      session.identity(of: address).map { (address, $0) }
    }
    for (address, identity) in resolved {
      // Some sentences contain the identity themselves, or do not contain the address.
      let text = writer.sentence.text
      guard text.contains(address.description) else { continue }
      switch identity {
      case .address(let identity):
        if text.contains(identity.description) { continue }
        writer.sentence += "; \(personal: address) is \(personal: identity)"
      case .key(let fingerprint):
        writer.sentence += "; IRK \("\(fingerprint)") made \(personal: address)"
      }
    }
    return (writer.sentence, resolved)
  }

  /// The addresses among its members, each with the identity address that a known IRK shows.
  package func addresses(_ session: borrowing Session) -> [BluetoothAddress] {
    var writer = SentenceWriter(keepsSentence: false, keepsAddresses: true)
    content.described.describe(self, in: session, to: &writer)
    return writer.addresses.flatMap { address in
      guard case .address(let identity) = session.identity(of: address) else { return [address] }
      return [address, identity]
    }
  }
}

/// Keeps the sentence and the addresses among the members, as far as they are wanted.
private struct SentenceWriter: EventSink {
  var sentence: EventSentence = ""
  private(set) var addresses: [BluetoothAddress] = []
  private let keepsSentence: Bool
  private let keepsAddresses: Bool

  init(keepsSentence: Bool, keepsAddresses: Bool) {
    (self.keepsSentence, self.keepsAddresses) = (keepsSentence, keepsAddresses)
  }

  mutating func member(
    _ name: StaticString, _ value: @autoclosure () -> EventValue?, _ role: EventRole
  ) {}

  mutating func address(_ name: StaticString, _ value: BluetoothAddress?, _ role: EventRole) {
    guard keepsAddresses, let value, !addresses.contains(value) else { return }
    addresses.append(value)
  }

  mutating func object(_ name: StaticString, _ body: (inout Self) -> Void) { nested(body) }
  mutating func list(_ name: StaticString, _ body: (inout Self) -> Void) { nested(body) }
  mutating func element(_ value: @autoclosure () -> EventValue, _ role: EventRole) {}
  mutating func element(_ body: (inout Self) -> Void) { nested(body) }

  private mutating func nested(_ body: (inout Self) -> Void) {
    if keepsAddresses { body(&self) }
  }

  mutating func sentence(_ sentence: @autoclosure () -> EventSentence) {
    if keepsSentence { self.sentence = sentence() }
  }
}
