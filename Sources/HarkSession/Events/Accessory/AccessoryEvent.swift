import HarkCore
import HarkCrypto

/// Something an accessory and a phone did over a vendor's characteristics: one row of the timeline.
public struct AccessoryEvent: Described, Hashable {
  public enum Content: Hashable, Sendable {
    // Keys
    case publicKey(PublicKeyEvent)
    case encapsulatedKey(EncapsulatedKeyEvent)
    case exposedKey(ExposedKeyEvent)
    case keyExchangeComplete(KeyExchangeCompletion)

    // Messages
    case sessionSeen(SessionSeen)
    case sessionMoved(SessionMoved)
    case message(TransportedMessage)
    case plain(PlainMessage)
    case observation(MessageObservation)

    // The framing
    case accepted(Acceptance)
    case flowControl(FlowControl)
    case incomplete(Gap)
    case unreadable(UnreadableMessage)
    case blank(BlankMessage)

    fileprivate var described: any AccessoryEventContent {
      switch self {
      case .publicKey(let content): content
      case .encapsulatedKey(let content): content
      case .exposedKey(let content): content
      case .keyExchangeComplete(let content): content
      case .sessionSeen(let content): content
      case .sessionMoved(let content): content
      case .message(let content): content
      case .plain(let content): content
      case .observation(let content): content
      case .accepted(let content): content
      case .flowControl(let content): content
      case .incomplete(let content): content
      case .unreadable(let content): content
      case .blank(let content): content
      }
    }
  }

  /// The name of the vendor's framing.
  public var framing: String
  /// The records that it consists of, their order, times and sizes.
  public var origin: MessageOrigin
  public var content: Content

  /// All records that it consists of, in order.
  public var frames: [PacketID] { origin.frames }
  /// Of the last record.
  public var time: Timestamp { origin.ended }
  public var direction: MessageDirection { origin.direction }

  public var kind: EventKind { content.described.kind(in: self) }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.word("framing", framing)
    sink.word("direction", direction.rawValue, .family)
    describeContent(to: &sink)
  }

  /// Describes the members after `direction`, then the sentence.
  package func describeContent(to sink: inout some EventSink) {
    content.described.describe(in: self, to: &sink)
  }

  /// - Parameter topics: The topics of its framing and origin are added.
  func kind(
    _ name: StaticString, _ lane: Event.Lane, _ topics: Topics = [], step: StaticString? = nil
  ) -> EventKind {
    var topics = topics.union(.accessoryMessages)
    if origin.writeCommands > 0 { topics.insert(.attributes) }
    if framing == ANCS.name { topics.formUnion([.attributes, .notificationCenter]) }
    return EventKind(name, lane, topics, step: step)
  }

  /// The lane of messages in its direction.
  var messageLane: Event.Lane { direction == .hostToAccessory ? .notification : .reply }
}

/// The content of an accessory's event. It describes itself together with the event, which has the direction.
protocol AccessoryEventContent: Sendable {
  func kind(in event: AccessoryEvent) -> EventKind

  /// Describes its members in the order of the JSON, then the sentence.
  func describe(in event: AccessoryEvent, to sink: inout some EventSink)
}

/// A message that a later one refers to.
public struct EarlierMessage: Hashable, Sendable {
  /// Its last record.
  public var packet: PacketID
  /// The time from then to the message that refers to it, in nanoseconds; nil if the clock was set meanwhile.
  public var latency: Int64?
}

extension EarlierMessage? {
  func describe(to sink: inout some EventSink) {
    sink.number("answers_frame", self?.packet.number, .incidental)
    sink.nanoseconds("latency", self?.latency ?? nil)
  }

  /// `, 12 ms after #7`; empty if the capture does not show the earlier message.
  var words: String {
    map { earlier in
      let time = earlier.latency.map { "\(Names.duration($0)) " } ?? ""
      return ", \(time)after #\(earlier.packet.number)"
    } ?? ""
  }
}
