import HarkDissection

/// A request of the Hardcopy Cable Replacement Profile that the printer or scanner did not fulfill.
public struct HCRPEvent: Equatable, Sendable {
  /// PDU ID
  public let request: UInt16
  /// Status Code; nil if the capture has no reply.
  public let status: UInt16?
  /// Whether the other device sent the request.
  public let byPeer: Bool
}

extension HCRPEvent: Described {
  public var kind: EventKind { EventKind("hcrp-request-failed", .l2cap, .channels) }

  public func describe(
    _ event: Event, in session: borrowing Session, to sink: inout some EventSink
  ) {
    sink.code("request", request, "request_name", "hcrp.pdu", .identity)
    sink.code("status", status, "status_name", "hcrp.status")
    sink.flag("by_peer", byPeer)
    let name = "HCRP \(Names.of(request, "hcrp.pdu") ?? "PDU \(Names.hex(request))")"
    guard let status else {
      return sink.sentence("\(byPeer ? "peer: " : "")\(name) has no answer in the capture")
    }
    sink.sentence(
      "\(name) refused\(byPeer ? "" : " by peer"): \(Names.named(status, "hcrp.status"))")
  }
}
