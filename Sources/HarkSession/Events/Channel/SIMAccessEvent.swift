import HarkDissection

/// Events of the SIM Access Profile. SAP 1.1, 4 and 5.
public enum SIMAccessEvent: Sendable {
  case connected(Connected)
  case disconnected(Disconnected)
  case card(Card)
  case refused(Refused)
  case unanswered(Unanswered)

  var described: any Described {
    switch self {
    case .connected(let event): event
    case .disconnected(let event): event
    case .card(let event): event
    case .refused(let event): event
    case .unanswered(let event): event
    }
  }

  private static func kind(_ name: StaticString) -> EventKind {
    EventKind(name, .rfcomm, .channels)
  }

  private static func message(_ code: UInt8) -> String {
    Names.of(code, "sap.message") ?? "message \(Names.hex(code))"
  }
}

extension SIMAccessEvent {
  /// The server's answer, whether it connects the client to the SIM card.
  public struct Connected: Described, Equatable {
    /// ConnectionStatus; nil if the answer has none.
    public let status: UInt8?
    /// The MaxMsgSize that the client requested, in octets; nil if the capture does not have it.
    public let clientMaximum: UInt16?
    /// The MaxMsgSize that the server offers instead.
    public let serverMaximum: UInt16?
    /// Whether the other device is the server.
    public let byPeer: Bool

    var isConnected: Bool { status.map(SIMAccessMessage.isConnected) ?? false }

    public var kind: EventKind { SIMAccessEvent.kind("sim-access-connection") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("status", status, "status_name", "sap.status")
      sink.number("client_maximum", clientMaximum)
      sink.number("server_maximum", serverMaximum)
      sink.flag("by_peer", byPeer)
      let status = status.map { Names.named($0, "sap.status") } ?? "no ConnectionStatus"
      let sizes = [
        clientMaximum.map { "client \($0)" }, serverMaximum.map { "server \($0)" },
      ].compactMap(\.self)
      let limits =
        sizes.isEmpty ? "" : "; longest message: \(sizes.joined(separator: ", ")) bytes"
      sink.sentence(
        "SIM access \(isConnected ? "connected" : "refused")\(byPeer ? " by peer" : ""): "
          + "\(status)\(limits)")
    }
  }

  /// The server requests the end of the connection or ends it, or the client ended it.
  public struct Disconnected: Described, Equatable {
    /// DisconnectionType of the server; nil if the client ended the connection.
    public let type: UInt8?
    /// Whether the other device began it.
    public let byPeer: Bool

    public var kind: EventKind { SIMAccessEvent.kind("sim-access-disconnected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("type", type, "type_name", "sap.disconnection")
      sink.flag("by_peer", byPeer)
      let by = byPeer ? "peer" : "this host"
      guard let type else {
        return sink.sentence("SIM access disconnected by \(by), the client")
      }
      sink.sentence(
        "SIM access: \(by), the server, disconnects: \(Names.named(type, "sap.disconnection"))")
    }
  }

  /// The server reports a change of the SIM card.
  public struct Card: Described, Equatable {
    /// StatusChange
    public let change: UInt8

    public var kind: EventKind { SIMAccessEvent.kind("sim-card-changed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("change", change, "change_name", "sap.change", .identity)
      sink.sentence("SIM card: \(Names.named(change, "sap.change"))")
    }
  }

  /// The server did not process a request.
  public struct Refused: Described, Equatable {
    /// MsgID of the request; nil if the capture does not show it.
    public let request: UInt8?
    /// ResultCode; nil if the answer is ERROR_RESP, which has none.
    public let result: UInt8?
    /// Whether the other device is the server.
    public let byPeer: Bool

    public var kind: EventKind { SIMAccessEvent.kind("sim-request-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("request", request, "request_name", "sap.message", .identity)
      sink.code("result", result, "result_name", "sap.result")
      sink.flag("by_peer", byPeer)
      let request = request.map(SIMAccessEvent.message) ?? "a request"
      let result = result.map { Names.named($0, "sap.result") } ?? "ERROR_RESP"
      sink.sentence("\(request) refused\(byPeer ? " by peer" : ""): \(result)")
    }
  }

  /// A request without an answer in the capture.
  public struct Unanswered: Described, Equatable {
    /// MsgID
    public let request: UInt8
    /// Whether the other device sent the request.
    public let byPeer: Bool

    public var kind: EventKind { SIMAccessEvent.kind("sim-request-unanswered") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("request", request, "request_name", "sap.message", .identity)
      sink.flag("by_peer", byPeer)
      sink.sentence(
        "\(byPeer ? "peer: " : "")\(SIMAccessEvent.message(request)) has no answer in the capture")
    }
  }
}
