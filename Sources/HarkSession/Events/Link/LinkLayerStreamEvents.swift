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

  /// A side ends a Connected Isochronous Stream. Vol 6, Part B, 5.1.16
  public struct IsochronousStreamEnded: Described {
    /// Nil if it is unknown which side it was.
    public let byPeripheral: Bool?
    public let group: UInt8
    public let stream: UInt8
    public let error: UInt8

    public var kind: EventKind {
      EventKind("isochronous-stream-ended", .link, [.air, .links, .isochronous], isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sender(byPeripheral)
      sink.number("cig", group)
      sink.number("cis", stream)
      sink.code("reason", error, "reason_name", "hci.evt.status", .viewpoint)
      sink.sentence(
        """
        \(side(byPeripheral)) ends Connected Isochronous Stream \(stream) of group \(group): \
        \(Names.status(error))
        """)
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
