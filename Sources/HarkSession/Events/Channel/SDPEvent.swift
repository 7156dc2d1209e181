import HarkCore
import HarkDissection

/// SDP events. Core Specification, Vol 3, Part B.
public enum SDPEvent: Sendable {
  case found(Found)
  case missing(Missing)
  case error(Failed)

  var described: any Described {
    switch self {
    case .found(let event): event
    case .missing(let event): event
    case .error(let event): event
    }
  }
}

extension SDPEvent {
  /// Newly discovered services of the peer, or of this host.
  public struct Found: Described {
    public let records: [ServiceRecord]
    public let isLocal: Bool

    public var kind: EventKind { EventKind("services-found", .sdp, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_local", isLocal, .identity)
      sink.objects("services", records) { $0.describe(to: &$1) }
      let services = records.map(\.words).few(separator: "; ")
      sink.sentence(
        """
        \(isLocal ? "this host's " : "")\(records.count == 1 ? "service" : "services"): \
        \(services)
        """)
    }
  }

  /// A search without a match; nil if the search is not in the capture.
  public struct Missing: Described {
    public let uuid: BluetoothUUID?
    public let isLocal: Bool

    public var kind: EventKind {
      EventKind("service-missing", .sdp, .channels, step: "services-found")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_local", isLocal, .identity)
      sink.uuid("uuid", uuid)
      sink.sentence(
        """
        \(isLocal ? "this host has" : "has") no service \
        \(uuid.map { Names.uuid($0) } ?? "that was searched for")
        """)
    }
  }

  /// SDP_ERROR_RSP. 4.4.1
  public struct Failed: Described {
    public let code: UInt16

    public var kind: EventKind { EventKind("sdp-error", .sdp, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("error", code, "error_name", "sdp.error")
      sink.sentence("SDP error: \(Names.named(code, "sdp.error"))")
    }
  }
}

extension ServiceRecord {
  func describe(to sink: inout some EventSink) {
    sink.number("handle", handle, .incidental)
    sink.objects("classes", classes) { uuid, sink in
      sink.uuid("uuid", uuid, .identity)
      sink.word("name", AssignedNumbers.name(of: uuid))
    }
    sink.text("name", name, .parameter)
    sink.number("psm", psm)
    sink.number("server_channel", serverChannel)
    sink.number("version", version)
  }

  /// `AG Hands-Free 1.8 “Phone” on RFCOMM channel 7`.
  var words: EventSentence {
    var text: EventSentence = "\(classes.first.map { Names.uuid($0) } ?? "a service of no class")"
    if let version { text += " \(version >> 8).\(version & 0xFF)" }
    if let name, !name.isEmpty { text += " “\(personal: name)”" }
    if let serverChannel { return text + " on RFCOMM channel \(serverChannel)" }
    if let psm { text += " on \(Names.psm(psm))" }
    return text
  }
}
