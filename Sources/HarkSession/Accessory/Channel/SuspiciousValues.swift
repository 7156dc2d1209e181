import HarkCore
import HarkCrypto

/// Finds out whether a message cannot be read because one of its values was sent twice, or because the values of two
/// messages alternate: such messages are also put together without the repetition, and each one alone.
struct SuspiciousValues: Sendable {
  enum Cause: Sendable {
    case repeated(Repetition)
    /// By the packet with which the message begins.
    case interleaved(PacketID)
  }

  /// What the values are if the cause is removed.
  struct Alternative {
    var framed: [Framed] = []
    let cause: Cause
  }

  private struct Place: Hashable {
    let channel: VendorChannel
    let toServer: Bool
    let link: UInt32
    let stream: StreamID?

    init(_ value: VendorValue) {
      (channel, toServer, link, stream) = (value.channel, value.toServer, value.link, value.stream)
    }
  }

  private struct Message {
    var seen: [[UInt8]: PacketID] = [:]
    /// Of the values so far.
    var bytes = 0
    /// Puts the message together without the repetition.
    var trial: (assembler: any VendorAssembler, repetition: Repetition)?
  }

  /// Two messages that began one after the other.
  private struct Pair {
    /// The older one first; nil once it is complete.
    var assemblers: [(any VendorAssembler)?]
    let begun: [PacketID]
    var turn = 0
  }

  private static let mostPlaces = 32
  private static let mostValues = 128
  private static let mostBytes = 512
  /// Longer messages are not copied.
  private static let mostCopied = 8_192

  /// The unfinished messages.
  private var messages: [Place: Message] = [:]
  private var pairs: [Place: Pair] = [:]

  /// Whether the assembler has to be copied before it receives the value: the value repeats one of the unfinished message,
  /// or may begin another one.
  func needsCopy(_ value: VendorValue) -> Bool {
    guard value.isSent, let message = messages[Place(value)] else { return false }
    return message.bytes <= Self.mostCopied
      || message.trial == nil && message.seen[value.bytes] != nil
  }

  /// Takes the next value before the assembler receives it.
  /// - Returns: What the value completes otherwise, if something is suspicious.
  mutating func receive(
    _ value: VendorValue, _ assembler: (any VendorAssembler)?
  ) -> Alternative? {
    guard value.isSent, let packet = value.frames.last else { return nil }
    let place = Place(value)
    let turn = takeTurn(value, place)
    guard var message = messages.removeValue(forKey: place) else {
      begin(value)
      return turn
    }
    defer { messages[place] = message }
    message.bytes += value.bytes.count
    if let original = message.seen[value.bytes] {
      let repetition = Repetition(packet: packet, original: original)
      if message.trial == nil, let assembler { message.trial = (assembler, repetition) }
      return turn ?? Alternative(cause: .repeated(repetition))
    }
    if message.seen.count < Self.mostValues, value.bytes.count <= Self.mostBytes {
      message.seen[value.bytes] = packet
    }
    guard message.trial != nil else { return turn }
    let framed = message.trial?.assembler.receive(value) ?? []
    return turn
      ?? message.trial.map { Alternative(framed: framed, cause: .repeated($0.repetition)) }
  }

  /// Gives the value to that one of two messages whose turn it is.
  private mutating func takeTurn(_ value: VendorValue, _ place: Place) -> Alternative? {
    guard var pair = pairs.removeValue(forKey: place) else { return nil }
    let turn = pair.turn
    let framed = pair.assemblers[turn]?.receive(value) ?? []
    if !framed.isEmpty { pair.assemblers[turn] = nil }
    if pair.assemblers[1 - turn] != nil { pair.turn = 1 - turn }
    if pair.assemblers[pair.turn] != nil { pairs[place] = pair }
    return framed.isEmpty
      ? nil : Alternative(framed: framed, cause: .interleaved(pair.begun[turn]))
  }

  /// A message begins with this value.
  mutating func begin(_ value: VendorValue) {
    guard value.isSent, let packet = value.frames.last, !value.bytes.isEmpty,
      value.bytes.count <= Self.mostBytes, messages.count < Self.mostPlaces
    else { return }
    messages[Place(value)] = Message(seen: [value.bytes: packet], bytes: value.bytes.count)
  }

  /// A message ended with this value.
  mutating func end(_ value: VendorValue) { messages[Place(value)] = nil }

  /// A message began with this value before the one in `older`, which began in `packet`, ended.
  mutating func begin(
    _ value: VendorValue, _ newer: any VendorAssembler, before older: any VendorAssembler,
    begunIn packet: PacketID
  ) {
    begin(value)
    guard let first = value.frames.first, pairs.count < Self.mostPlaces else { return }
    pairs[Place(value)] = Pair(assemblers: [older, newer], begun: [packet, first])
  }

  mutating func end(link: UInt32) {
    messages = messages.filter { $0.key.link != link }
    pairs = pairs.filter { $0.key.link != link }
  }
}

extension SuspiciousValues.Alternative {
  /// Parts this long are more than a header: the headers of two messages are equal, with a session's UUID as text.
  private static let certain = 48

  /// The packet with which the value begins the message `origin` once more, instead of another one.
  /// - Parameter isMark: Whether all messages begin with this value.
  func beginningAgain(
    _ origin: MessageOrigin, by value: VendorValue, isMark: Bool
  ) -> PacketID? {
    guard case .repeated(let repetition) = cause, repetition.packet == value.frames.last,
      origin.frames.contains(repetition.original),
      isMark ? origin.values == 1 : value.bytes.count >= Self.certain
    else { return nil }
    return repetition.packet
  }
}

extension VendorValue {
  /// Whether its sender gave it to the receiver.
  fileprivate var isSent: Bool {
    switch operation {
    case .write, .writeCommand, .notification, .indication, .data: true
    case .read, .subscribe, .refused: false
    }
  }
}
