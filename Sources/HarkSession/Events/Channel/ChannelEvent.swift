import HarkDissection

/// Events of dynamic L2CAP channels. Core Specification, Vol 3, Part A.
public enum ChannelEvent: Sendable {
  case opened(Opened)
  case recognized(Recognized)
  case refused(Refused)
  case requestUnanswered(RequestUnanswered)
  case closed(Closed)
  case reconfigured(Reconfigured)
  case reconfigurationRefused(ReconfigurationRefused)
  case framesMissing(FramesMissing)
  case frameDamaged(FrameDamaged)
  case excess(Excess)
  case pollsUnanswered(PollsUnanswered)
  case configured(Configured)
  case configurationRefused(ConfigurationRefused)
  case creditsExceeded(CreditsExceeded)
  case limitExceeded(LimitExceeded)
  case creditsLacking(CreditsLacking)
  case misplaced(Misplaced)
  case data(Data)
  case dataRepeated(DataRepeated)
  case unframedKey(UnframedKey)

  var described: any Described {
    switch self {
    case .opened(let event): event
    case .recognized(let event): event
    case .refused(let event): event
    case .requestUnanswered(let event): event
    case .closed(let event): event
    case .reconfigured(let event): event
    case .reconfigurationRefused(let event): event
    case .framesMissing(let event): event
    case .frameDamaged(let event): event
    case .excess(let event): event
    case .pollsUnanswered(let event): event
    case .configured(let event): event
    case .configurationRefused(let event): event
    case .creditsExceeded(let event): event
    case .limitExceeded(let event): event
    case .creditsLacking(let event): event
    case .misplaced(let event): event
    case .data(let event): event
    case .dataRepeated(let event): event
    case .unframedKey(let event): event
    }
  }

  static func kind(_ name: StaticString, step: StaticString? = nil) -> EventKind {
    EventKind(name, .l2cap, .channels, step: step)
  }

  /// `peer refuses the channel that this host asked for`
  static func refusal(
    _ what: String, isCounted: Bool = false, _ byPeer: Bool?, _ sides: Sides
  ) -> String {
    guard let byPeer else { return "\(what) refused" }
    let what = isCounted ? what : "the \(what)"
    return byPeer
      ? "\(sides.peer) refuses \(what) that \(sides.host) requested"
      : "\(sides.host) refuses \(what) that \(sides.thePeer) requested"
  }
}

extension ChannelEvent {
  public struct Opened: Described {
    public let channel: Channel

    public var kind: EventKind { ChannelEvent.kind("channel-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      if let limits = channel.limits {
        sink.object("local") { limits.local.describe(to: &$0) }
        sink.object("peer") { limits.peer.describe(to: &$0) }
      }
      let sides = Sides(of: event, session)
      sink.sentence("\(words(sides)): \(channel.ends(in: session))\(limits(sides))")
    }

    /// Channels are opened again and again with new CIDs.
    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: "\(words(Sides(of: event, session))): \(channel.nameOfPSM)")
    }

    /// `channel opened by peer`
    private func words(_ sides: Sides) -> String {
      "channel opened" + (channel.isPeerRequest ? " by \(sides.peer)" : "")
    }

    /// `; this host: MTU 512, MPS 64, 10 credits; peer: MTU 512, MPS 100, 0 credits`
    private func limits(_ sides: Sides) -> String {
      guard let limits = channel.limits else { return "" }
      return [(sides.host, limits.local), (sides.peer, limits.peer)].map { who, side in
        "; \(who): MTU \(side.mtu), MPS \(side.mps), \(Names.count(Int(side.credits), "credit"))"
      }.joined() + (limits.isTooSmall ? "; the smallest MTU and MPS are \(limits.least)" : "")
    }
  }

  /// The content of a channel with a dynamic PSM, recognized by the form of its messages.
  public struct Recognized: Described {
    public let channel: Channel
    public let protocolName: String

    public var kind: EventKind { ChannelEvent.kind("channel-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.word("protocol", protocolName, .family)
      sink.sentence(
        """
        channel carries \(protocolName), recognized by the form of its messages: \
        \(channel.ends(in: session, isNamed: false))
        """)
    }
  }

  public struct Refused: Described {
    public let psm: UInt16
    public let result: UInt16
    /// Whether the peer refuses this host's request; nil if the capture does not show it.
    public var byPeer: Bool? = nil
    /// The result is the Reason of a Command Reject.
    public var isCommandReject = false
    /// Whether it is the result of an L2CAP_LE_CREDIT_BASED_CONNECTION_RSP or L2CAP_CREDIT_BASED_CONNECTION_RSP.
    public var isCreditBased = false
    /// How many channels the request is for.
    public var requested = 1
    /// How many of them are refused.
    public var refused = 1

    public var kind: EventKind { ChannelEvent.kind("channel-refused", step: "channel-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("psm", psm, .identity)
      sink.number("result", result)
      sink.flag("by_peer", byPeer)
      sink.flag("command_reject", isCommandReject)
      sink.number("channels_requested", requested > 1 ? requested : nil)
      sink.number("channels_refused", requested > 1 ? refused : nil)
      // LE only has credit-based channels.
      let isLE = event.link.map { session.links[Int($0.index)].transport == .le } ?? false
      let why = isCommandReject ? Names.commandReject(result) : reason(isLE || isCreditBased)
      let what =
        switch (requested, refused) {
        case (1, _): "channel"
        case (2, 2): "both channels"
        case (_, requested): "all \(requested) channels"
        default: "\(refused) of \(requested) channels"
        }
      sink.sentence(
        """
        \(ChannelEvent.refusal(what, isCounted: requested > 1, byPeer, Sides(of: event, session))): \
        \(Names.psm(psm, isSimplified: isLE || isCreditBased)), \(why)
        """)
    }

    /// Results have other numbers for credit-based channels. 4.3, 4.23, 4.26
    private func reason(_ isCreditBased: Bool) -> String {
      let names: [UInt16: String] =
        isCreditBased
        ? [
          2: "SPSM not supported", 4: "no resources available", 5: "insufficient authentication",
          6: "insufficient authorization", 7: "encryption key size too short",
          8: "insufficient encryption", 9: "invalid Source CID",
          10: "Source CID already allocated", 11: "unacceptable parameters",
          12: "invalid parameters",
        ]
        : [
          2: "PSM not supported", 3: "security block", 4: "no resources available",
          6: "invalid Source CID", 7: "Source CID already allocated",
        ]
      return names[result] ?? "result \(Names.hex(result))"
    }
  }

  public struct Closed: Described {
    public let channel: Channel

    public var kind: EventKind { ChannelEvent.kind("channel-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.number("repeated_frames", channel.repeatedFrames, .incidental)
      sink.flag("never_open", channel.isUnconfigured ? true : nil)
      let again =
        channel.repeatedFrames > 0
        ? "; \(Names.count(channel.repeatedFrames, "frame")) retransmitted" : ""
      sink.sentence("\(words): \(channel.ends(in: session))\(again)")
    }

    private var words: StaticString {
      channel.isUnconfigured
        ? "channel closed before both sides accepted its configuration" : "channel closed"
    }

    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: "\(words): \(channel.nameOfPSM)")
    }
  }

  /// The maximum size of the SDUs and frames that the peer or this host accepts has changed.
  public struct Reconfigured: Described {
    public let channel: Channel
    public let mtu: UInt16
    public let mps: UInt16
    public let byPeer: Bool

    public var kind: EventKind { ChannelEvent.kind("channel-reconfigured") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.number("mtu", mtu)
      sink.number("mps", mps)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(byPeer ? sides.peer : sides.host) now accepts SDUs of up to \(Names.count(Int(mtu), "byte")) \
        in frames of up to \(mps): \(channel.ends(in: session))
        """)
    }
  }

  public struct ReconfigurationRefused: Described {
    public let result: UInt16
    /// Whether the peer refuses this host's request; nil if the capture does not show it.
    public var byPeer: Bool? = nil

    public var kind: EventKind { ChannelEvent.kind("reconfiguration-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("result", result)
      sink.flag("by_peer", byPeer)
      let why = Self.results[result] ?? "result \(Names.hex(result))"
      sink.sentence(
        """
        \(ChannelEvent.refusal("reconfiguration of channels", byPeer, Sides(of: event, session))): \(why)
        """)
    }

    /// 4.28
    private static let results: [UInt16: String] = [
      1: "reduction in size of MTU not allowed",
      2: "reduction in size of MPS not allowed for more than one channel",
      3: "one or more Destination CIDs invalid", 4: "other unacceptable parameters",
    ]
  }

  /// I-frames are missing from the capture, or were lost in transit.
  public struct FramesMissing: Described {
    public let channel: Channel
    public let count: Int

    public var kind: EventKind { ChannelEvent.kind("frames-missing") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.number("count", count, .incidental)
      sink.sentence("\(Names.count(count, "frame")) missing: \(channel.ends(in: session))")
    }
  }

  /// Both sides agreed on a mode other than Basic.
  public struct Configured: Described {
    public let channel: Channel
    public let configuration: Channel.Configuration

    public var kind: EventKind { ChannelEvent.kind("channel-configured") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.code("mode", configuration.mode.rawValue, "mode_name", "l2cap.signal.mode")
      sink.number("local_mtu", configuration.localMTU)
      sink.number("peer_mtu", configuration.peerMTU)
      sink.flag("fcs", configuration.hasFCS)
      sink.flag("extended_control", configuration.isExtended)
      sink.sentence(
        "channel configured: \(words(Sides(of: event, session))): \(channel.ends(in: session))")
    }

    /// `Enhanced Retransmission mode, FCS, MTU 672 of this host and 1024 of the peer`
    private func words(_ sides: Sides) -> String {
      (Names.of(configuration.mode.rawValue, "l2cap.signal.mode") ?? "unknown mode")
        + ", \(configuration.hasFCS ? "" : "no ")FCS"
        + (configuration.isExtended ? ", Extended Control Field" : "")
        + ", MTU \(configuration.localMTU) of \(sides.host) and \(configuration.peerMTU) of "
        + "\(sides.thePeer)"
    }
  }

  /// A side does not accept what the other one wants to receive, or how. 4.5
  public struct ConfigurationRefused: Described {
    public let channel: Channel
    public let result: UInt16
    /// Whether the peer refuses this host's request; nil if the capture does not show it.
    public let byPeer: Bool?
    /// The result is the Reason of a Command Reject.
    public let isCommandReject: Bool

    public var kind: EventKind { ChannelEvent.kind("channel-configuration-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      channel.describe(to: &sink)
      sink.number("result", result)
      sink.flag("by_peer", byPeer)
      sink.flag("command_reject", isCommandReject)
      let why =
        isCommandReject
        ? Names.commandReject(result) : Self.results[result] ?? "result \(Names.hex(result))"
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(ChannelEvent.refusal("configuration", byPeer, sides)): \(channel.ends(in: session)): \(why)
        """)
    }

    /// 4.5
    private static let results: [UInt16: String] = [
      1: "unacceptable parameters", 2: "rejected without a reason", 3: "unknown options",
      5: "flow specification rejected",
    ]
  }
}

extension Channel {
  func describe(to sink: inout some EventSink) {
    sink.number("psm", knownPSM, .identity)
    sink.number("source_cid", sourceCID, .incidental)
    sink.number("destination_cid", destinationCID, .incidental)
    sink.flag("peer_request", isPeerRequest)
  }

  /// `EATT (PSM 0x0027)`
  var nameOfPSM: String { Names.psm(psm, isSimplified: limits != nil) }

  /// The same, with the name from a service record.
  func name(in session: borrowing Session) -> String {
    Names.psm(psm, session.name(of: stream), isSimplified: limits != nil)
  }

  /// `EATT (PSM 0x0027), Source CID 0x0040, Destination CID 0x0041`
  package func ends(in session: borrowing Session, isNamed: Bool = true) -> String {
    let name = isNamed ? session.name(of: stream) : nil
    let psm = Names.psm(self.psm, name, isSimplified: limits != nil)
    return "\(psm), Source CID \(Names.hex(sourceCID)), "
      + "Destination CID \(Names.hex(destinationCID))"
  }
}

extension Channel.Limits.Side {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("mtu", mtu)
    sink.number("mps", mps)
    sink.number("credits", credits)
  }
}
