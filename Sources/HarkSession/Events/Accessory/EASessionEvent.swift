/// Events of an External Accessory session.
public enum EASessionEvent: Sendable {
  case open(Opened)
  case status(Status)
  case data(FirstData)
  case close(Closed)
  case stray(Stray)
  case unknown(Unknown)
  case dataTooShort(DataTooShort)

  var described: any Described {
    switch self {
    case .open(let event): event
    case .status(let event): event
    case .data(let event): event
    case .close(let event): event
    case .stray(let event): event
    case .unknown(let event): event
    case .dataTooShort(let event): event
    }
  }
}

extension EASessionEvent {
  public struct Opened: Described {
    public let eaSession: EASession
    /// Whether the accessory has this protocol according to its identification; nil if that is not in the capture.
    public let isDeclared: Bool?

    public var kind: EventKind { IAP2Event.kind("ea-session-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      eaSession.describe(to: &sink)
      sink.flag("declared", isDeclared)
      let fault =
        isDeclared == false ? ", for a protocol that the accessory did not declare" : ""
      sink.sentence("\(eaSession.words) opened\(fault)")
    }
  }

  /// The accessory accepts the session, or asks to close it.
  public struct Status: Described {
    public let eaSession: EASession
    public let isAccepted: Bool

    public var kind: EventKind { IAP2Event.kind("ea-session-status") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      eaSession.describe(to: &sink)
      sink.flag("accepted", isAccepted)
      sink.sentence("\(eaSession.words) \(isAccepted ? "accepted" : "refused") by the accessory")
    }
  }

  /// The first bytes in one direction.
  public struct FirstData: Described {
    public let eaSession: EASession
    public let traffic: EASession.Traffic
    /// Whether the accessory had not yet accepted the session.
    public let isEarly: Bool
    /// Whether the accessory had refused the session, or ended it.
    public var isRefused = false

    public var kind: EventKind { IAP2Event.kind("ea-session-data") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      eaSession.describe(to: &sink)
      traffic.describe(to: &sink)
      sink.flag("early", isEarly)
      if isRefused { sink.flag("refused", true) }
      let fault =
        isRefused
        ? ", after the accessory refused the session"
        : isEarly ? ", before the accessory accepted the session" : ""
      sink.sentence("\(eaSession.words): first data, \(traffic.words)\(fault)")
    }
  }

  public struct Closed: Described {
    public let eaSession: EASession
    /// The bytes in each direction until then.
    public let traffic: EASession.Traffic
    public let end: EASession.End
    /// Whether the accessory ever accepted it.
    public let isTaken: Bool

    public var kind: EventKind { IAP2Event.kind("ea-session-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      eaSession.describe(to: &sink)
      traffic.describe(to: &sink)
      sink.word("end", end.rawValue)
      sink.flag("taken", isTaken)
      sink.sentence("\(eaSession.words) \(words)")
    }

    private var words: String {
      let isEmpty = traffic.sent + traffic.received + traffic.cut == 0
      let how =
        switch end {
        case .stopped: "closed "
        case .replaced: "replaced by a new session with the same number, without being closed, "
        case .lost: "ended with its link "
        }
      return how
        + (isEmpty ? "without any data in either direction" : "after \(traffic.words)")
        + (traffic.cut > 0
          ? ", and \(Names.count(traffic.cut)) that the recorder did not keep" : "")
        + (isTaken ? "" : "; the accessory never accepted it")
    }
  }

  /// Data for a session that is not open: never opened, refused or closed.
  public struct Stray: Described {
    public let sessionIdentifier: UInt16
    /// The bytes of the packet.
    public let count: Int
    /// Whether the accessory sent them; nil if the capture does not show which side it is.
    public let isFromAccessory: Bool?
    /// Whether the identifier with its bytes reversed is that of an open session.
    package var isReversed = false

    public var kind: EventKind { IAP2Event.kind("ea-session-not-open") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("session_identifier", sessionIdentifier, .incidental)
      sink.number("count", count, .incidental)
      sink.flag("by_accessory", isFromAccessory)
      let way = isFromAccessory.map { $0 ? " from the accessory" : " to the accessory" } ?? ""
      sink.sentence(
        """
        \(Names.count(count, "byte"))\(way) for External Accessory session \(sessionIdentifier), \
        which is not open
        """)
    }
  }

  /// A message that stops or answers a session that is not open.
  public struct Unknown: Described {
    /// The identifier of the message.
    public let message: UInt16
    public let sessionIdentifier: UInt16
    /// Whether the session was open before, so that both sides may have ended it at the same time.
    public let wasOpen: Bool

    public var kind: EventKind { IAP2Event.kind("ea-session-unknown") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("message", message, .incidental)
      sink.word("message_name", Names.of(message, "iap2.csm.message"), .identity)
      sink.number("session_identifier", sessionIdentifier, .incidental)
      sink.flag("was_open", wasOpen)
      sink.sentence(
        """
        \(IAP2Event.message(message)) for External Accessory session \(sessionIdentifier), which \
        \(wasOpen ? "is already closed" : "was never opened")
        """)
    }
  }

  /// Data without room for the identifier of its session.
  public struct DataTooShort: Described {
    /// In bytes.
    public let count: Int
    /// Whether the accessory sent them; nil if the capture does not show which side it is.
    public let isFromAccessory: Bool?

    public var kind: EventKind { IAP2Event.kind("ea-data-too-short") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("count", count)
      sink.flag("by_accessory", isFromAccessory)
      let way = isFromAccessory.map { $0 ? " from the accessory" : " to the accessory" } ?? ""
      sink.sentence(
        """
        External Accessory data\(way) of \(Names.count(count, "byte")): its session identifier \
        needs 2 bytes
        """)
    }
  }
}

extension EASession {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("session_identifier", sessionIdentifier, .incidental)
    sink.number("protocol_identifier", protocolIdentifier)
    sink.product("protocol", protocolString, .family)
  }

  /// `External Accessory session 1 (com.example.protocol)`
  package var words: EventSentence {
    let name: EventSentence =
      protocolString.map { " (\(personal: $0))" }
      ?? protocolIdentifier.map { " (protocol \($0))" } ?? ""
    return "External Accessory session \(sessionIdentifier)\(name)"
  }
}

extension EASession.Traffic {
  fileprivate func describe(to sink: inout some EventSink) {
    sink.number("sent", sent, .incidental)
    sink.number("received", received, .incidental)
    if cut > 0 { sink.number("cut", cut) }
    sink.word("host_is", isHostAccessory.map { $0 ? "accessory" : "device" })
  }

  /// `12 bytes to the accessory, 3 bytes from it`
  fileprivate var words: String {
    let (outward, inward) =
      switch isHostAccessory {
      case true?: ("from the accessory", "to it")
      case false?: ("to the accessory", "from it")
      case nil: ("out", "in")
      }
    if received == 0 { return "\(Names.count(sent, "byte")) \(outward)" }
    if sent == 0 {
      let alone =
        switch isHostAccessory {
        case true?: "to the accessory"
        case false?: "from the accessory"
        case nil: inward
        }
      return "\(Names.count(received, "byte")) \(alone)"
    }
    return "\(Names.count(sent, "byte")) \(outward), \(Names.count(received, "byte")) \(inward)"
  }
}
