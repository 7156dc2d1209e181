import HarkDissection

// The iAP2 link: detection, negotiation.
extension IAP2Event {
  /// One side asks whether the other supports iAP2.
  public struct Detection: Described {
    /// Whether the other side asked before.
    public let isAnswer: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-detection") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("answer", isAnswer)
      sink.sentence(
        isAnswer
          ? "iAP2 detected: the other side supports it, too"
          : "asks whether the other side supports iAP2")
    }
  }

  /// The first frame of iAP1 on a stream.
  public struct IAP1: Described {
    public let lingo: UInt8
    public let command: UInt16

    public var kind: EventKind { IAP2Event.kind("iap1") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("lingo", lingo)
      sink.number("command", command, .identity)
      sink.sentence("iAP1, the predecessor of iAP2, in use: \(words)")
    }

    /// `General lingo, StartIDPS`
    private var words: String {
      let name = Names.of(lingo, "iap1.lingo") ?? Names.hex(lingo)
      let known = Catalog.commandName(iAP1: lingo, command)
      return "\(name) lingo, \(known ?? "command \(Names.hex(command))")"
    }
  }

  /// A SYN packet.
  public struct Synchronization: Described {
    public let parameters: IAP2LinkParameters
    public let isAnswer: Bool

    public var kind: EventKind { IAP2Event.kind("iap2-link") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("answer", isAnswer)
      parameters.describe(to: &sink)
      sink.sentence("link \(isAnswer ? "accepted" : "requested"): \(parameters.words)")
    }
  }

  public struct Reset: Described {
    public var kind: EventKind { IAP2Event.kind("iap2-reset") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("link reset")
    }
  }

  public struct Sleep: Described {
    public var kind: EventKind { IAP2Event.kind("iap2-sleep") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("link goes to sleep")
    }
  }
}

/// The content of a SYN packet: its sender's parameters and the sessions.
public struct IAP2LinkParameters: Sendable {
  public let maxOutstanding: UInt8
  public let maxLength: UInt16
  /// In milliseconds, like the next one.
  public let retransmissionTimeout: UInt16
  public let acknowledgementTimeout: UInt16
  public let maxRetransmissions: UInt8
  public let maxAcknowledgements: UInt8
  public let sessions: [Session]

  public struct Session: Sendable {
    public let identifier: UInt8
    /// 0 control, 1 file transfer, 2 External Accessory.
    public let type: UInt8
    public let version: UInt8
  }

  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("max_outstanding", maxOutstanding)
    sink.number("max_length", maxLength)
    sink.nanoseconds(
      "retransmission_timeout", Int64(retransmissionTimeout) * 1_000_000, .parameter)
    sink.nanoseconds(
      "acknowledgement_timeout", Int64(acknowledgementTimeout) * 1_000_000, .parameter)
    sink.number("max_retransmissions", maxRetransmissions)
    sink.number("max_acknowledgements", maxAcknowledgements)
    sink.objects("sessions", sessions) { session, sink in
      sink.number("identifier", session.identifier)
      sink.code("type", session.type, "type_name", "iap2.sessionType")
      sink.number("version", session.version)
    }
  }

  /// `up to 5 packets outstanding, of up to 4096 bytes, sessions control (10), …`
  fileprivate var words: String {
    let sessions = self.sessions.map {
      "\(Names.of($0.type, "iap2.sessionType") ?? "type \($0.type)") (\($0.identifier))"
    }
    return "up to \(Names.count(Int(maxOutstanding), "packet")) outstanding, "
      + "of up to \(Names.count(Int(maxLength), "byte")), "
      + (sessions.isEmpty ? "no sessions" : "sessions \(sessions.joined(separator: ", "))")
  }
}
