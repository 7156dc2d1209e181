import HarkCore
import HarkDissection

// How often links send, and how strongly.
extension LinkChangeEvent {
  /// Which connection events are used. Vol 6, Part B, 4.5.1
  public struct Subrate: Described {
    public let factor: UInt16
    public let latency: UInt16
    public let continuation: UInt16
    /// In units of 10 ms.
    public let timeout: UInt16

    public var kind: EventKind { LinkEvent.kind("subrate", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("subrate_factor", factor)
      sink.number("peripheral_latency", latency)
      sink.number("continuation_number", continuation)
      sink.nanoseconds("supervision_timeout", Int64(timeout) * 10_000_000, .parameter)
      let interval =
        LinkEvent.link(event, session)?.interval.map {
          " (\(Names.duration($0 * Int64(factor))))"
        } ?? ""
      sink.sentence(
        """
        subrate factor \(factor)\(interval), latency \(latency), \
        continuation number \(continuation), supervision timeout \(UInt32(timeout) * 10) ms
        """)
    }
  }

  public struct SubrateFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("subrate-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("subrate not changed: \(Names.status(status))")
    }
  }

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

  /// How much later than agreed for sniff mode data may come. Vol 4, Part E, 7.7.37
  public struct SniffSubrating: Described {
    /// In units of 0.625 ms, as all members.
    public let maxTransmitLatency: UInt16
    public let maxReceiveLatency: UInt16
    public let minRemoteTimeout: UInt16
    public let minLocalTimeout: UInt16

    init(_ change: HCILinkEvent.SniffSubrating) {
      (maxTransmitLatency, maxReceiveLatency, minRemoteTimeout, minLocalTimeout) =
        (
          change.maxTransmitLatency, change.maxReceiveLatency, change.minRemoteTimeout,
          change.minLocalTimeout
        )
    }

    public var kind: EventKind { LinkEvent.kind("sniff-subrating") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.nanoseconds("max_transmit_latency", Self.nanoseconds(maxTransmitLatency), .parameter)
      sink.nanoseconds("max_receive_latency", Self.nanoseconds(maxReceiveLatency), .parameter)
      sink.nanoseconds("min_remote_timeout", Self.nanoseconds(minRemoteTimeout), .parameter)
      sink.nanoseconds("min_local_timeout", Self.nanoseconds(minLocalTimeout), .parameter)
      sink.sentence(
        """
        sniff subrating: latency of up to \(Names.duration(Self.nanoseconds(maxTransmitLatency))) out, \
        \(Names.duration(Self.nanoseconds(maxReceiveLatency))) in
        """)
    }

    private static func nanoseconds(_ slots: UInt16) -> Int64 { Int64(slots) * 625_000 }
  }

  /// The path loss entered another of the zones that the host has defined.
  public struct PathLoss: Described {
    /// In dB; nil if it is not available, and then the zone means nothing. Vol 4, Part E, 7.7.65.32
    public let loss: UInt8?
    public let zone: UInt8

    // It changes while people move.
    public var kind: EventKind {
      LinkEvent.kind("path-loss", isShared: false).folded(as: "changes of path loss")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("path_loss", loss, .incidental)
      guard let loss else { return sink.sentence("path loss not available") }
      sink.code("zone", zone, "zone_name", "hci.evt.pathLossZone", .incidental)
      let name = Names.of(zone, "hci.evt.pathLossZone") ?? "path loss zone \(zone)"
      let words = name.prefix(1).lowercased() + name.dropFirst()
      sink.sentence("\(words): \(loss) dB")
    }
  }

  /// The transmit power of one side on a PHY changed, or was read.
  public struct TransmitPower: Described {
    /// Whether it is that of this host; over the air, that of the Central.
    public let isLocal: Bool
    /// Whether the host asked for it, and it has not changed.
    public let isRead: Bool
    public let phy: UInt8
    /// In dBm; nil if it is not available.
    public let level: Int8?
    /// Whether the peer manages its power on this PHY.
    public let isManaged: Bool
    public let isMinimum: Bool
    public let isMaximum: Bool
    /// In dB; nil if it is not available.
    public let delta: Int8?

    init(_ power: LEConnectionEvent.TransmitPower) {
      isLocal = power.reason == 0
      isRead = power.reason == 2
      phy = power.phy
      level = if case .known(let level) = power.level { level } else { nil }
      isManaged = power.level != .notManaged
      (isMinimum, isMaximum, delta) = (power.isMinimum, power.isMaximum, power.delta)
    }

    init(_ power: LLControlPDU.Power, _ phy: UInt8, isLocal: Bool, isRead: Bool) {
      (self.isLocal, self.isRead, self.phy) = (isLocal, isRead, phy)
      level = if case .known(let level) = power.level { level } else { nil }
      isManaged = power.level != .notManaged
      (isMinimum, isMaximum, delta) = (power.isMinimum, power.isMaximum, power.delta)
    }

    public var kind: EventKind {
      LinkEvent.kind("transmit-power", isShared: false).folded(as: "reports of transmit power")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("local", isLocal)
      sink.flag("read", isRead)
      sink.code("phy", phy, "phy_name", "hci.evt.powerPHY")
      sink.number("level", level, .incidental)
      sink.flag("managed", isManaged)
      sink.flag("at_minimum", isMinimum)
      sink.flag("at_maximum", isMaximum)
      sink.number("delta", delta, .incidental)
      sink.sentence("\(words(isAir: Sides(of: event, session).isAir))")
    }

    private func words(isAir: Bool) -> String {
      let name = Names.of(phy, "hci.evt.powerPHY") ?? "PHY \(phy)"
      let (host, peer) = isAir ? ("Central", "Peripheral") : ("this host", "peer")
      let what = "\(isLocal ? host : peer)'s transmit power on \(name)"
      guard isManaged else { return "\(what) not managed by the \(isAir && isLocal ? host : peer)" }
      guard let level else { return "\(what) not available" }
      var text = "\(what)\(isRead ? ":" : " is now") \(level) dBm"
      if !isRead, let delta, delta != 0 {
        text += ", \(delta.magnitude) dB \(delta > 0 ? "more" : "less")"
      }
      if isMinimum { text += ", its minimum" }
      if isMaximum { text += ", its maximum" }
      return text
    }
  }
}
