import HarkDissection

// Limits and timers of L2CAP channels. Core Specification, Vol 3, Part A, 3.4.3, 4.22, 4.24, 6.2, 10.
extension ChannelEvent {
  /// A signaling request had no response when its link ended, long after the time for it. 6.2.1
  public struct RequestUnanswered: Described {
    package let code: SignalingCommand.Code
    public let byPeer: Bool
    /// From the request to the end of the link or the capture.
    public let nanoseconds: Int64

    public var kind: EventKind {
      ChannelEvent.kind("signaling-unanswered").looking(back: .inSentence)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let name = Names.of(code.rawValue, "l2cap.signal.code")
      sink.word("request", name, .identity)
      sink.flag("by_peer", byPeer)
      sink.nanoseconds("duration", nanoseconds)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(name ?? "L2CAP request") of \(byPeer ? sides.thePeer : sides.host) was not answered for \
        \(Names.duration(nanoseconds))
        """)
    }
  }

  /// Data on a fixed channel of the other transport, or a signaling command that is not defined on its channel. 2.1, 4
  public struct Misplaced: Described {
    public let cid: UInt16
    /// Nil for any data.
    package let code: SignalingCommand.Code?
    /// Nil if unknown.
    public let byPeer: Bool?

    public var kind: EventKind { ChannelEvent.kind("channel-misplaced") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let name = code.map { Names.of($0.rawValue, "l2cap.signal.code") ?? "a command" }
      sink.number("cid", cid)
      sink.word("command", name, .identity)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      let what = name ?? "data"
      let sent = byPeer.map { "\($0 ? sides.peer : sides.host) sent \(what)" } ?? what
      let place = "on CID \(Names.hex(cid))"
      if name != nil {
        sink.sentence("\(sent) \(place), where it is not defined: receivers reject or ignore it")
      } else {
        let links = event.link.map { session.links[Int($0.index)].transport.rawValue } ?? "such"
        sink.sentence("\(sent) \(place), which \(links) links do not have: receivers ignore it")
      }
    }
  }

  /// A frame whose FCS does not match: its receiver discards it. 3.3.5
  public struct FrameDamaged: Described {
    public let channel: Channel
    public let byPeer: Bool

    public var kind: EventKind { ChannelEvent.kind("frame-wrong-fcs") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        frame of \(byPeer ? sides.thePeer : sides.host) has a wrong FCS: \
        \(channel.ends(in: session))
        """)
    }
  }

  /// Data follows the end of a PDU, which its PDU Length states. 3.1, 7.2
  public struct Excess: Described {
    public let cid: UInt16
    /// Nil if unknown.
    public let byPeer: Bool?
    /// The PDU Length.
    public let length: Int
    /// How many bytes follow.
    public let count: Int

    public var kind: EventKind { ChannelEvent.kind("pdu-excess") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cid", cid)
      sink.flag("by_peer", byPeer)
      sink.number("length", length, .incidental)
      sink.number("excess", count, .incidental)
      let sides = Sides(of: event, session)
      let sender = byPeer.map { $0 ? sides.peer : sides.host }
      let what = "PDU on CID \(Names.hex(cid))"
      let bytes = "\(Names.count(count, "byte")) more than its PDU Length of \(length)"
      sink.sentence(
        "\(sender.map { "\($0) sent a \(what) with" } ?? "\(what) has") \(bytes): receivers may discard it"
      )
    }
  }

  /// A channel of Enhanced Retransmission mode ends while one side waits for the answer to its polls. 8.6
  public struct PollsUnanswered: Described {
    public let channel: Channel
    /// Whether the peer polled.
    public let byPeer: Bool
    public let count: Int

    public var kind: EventKind { ChannelEvent.kind("polls-unanswered") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.number("count", count)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(byPeer ? sides.host : sides.thePeer) did not answer \(Names.count(count, "poll")) of \
        \(byPeer ? sides.thePeer : sides.host): \(channel.ends(in: session))
        """)
    }
  }

  /// More K-frames were sent than the receiver allowed.
  public struct CreditsExceeded: Described {
    public let channel: Channel
    public let byPeer: Bool

    public var kind: EventKind { ChannelEvent.kind("credits-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(byPeer ? sides.peer : sides.host) sent more than its credits allow: \
        \(channel.ends(in: session))
        """)
    }
  }

  /// An SDU, a frame, or a number of frames or credits is not allowed. 3.4.3, 4.22, 4.24, 5.4, 8.4.1, 8.6
  public struct LimitExceeded: Described {
    public let channel: Channel
    public let byPeer: Bool
    public let limit: Limit
    /// In bytes or credits.
    public let value: Int
    public let most: Int

    public enum Limit: String, Sendable {
      /// The receiver's MTU.
      case sduSize = "mtu"
      /// The receiver's MPS.
      case frameSize = "mps"
      /// The SDU Length in the first frame of the SDU.
      case sduLength = "sdu-length"
      /// The TxWindow of the receiver of I-frames.
      case window
      /// The receiver of an I-frame said that it is not ready: RNR.
      case notReady = "not-ready"
      /// The credits that the receiver of the K-frames gave, together with those before.
      case credits
      /// A packet gives 0 credits.
      case noCredits = "no-credits"
    }

    public var kind: EventKind { ChannelEvent.kind("limit-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.word("limit", limit.rawValue)
      sink.number("value", value, .incidental)
      sink.number("most", most)
      let sides = Sides(of: event, session)
      sink.sentence("\(words(byPeer ? sides.peer : sides.host)): \(channel.ends(in: session))")
    }

    private func words(_ sender: StaticString) -> String {
      switch limit {
      case .sduSize: "\(sender) sent an SDU of \(value) bytes, but the receiver's MTU is \(most)"
      case .frameSize:
        "\(sender) sent a K-frame with \(value) bytes, but the receiver's MPS is \(most)"
      case .sduLength:
        "\(sender) sent \(value) bytes of an SDU whose first frame announces \(most)"
      case .window:
        "\(sender) sent \(value) I-frames without acknowledgement, but the receiver's TxWindow is \(most)"
      case .notReady: "\(sender) sent an I-frame although the receiver was not ready (RNR)"
      case .credits: "\(sender) gave credits for \(value) K-frames, but at most \(most) are allowed"
      case .noCredits: "\(sender) gave 0 credits"
      }
    }
  }

  /// A side could not send for this long after it had used its last credit.
  public struct CreditsLacking: Described {
    public let channel: Channel
    public let byPeer: Bool
    public let nanoseconds: Int64

    public var kind: EventKind { ChannelEvent.kind("credits-lacking") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.flag("by_peer", byPeer)
      sink.nanoseconds("duration", nanoseconds)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(byPeer ? sides.peer : sides.host) had no credits left for \(Names.duration(nanoseconds)): \
        \(channel.ends(in: session))
        """)
    }
  }
}
