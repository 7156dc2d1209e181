import HarkCore
import HarkDissection

// Streams and trains that Link Layers tell each other about. Core Specification, Vol 6, Part B, 5.1.
extension LinkLayerEvent {
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
