import HarkCore
import HarkCrypto

/// Finds out whether a value that was sent twice is why a message cannot be read: such a message is also put together
/// without the repetition.
struct RepeatedValues: Sendable {
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
    /// Puts the message together without the repetition.
    var trial: (assembler: any VendorAssembler, repetition: Repetition)?
  }

  private static let mostPlaces = 32
  private static let mostValues = 128
  private static let mostBytes = 512

  /// The unfinished messages.
  private var messages: [Place: Message] = [:]

  /// What a message is without its repetitions.
  struct Alternative {
    let framed: [Framed]
    let repetition: Repetition

    /// Parts this long are not equal by chance, as the headers of two messages are.
    private static let certain = 16

    /// Whether the repeated value begins the message `origin` once more, instead of another one.
    /// - Parameter isMark: Whether all messages begin with this value.
    func isBegunAgain(_ origin: MessageOrigin, by value: VendorValue, isMark: Bool) -> Bool {
      repetition.packet == value.frames.last && origin.frames.contains(repetition.original)
        && (origin.values == 1 || !isMark && value.bytes.count >= Self.certain)
    }
  }

  /// Whether the unfinished message already has such a value.
  func hasRepetition(_ value: VendorValue) -> Bool {
    value.isSent && messages[Place(value)]?.seen[value.bytes] != nil
  }

  /// Takes the next value before the assembler receives it.
  /// - Parameter assembler: Required if the value is the first repetition.
  /// - Returns: What the value completes without the repetitions, if there were any.
  mutating func receive(
    _ value: VendorValue, _ assembler: (any VendorAssembler)?
  ) -> Alternative? {
    guard value.isSent, let packet = value.frames.last else { return nil }
    let place = Place(value)
    guard var message = messages.removeValue(forKey: place) else {
      begin(value)
      return nil
    }
    defer { messages[place] = message }
    if let original = message.seen[value.bytes] {
      let repetition = Repetition(packet: packet, original: original)
      if message.trial == nil, let assembler { message.trial = (assembler, repetition) }
      return Alternative(framed: [], repetition: repetition)
    }
    if message.seen.count < Self.mostValues, value.bytes.count <= Self.mostBytes {
      message.seen[value.bytes] = packet
    }
    guard message.trial != nil else { return nil }
    let framed = message.trial?.assembler.receive(value) ?? []
    return message.trial.map { Alternative(framed: framed, repetition: $0.repetition) }
  }

  /// A message begins with this value.
  mutating func begin(_ value: VendorValue) {
    guard value.isSent, let packet = value.frames.last, !value.bytes.isEmpty,
      value.bytes.count <= Self.mostBytes, messages.count < Self.mostPlaces
    else { return }
    messages[Place(value)] = Message(seen: [value.bytes: packet])
  }

  /// A message ended with this value.
  mutating func end(_ value: VendorValue) { messages[Place(value)] = nil }

  mutating func end(link: UInt32) { messages = messages.filter { $0.key.link != link } }
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
