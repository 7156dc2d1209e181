import HarkCore
import HarkDissection

/// SDP events. Core Specification, Vol 3, Part B.
public enum SDPEvent: Sendable {
  case found(Found)
  case missing(Missing)
  case error(Failed)
  case unanswered(Unanswered)

  var described: any Described {
    switch self {
    case .found(let event): event
    case .missing(let event): event
    case .error(let event): event
    case .unanswered(let event): event
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

  /// A search without a match.
  public struct Missing: Described {
    /// No record contains all of them; empty if the search is not in the capture.
    public let uuids: [BluetoothUUID]
    public let isLocal: Bool

    public var kind: EventKind {
      EventKind("service-missing", .sdp, .channels, step: "services-found")
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("is_local", isLocal, .identity)
      if uuids.count < 2 {
        sink.uuid("uuid", uuids.first)
      } else {
        sink.objects("uuids", uuids) { uuid, sink in
          sink.uuid("uuid", uuid, .identity)
          sink.word("name", AssignedNumbers.name(of: uuid))
        }
      }
      sink.sentence("\(isLocal ? "this host has" : "has") no service \(words)")
    }

    /// `HID`; `with SerialPort and HID`, `with L2CAP`: several UUIDs, or one that is no service class, may be anywhere in
    /// the record.
    private var words: String {
      guard !uuids.isEmpty else { return "that was searched for" }
      if let uuid = SDPMessage.serviceClass(uuids) { return Names.uuid(uuid) }
      let names = uuids.map { Names.uuid($0) }
      guard names.count > 1 else { return "with \(names[0])" }
      return "with \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }
  }

  /// A request without a response until its channel ends.
  public struct Unanswered: Described {
    /// PDU ID
    public let request: UInt8
    /// Whether the other device sent the request.
    public let byPeer: Bool

    public var kind: EventKind { EventKind("sdp-unanswered", .sdp, .channels) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("request", request, "request_name", "sdp.pdu", .identity)
      sink.flag("by_peer", byPeer)
      let name = Names.of(request, "sdp.pdu") ?? "PDU \(Names.hex(request))"
      sink.sentence("\(byPeer ? "peer: " : "")\(name) has no answer in the capture")
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
    var text: EventSentence =
      "\(classes.first.map { Names.uuid($0) } ?? "a service of unknown class")"
    if let version { text += " \(version >> 8).\(version & 0xFF)" }
    if let name, !name.isEmpty { text += " “\(personal: name)”" }
    if let serverChannel { return text + " on RFCOMM channel \(serverChannel)" }
    if let psm { text += " on \(Names.psm(psm))" }
    return text
  }
}
