import HarkCore
import HarkCrypto
import HarkDissection

extension ChannelEvent {
  /// Data that neither a built-in protocol nor a profile describes. A layout may read it.
  public struct Data: Described {
    public enum Place: Equatable, Sendable {
      /// An SDU of a dynamic channel.
      case channel(ChannelID)
      /// A frame of a channel whose opening is not in the capture, by the receiver's endpoint.
      case cid(UInt16)
      /// A message that a layout reads in a stream.
      case stream(StreamID, Stream.Kind)
    }

    public let place: Place
    public let byPeer: Bool
    /// Distinguishes data with the same beginning; if several are counted, that of the first.
    public let digest: UInt64
    /// If several are counted, what the latest holds.
    var kept: KeptValue

    /// Its size in bytes.
    public var count: Int { kept.count }
    /// How many of its last bytes are missing because the recorder cut them.
    public var cut: Int { kept.cut }
    /// The first bytes; empty if a layout names keys among its fields.
    public var bytes: [UInt8] { kept.bytes }

    init(_ place: Place, byPeer: Bool, _ data: RawSpan, cut: Int, layout: Entry? = nil) {
      (self.place, self.byPeer) = (place, byPeer)
      kept = KeptValue(data, cut: cut, layout: layout)
      digest = FNV1a(data).value
    }

    public var kind: EventKind { place.kind("channel-data", "stream-message") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      place.describe(in: session, to: &sink)
      sink.flag("by_peer", byPeer, .identity)
      kept.describe(to: &sink)
      sink.sentence("\(sentence(event, session))")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: sentence, digest: digest)
    }

    fileprivate var words: EventSentence { kept.words() }

    fileprivate func sentence(_ event: Event, _ session: borrowing Session) -> EventSentence {
      "\(action(event, session)): \(words)"
    }

    /// `peer sent data on dynamic (SPSM 0x0080)`
    fileprivate func action(_ event: Event, _ session: borrowing Session) -> String {
      let sides = Sides(of: event, session)
      return "\(byPeer ? sides.peer : sides.host) sent \(place.words(in: session))"
    }
  }

  /// The last of several counted ones, which followed one with its own event.
  public struct DataRepeated: Described {
    public let data: Data
    public let times: Int

    public var kind: EventKind {
      data.place.kind("channel-data-repeated", "stream-message-repeated")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      data.place.describe(in: session, to: &sink)
      sink.flag("by_peer", data.byPeer, .identity)
      data.kept.describe(to: &sink)
      sink.number("times", times)
      sink.sentence(
        times == 1
          ? "once more: \(data.sentence(event, session))"
          : "\(Names.count(times)) more times: \(data.action(event, session))\(last)")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: data.action(event, session), last: last.text, count: times)
    }

    /// `; the last: 01 02`
    private var last: EventSentence { "; the last: \(data.words)" }
  }
}

extension ChannelEvent {
  /// Data contains a key, as its bytes prove, and no framing describes the channel.
  public struct UnframedKey: Described {
    public let place: Data.Place
    public let shape: KeyShape

    public var kind: EventKind {
      EventKind("channel-unframed-key", .l2cap, .channels, isStep: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      place.describe(in: session, to: &sink)
      sink.word("cipher_suite", shape.suite.name)
      sink.number("key_size", shape.size)
      sink.sentence(shape.unframed(in: place.words(in: session)))
    }
  }
}

extension ChannelEvent.Data.Place {
  /// Not a step of a comparison: which of them are counted together depends on the other packets between them.
  fileprivate func kind(_ ofChannel: StaticString, _ ofStream: StaticString) -> EventKind {
    guard case .stream(_, let kind) = self else {
      return EventKind(ofChannel, .l2cap, .channels, isStep: false)
    }
    return EventKind(ofStream, kind.lane, .channels, isStep: false)
  }

  fileprivate func describe(in session: borrowing Session, to sink: inout some EventSink) {
    switch self {
    case .channel(let id): session.channels[Int(id.index)].describe(to: &sink)
    case .cid(let cid): sink.number("cid", cid, .incidental)
    case .stream(let id, let kind):
      sink.number("stream", id.index + 1, .incidental)
      if case .attribute(let handle) = kind { sink.number("handle", handle, .incidental) }
    }
  }

  /// `data on dynamic (SPSM 0x0080)`, `a message on RFCOMM channel 5`
  fileprivate func words(in session: borrowing Session) -> String {
    switch self {
    case .channel, .cid: "data on \(name(in: session))"
    case .stream(_, .attribute): "a message in values of \(name(in: session))"
    case .stream: "a message on \(name(in: session))"
    }
  }

  /// The channel, attribute or stream.
  public func name(in session: borrowing Session) -> String {
    switch self {
    case .channel(let id): session.channels[Int(id.index)].name(in: session)
    case .cid(let cid): "channel \(Names.hex(cid))"
    case .stream(_, .attribute(let handle)): "attribute \(Names.hex(handle))"
    case .stream(let id, _): session.streams[Int(id.index)].words(in: session)
    }
  }
}
