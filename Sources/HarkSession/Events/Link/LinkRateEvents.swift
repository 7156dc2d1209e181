import HarkCore

// What the events of LE links report that came with Core Specification 6.0 and later.
extension LinkChangeEvent {
  /// The interval and the subrate changed together.
  public struct Rate: Described {
    /// In units of 125 µs.
    public let interval: UInt16
    public let factor: UInt16
    public let latency: UInt16
    public let continuation: UInt16
    /// In units of 10 ms.
    public let timeout: UInt16

    var nanoseconds: Int64 { Int64(interval) * 125_000 }

    public var kind: EventKind { LinkEvent.kind("connection-rate", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.nanoseconds("interval", nanoseconds, .parameter)
      sink.number("subrate_factor", factor)
      sink.number("peripheral_latency", latency)
      sink.number("continuation_number", continuation)
      sink.nanoseconds("supervision_timeout", Int64(timeout) * 10_000_000, .parameter)
      let subrated =
        factor > 1 ? " (\(Names.interval(nanoseconds: nanoseconds * Int64(factor))))" : ""
      sink.sentence(
        """
        connection rate: interval \(Names.interval(nanoseconds: nanoseconds)), \
        subrate factor \(factor)\(subrated), latency \(latency), \
        continuation number \(continuation), supervision timeout \(UInt32(timeout) * 10) ms
        """)
    }
  }

  public struct RateFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("connection-rate-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("connection rate not changed: \(Names.status(status))")
    }
  }

  /// The time between packets changed.
  public struct FrameSpace: Described {
    /// Nil over the air, where the PDUs before show it.
    public let initiator: UInt8?
    /// In µs.
    public let space: UInt16
    /// A bit for each PHY and each type of space that changed.
    public let phys: UInt8
    public let types: UInt16

    public var kind: EventKind { LinkEvent.kind("frame-space", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("initiator", initiator, "initiator_name", "hci.evt.frameSpaceInitiator")
      sink.nanoseconds("frame_space", Int64(space) * 1_000, .parameter)
      let phyNames = Names.flags(UInt32(phys), "hci.evt.framePHYs")
      let typeNames = Names.flags(UInt32(types), "hci.evt.spacingTypes")
      sink.words("phys", phyNames)
      sink.words("spacing_types", typeNames)
      let scope = [phyNames, typeNames].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
      sink.sentence(
        "frame space \(space) µs\(scope.isEmpty ? "" : " (\(scope.joined(separator: "; ")))")")
    }
  }

  public struct FrameSpaceFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("frame-space-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("frame space not changed: \(Names.status(status))")
    }
  }
}
