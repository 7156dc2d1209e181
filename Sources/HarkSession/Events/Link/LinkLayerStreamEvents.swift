import HarkCore
import HarkDissection

// Instants, streams and trains of which Link Layers inform each other. Core Specification, Vol 6, Part B, 5.1.
extension LinkLayerEvent {
  /// A change was received after the connection event at which it should take effect: the receiver considers the
  /// connection lost. Vol 6, Part B, 5.1.1, 5.1.2, 5.1.10
  public struct InstantPassed: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    public let opcode: UInt8?
    public let instant: UInt16
    /// connEventCount of the connection event in which it was sent.
    public let count: UInt16

    public var kind: EventKind { link("instant-passed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.number("opcode", opcode, .incidental)
      sink.word("opcode_name", opcode.flatMap { Names.of($0, "ll.control.opcode") })
      sink.number("instant", instant, .incidental)
      sink.number("event_count", count, .incidental)
      let name = opcode.flatMap { Names.of($0, "ll.control.opcode") } ?? "a change"
      sink.sentence(
        """
        \(side(byPeripheral)) sends \(name) after its instant: connection event \(count), instant \(instant)
        """)
    }
  }

  /// The Central creates a Connected Isochronous Stream. Vol 6, Part B, 5.1.15
  public struct IsochronousStreamAddress: Described {
    public let address: UInt32
    /// Nil if its request was not received.
    public var group: UInt8? = nil
    public var stream: UInt8? = nil

    public var kind: EventKind { streamKind("isochronous-stream") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("access_address", address)
      sink.number("cig", group)
      sink.number("cis", stream)
      sink.sentence(
        """
        \(LinkLayerEvent.words(group, stream)) begins, access address \(Names.hex(address))
        """)
    }
  }

  /// A side ends a Connected Isochronous Stream, or its connection ends. Vol 6, Part B, 5.1.16
  public struct IsochronousStreamEnded: Described {
    /// Nil if it is unknown which side it was, or if its connection ended.
    public let byPeripheral: Bool?
    /// Nil if its request was not received.
    public let group: UInt8?
    public let stream: UInt8?
    /// Nil if the capture does not show it.
    public let error: UInt8?
    /// Whether it ended with its connection, without a PDU of its own.
    public var isWithACL = false

    public var kind: EventKind { streamKind("isochronous-stream-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.number("cig", group)
      sink.number("cis", stream)
      sink.code("reason", error, "reason_name", "hci.evt.status", .viewpoint)
      sink.flag("with_acl", isWithACL)
      let name = LinkLayerEvent.words(group, stream)
      let why = error.map { Names.status($0) } ?? "reason not captured"
      sink.sentence(
        isWithACL
          ? "\(name) ended with its connection: \(why)"
          : "\(side(byPeripheral)) ends \(name): \(why)")
    }
  }

  private static func words(_ group: UInt8?, _ stream: UInt8?) -> String {
    guard let group, let stream else { return "Connected Isochronous Stream" }
    return "Connected Isochronous Stream \(stream) of group \(group)"
  }

  private static func group(_ seedAccessAddress: UInt32) -> String {
    "broadcast group \(Names.hex(seedAccessAddress))"
  }

  /// BIG_CHANNEL_MAP_IND. Vol 6, Part B, 2.6.3.1
  public struct BroadcastChannelMap: Described, Equatable {
    /// Its Seed Access Address.
    public let group: UInt32
    public let map: UInt64
    /// The lower 16 bits of the bigEventCounter from which it counts.
    public let instant: UInt16

    public var kind: EventKind { streamKind("broadcast-channel-map") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("seed_access_address", group)
      sink.word("channel_map", Names.hex(map))
      sink.number("channels", map.nonzeroBitCount)
      sink.number("instant", instant, .incidental)
      sink.sentence(
        """
        \(LinkLayerEvent.group(group)): channel map from BIG event \(instant) on: \(map.nonzeroBitCount) of 37 \
        channels in use
        """)
    }
  }

  /// BIG_TERMINATE_IND. Vol 6, Part B, 2.6.3.2
  public struct BroadcastGroupTerminating: Described, Equatable {
    /// Its Seed Access Address.
    public let group: UInt32
    public let reason: UInt8
    /// The lower 16 bits of the bigEventCounter at which the group ends.
    public let instant: UInt16

    public var kind: EventKind { streamKind("broadcast-group-terminating") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("seed_access_address", group)
      sink.code("reason", reason, "reason_name", "hci.evt.status", .viewpoint)
      sink.number("instant", instant, .incidental)
      sink.sentence(
        """
        the broadcaster announces the end of \(LinkLayerEvent.group(group)) at BIG event \(instant): \
        \(Names.status(reason))
        """)
    }
  }

  /// The instant of BIG_TERMINATE_IND has come, or the group is announced and received no longer. Vol 6, Part B, 4.4.6.9
  public struct BroadcastGroupTerminated: Described, Equatable {
    /// Its Seed Access Address.
    public let group: UInt32
    /// Nil without BIG_TERMINATE_IND.
    public let reason: UInt8?
    /// What shows that it has ended.
    public let cause: Cause

    public enum Cause: String, Sendable {
      case terminated
      /// Another group is announced in the same train.
      case replaced
      /// The train continues without BIGInfo.
      case notAnnounced = "not-announced"
      /// Neither BIGInfo nor packets were received for long.
      case notReceived = "not-received"
    }

    init(group: UInt32, reason: UInt8) {
      (self.group, self.reason, cause) = (group, reason, .terminated)
    }

    init(group: UInt32, cause: Cause) { (self.group, reason, self.cause) = (group, nil, cause) }

    public var kind: EventKind { streamKind("broadcast-group-terminated") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("seed_access_address", group)
      sink.code("reason", reason, "reason_name", "hci.evt.status", .viewpoint)
      sink.word("cause", cause.rawValue, .viewpoint)
      let why =
        switch cause {
        case .terminated: reason.map { Names.status($0) } ?? "terminated"
        case .replaced: "its broadcaster announces another group"
        case .notAnnounced: "its broadcaster no longer announces it"
        case .notReceived: "nothing received for 164 s"
        }
      sink.sentence("\(LinkLayerEvent.group(group)) ended: \(why)")
    }
  }

  /// A side sends the other where a periodic advertising train is. Vol 6, Part B, 5.1.13
  public struct PeriodicSync: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    public let advertiser: PeriodicEvent.Advertiser
    public let accessAddress: UInt32

    public var kind: EventKind { link("periodic-sync-sent") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      advertiser.describe(to: &sink)
      sink.number("access_address", accessAddress)
      sink.sentence(
        """
        \(side(byPeripheral)) transfers the sync with a periodic advertising train: \(advertiser.words), access \
        address \(Names.hex(accessAddress))
        """)
    }
  }
}
