import HarkCore
import HarkDissection

extension ChannelEvent {
  /// Data of a dynamic channel that neither a built-in protocol nor a profile describes: an SDU, or a frame of a
  /// channel whose opening is not in the capture. A layout may read it.
  public struct Data: Described {
    /// Nil if its opening is not in the capture.
    public let channel: ChannelID?
    /// Of the receiver's endpoint.
    public let cid: UInt16
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

    init(
      _ channel: ChannelID?, _ cid: UInt16, byPeer: Bool, _ data: RawSpan, cut: Int,
      layout: Entry? = nil
    ) {
      (self.channel, self.cid, self.byPeer) = (channel, cid, byPeer)
      kept = KeptValue(data, cut: cut, layout: layout)
      digest = KeptValue.digest(data)
    }

    /// Not a step of a comparison: which of them are counted together depends on the other packets between them.
    public var kind: EventKind {
      EventKind("channel-data", .l2cap, .channels, isStep: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      describePlace(in: session, to: &sink)
      kept.describe(to: &sink)
      sink.sentence("\(sentence(event, session))")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: sentence, digest: digest)
    }

    fileprivate func describePlace(in session: borrowing Session, to sink: inout some EventSink) {
      if let channel {
        session.channels[Int(channel.index)].describe(to: &sink)
      } else {
        sink.number("cid", cid, .incidental)
      }
      sink.flag("by_peer", byPeer, .identity)
    }

    fileprivate var words: EventSentence { kept.words() }

    fileprivate func sentence(_ event: Event, _ session: borrowing Session) -> EventSentence {
      "\(action(event, session)): \(words)"
    }

    /// `peer sent data on dynamic (SPSM 0x0080)`
    fileprivate func action(_ event: Event, _ session: borrowing Session) -> String {
      let sides = Sides(of: event, session)
      let place = channel.map { session.channels[Int($0.index)].name(in: session) }
      return "\(byPeer ? sides.peer : sides.host) sent data on "
        + (place ?? "channel \(Names.hex(cid))")
    }
  }

  /// The last of several counted ones, which followed one with its own event.
  public struct DataRepeated: Described {
    public let data: Data
    public let times: Int

    public var kind: EventKind {
      EventKind("channel-data-repeated", .l2cap, .channels, isStep: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      data.describePlace(in: session, to: &sink)
      data.kept.describe(to: &sink)
      sink.number("times", times)
      sink.sentence(
        times == 1
          ? "1 more: \(data.sentence(event, session))"
          : "\(times) more: \(data.action(event, session))\(last)")
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: data.action(event, session), last: last.text, count: times)
    }

    /// `, the last: 01 02`
    private var last: EventSentence { ", the last: \(data.words)" }
  }
}
