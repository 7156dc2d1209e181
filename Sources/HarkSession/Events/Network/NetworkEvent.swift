/// Events on the local network. RFC 9293, 3.5, 3.6; RFC 6763.
public enum NetworkEvent: Equatable, Sendable {
  case service(Service)
  case opened(Opened)
  case identified(Identified)
  case gap(Gap)
  case closed(Closed)

  var described: any Described {
    switch self {
    case .service(let event): event
    case .opened(let event): event
    case .identified(let event): event
    case .gap(let event): event
    case .closed(let event): event
    }
  }

  private static func kind(_ name: StaticString, _ lane: Event.Lane = .link) -> EventKind {
    EventKind(name, lane, [], isShared: false)
  }
}

extension Link.Network {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.text("client", "\(client)")
    sink.text("server", "\(server)")
    sink.number("port", server.port, .identity)
  }

  /// `TCP connection from 192.168.7.1:50312 to 192.168.7.2:7001`
  fileprivate var words: EventSentence {
    "TCP connection from \(personal: client) to \(personal: server)"
  }
}

extension NetworkEvent {
  /// A host announces a service.
  public struct Service: Described, Equatable {
    public let service: NetworkService

    public var kind: EventKind { NetworkEvent.kind("network-service", .host) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("service", service.type, .family)
      sink.text("instance", service.instance)
      sink.text("host", service.host)
      sink.number("port", service.port)
      sink.sentence(
        """
        “\(personal: service.instance)” offers \(service.type) on port \(service.port) of \
        \(personal: service.host)
        """)
    }
  }

  public struct Opened: Described, Equatable {
    public let network: Link.Network
    /// The type of the service, if it has been announced by then.
    public let service: String?
    /// Whether its beginning is in the capture.
    public let isWhole: Bool

    public var kind: EventKind { NetworkEvent.kind("tcp-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      network.describe(to: &sink)
      sink.word("service", service, .family)
      sink.flag("seen", isWhole)
      let name = service.map { " (\($0))" } ?? ""
      sink.sentence(
        "\(network.words)\(name) \(isWhole ? "opened" : "was open before the capture began")")
    }
  }

  /// The server is a device that is already known.
  public struct Identified: Described, Equatable {
    public enum Evidence: Equatable, Sendable {
      /// It has the name that the service announces.
      case name(String)
      /// It is the only one that uses the framing.
      case framing(String)
    }

    public let network: Link.Network
    public let evidence: Evidence
    public let server: Session.DatabaseKey

    public var kind: EventKind { NetworkEvent.kind("network-device") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      network.describe(to: &sink)
      switch evidence {
      case .name(let name):
        sink.word("evidence", "name")
        sink.text("name", name)
        sink.sentence(
          """
          hark treats the server at \(personal: network.server) as this device: its service has the name \
          “\(personal: name)”
          """)
      case .framing(let framing):
        sink.word("evidence", "framing")
        sink.word("framing", framing)
        var found = "this device"
        switch server {
        case .device: break
        case .link(let link):
          let link = session.links[Int(link.index)]
          sink.number("handle", link.handle, .incidental)
          found = "the peer on \(Link.name(link))"
        case .local:
          sink.flag("local_server", true, .identity)
          found = "this host"
        }
        sink.sentence(
          """
          hark treats the server at \(personal: network.server) as \(found), the only one that uses \
          \(framing)
          """)
      }
    }
  }

  /// Bytes that the receiver got, but that are not in the capture.
  public struct Gap: Described, Equatable {
    public let network: Link.Network
    public let isFromServer: Bool
    public let count: Int

    public var kind: EventKind { NetworkEvent.kind("tcp-gap", .gap) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      network.describe(to: &sink)
      sink.flag("from_server", isFromServer)
      sink.number("bytes", count)
      let sender = isFromServer ? network.server : network.client
      sink.sentence(
        "\(Names.count(count, "byte")) from \(personal: sender) are not in the capture")
    }
  }

  public struct Closed: Described, Equatable {
    public enum End: String, Equatable, Sendable {
      case finished
      case reset
      /// Another connection has the same endpoints.
      case reused
    }

    public let network: Link.Network
    public let end: End
    /// The side that ended it, or was the last to do so.
    public let byServer: Bool
    /// How long it was open, as far as the capture shows.
    public let nanoseconds: Int64?

    public var kind: EventKind { NetworkEvent.kind("tcp-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      network.describe(to: &sink)
      sink.word("end", end.rawValue)
      sink.flag("by_server", byServer)
      sink.nanoseconds("duration", nanoseconds)
      let how =
        switch end {
        case .finished: "closed"
        case .reset: "reset by the \(byServer ? "server" : "client")"
        case .reused: "ended outside the capture: its ports were used again"
        }
      let after = nanoseconds.map { " after \(Names.duration($0))" } ?? ""
      sink.sentence("\(network.words) \(how)\(after)")
    }
  }
}
