import HarkCore

/// Changes while a link is open, and what its two sides agree on. Core Specification, Vol 4, Part E, 7.7.
public enum LinkChangeEvent: Sendable {
  case parameters(Parameters)
  case parametersRequested(ParametersRequested)
  case parametersRefused(ParametersRefused)
  case parametersFailed(ParametersFailed)
  case phy(PHY)
  case phyFailed(PHYFailed)
  case subrate(Subrate)
  case subrateFailed(SubrateFailed)
  case rate(Rate)
  case rateFailed(RateFailed)
  case frameSpace(FrameSpace)
  case frameSpaceFailed(FrameSpaceFailed)
  case modeChanged(ModeChanged)
  case modeFailed(ModeFailed)
  case dataLength(DataLength)
  case peerVersion(PeerVersion)
  case peerInformationFailed(PeerInformationFailed)
  case roleChanged(RoleChanged)
  case roleFailed(RoleFailed)
  case synchronous(Synchronous)
  case synchronousFailed(SynchronousFailed)
  case dataFlushed(DataFlushed)
  case flushCompleted(FlushCompleted)
  case qualityViolated(QualityViolated)
  case supervisionTimeout(SupervisionTimeout)
  case sniffSubrating(SniffSubrating)
  case pathLoss(PathLoss)
  case transmitPower(TransmitPower)

  var described: any Described {
    switch self {
    case .parameters(let event): event
    case .parametersRequested(let event): event
    case .parametersRefused(let event): event
    case .parametersFailed(let event): event
    case .phy(let event): event
    case .phyFailed(let event): event
    case .subrate(let event): event
    case .subrateFailed(let event): event
    case .rate(let event): event
    case .rateFailed(let event): event
    case .frameSpace(let event): event
    case .frameSpaceFailed(let event): event
    case .modeChanged(let event): event
    case .modeFailed(let event): event
    case .dataLength(let event): event
    case .peerVersion(let event): event
    case .peerInformationFailed(let event): event
    case .roleChanged(let event): event
    case .roleFailed(let event): event
    case .synchronous(let event): event
    case .synchronousFailed(let event): event
    case .dataFlushed(let event): event
    case .flushCompleted(let event): event
    case .qualityViolated(let event): event
    case .supervisionTimeout(let event): event
    case .sniffSubrating(let event): event
    case .pathLoss(let event): event
    case .transmitPower(let event): event
    }
  }
}

extension LinkChangeEvent {
  public struct Parameters: Described {
    /// In units of 1.25 ms.
    public let interval: UInt16
    public let latency: UInt16
    /// In units of 10 ms.
    public let timeout: UInt16

    public var kind: EventKind { LinkEvent.kind("link-parameters") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let timing = Link.Timing(interval: interval, latency: latency, timeout: timeout)
      timing.describe(to: &sink)
      sink.sentence("connection parameters: \(timing.words)")
    }
  }

  public struct ParametersRequested: Described {
    public let request: Link.ParameterRequest

    public var kind: EventKind { LinkEvent.kind("link-parameters-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.interval("interval_min", request.minimum)
      sink.interval("interval_max", request.maximum)
      sink.number("peripheral_latency", request.latency)
      sink.nanoseconds("supervision_timeout", Int64(request.timeout) * 10_000_000, .parameter)
      sink.flag("link_layer", request.isLinkLayer)
      sink.word("by", request.asker?.rawValue)
      let isAir = Sides(of: event, session).isAir
      sink.sentence("\(words(isAir))")
    }

    private func words(_ isAir: Bool) -> String {
      let (minimum, maximum) = (request.minimum, request.maximum)
      let interval =
        minimum == maximum
        ? Names.interval(minimum) : "\(Names.interval(minimum)) to \(Names.interval(maximum))"
      // Over the air, it may be unknown which of the two it is.
      let asker = request.asker?.rawValue ?? (isAir ? "one side" : "peer's controller")
      return "\(asker) requests "
        + "interval \(interval), latency \(request.latency), "
        + "supervision timeout \(UInt32(request.timeout) * 10) ms"
        + Link.Timing.faults(minimum, maximum, request.latency, request.timeout)
        + (!request.isLinkLayer && request.asker == .central
          ? "; only the Peripheral may send this L2CAP request" : "")
    }
  }

  /// The parameters that the Peripheral requested by L2CAP, or one of the controllers by the Link Layer.
  public struct ParametersRefused: Described {
    /// Whether the peer refuses this host's request; nil if that is unknown.
    public let byPeer: Bool?
    public let isLinkLayer: Bool
    public var refusal = Link.Refusal.unstated

    public var kind: EventKind {
      LinkEvent.kind("link-parameters-refused", step: "link-parameters")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("by_peer", byPeer)
      sink.flag("link_layer", isLinkLayer)
      switch refusal {
      case .unstated: break
      case .status(let status): sink.number("status", status)
      case .commandReject(let reason): sink.number("command_reject_reason", reason)
      }
      let isAir = Sides(of: event, session).isAir
      sink.sentence("\(words(isAir))")
    }

    private func words(_ isAir: Bool) -> String {
      let why = if case .status(let status) = refusal { ": \(Names.status(status))" } else { "" }
      guard let byPeer else {
        return if case .commandReject(let reason) = refusal {
          "request for connection parameters rejected: \(Names.commandReject(reason))"
        } else {
          "requested connection parameters refused\(why)"
        }
      }
      let (peer, host) = isAir ? ("Peripheral", "Central") : ("peer", "this host")
      let (who, asker) = byPeer ? (peer, host) : (host, peer)
      // A side that does not know the request does not object to its parameters.
      if case .commandReject(let reason) = refusal {
        return
          "\(who) rejects the request for connection parameters: \(Names.commandReject(reason))"
      }
      let whose =
        isAir
        ? "connection parameters that the \(asker) requested" : "requested connection parameters"
      return "\(who) refuses the \(whose)\(why)"
    }
  }

  public struct ParametersFailed: Described {
    public let status: UInt8

    public var kind: EventKind {
      LinkEvent.kind("link-parameters-failed", step: "link-parameters", isShared: false)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("connection parameters not changed: \(Names.status(status))")
    }
  }

  public struct PHY: Described {
    /// Nil if the other direction alone changed, and the capture does not show this one.
    public let tx: UInt8?
    public let rx: UInt8?

    public var kind: EventKind { LinkEvent.kind("phy", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("tx", tx.map { Names.phy($0) })
      sink.word("rx", rx.map { Names.phy($0) })
      let ways = LinkChangeEvent.ways(Sides(of: event, session))
      let all = [
        tx.map { "\(Names.phy($0)) \(ways.out)" }, rx.map { "\(Names.phy($0)) \(ways.back)" },
      ].compactMap(\.self)
      sink.sentence(
        tx == rx
          ? "PHY \(tx.map { Names.phy($0) } ?? "unknown")" : "PHY \(all.joined(separator: ", "))")
    }
  }

  public struct PHYFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("phy-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("PHY not changed: \(Names.status(status))")
    }
  }

  /// For BR/EDR: active, hold, sniff.
  public struct ModeChanged: Described {
    public let mode: UInt8
    /// In units of 0.625 ms.
    public let interval: UInt16

    // Idle devices sleep and wake all the time.
    public var kind: EventKind {
      LinkEvent.kind("mode-changed").folded(as: "changes of mode")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("mode", mode, "mode_name", "hci.evt.currentMode")
      sink.nanoseconds("interval", nanoseconds, .parameter)
      let name = Names.of(mode, "hci.evt.currentMode").map { "\($0) mode" } ?? "mode \(mode)"
      sink.sentence(
        "\(name)\(interval > 0 ? ", interval \(Names.duration(nanoseconds))" : "")")
    }

    private var nanoseconds: Int64 { Int64(interval) * 625_000 }
  }

  public struct ModeFailed: Described {
    public let status: UInt8
    /// Whether only sniff subrating failed.
    public let isSubrating: Bool

    public var kind: EventKind { LinkEvent.kind("mode-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.flag("sniff_subrating", isSubrating ? true : nil)
      sink.sentence(
        "\(isSubrating ? "sniff subrating" : "mode") not changed: \(Names.status(status))")
    }
  }

  /// In bytes.
  public struct DataLength: Described {
    public let tx: UInt16
    public let rx: UInt16

    public var kind: EventKind { LinkEvent.kind("data-length", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("tx", tx)
      sink.number("rx", rx)
      let (out, back) = LinkChangeEvent.ways(Sides(of: event, session))
      let most = "Link Layer packets of up to \(Names.count(Int(tx), "byte"))"
      sink.sentence(
        tx == rx ? "\(most)" : "\(most) \(out), \(Names.count(Int(rx), "byte")) \(back)")
    }
  }

  public struct PeerVersion: Described {
    public let version: UInt8
    public let company: UInt16

    public var kind: EventKind { LinkEvent.kind("peer-version", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("version", version)
      sink.number("company", company, .incidental)
      sink.sentence(
        "peer's controller is \(Names.version(version)), made by \(Names.company(company))")
    }
  }

  /// This host or its controller requested information about the peer.
  public struct PeerInformationFailed: Described {
    public let information: Link.PeerInformation
    public let status: UInt8
    public let peer: BluetoothAddress?

    public var kind: EventKind { LinkEvent.kind("peer-information-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("information", information.rawValue)
      sink.number("status", status)
      sink.address("peer", peer)
      sink.sentence("could not read the \(words): \(Names.status(status))")
    }

    private var words: EventSentence {
      switch information {
      case .name: peer.map { "name of \(personal: $0)" } ?? "name of the peer"
      case .version: "version of the peer's controller"
      case .features: "features of the peer's controller"
      case .extendedFeatures: "extended features of the peer's controller"
      case .transmitPower: "transmit power of the peer"
      }
    }
  }

  public struct RoleChanged: Described {
    /// Of this host.
    public let role: Link.Role

    public var kind: EventKind { LinkEvent.kind("role-changed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("role", role.rawValue, .viewpoint)
      sink.sentence("role changed: this host is now \(role.rawValue)")
    }
  }

  public struct RoleFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("role-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("role not changed: \(Names.status(status))")
    }
  }

  /// The parameters of a synchronous link changed.
  public struct Synchronous: Described {
    public let parameters: Link.Synchronous

    public var kind: EventKind { LinkEvent.kind("synchronous-link") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      parameters.describe(to: &sink)
      sink.sentence("synchronous link changed: \(parameters.words)")
    }
  }

  public struct SynchronousFailed: Described {
    public let status: UInt8

    public var kind: EventKind { LinkEvent.kind("synchronous-failed", isShared: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("synchronous link not changed: \(Names.status(status))")
    }
  }

  /// The codecs sent and received.
  private static func ways(_ sides: Sides) -> (out: StaticString, back: StaticString) {
    sides.isAir ? ("from the Central", "from the Peripheral") : ("out", "in")
  }
}
