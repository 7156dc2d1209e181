import HarkCore
import HarkDissection

// ATT errors. Core Specification, Vol 3, Part F, 3.3, 3.4.1.1.
extension AttributeEvent {
  public struct ATTError: Described {
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    public let error: UInt8
    /// For a write: how many bytes of its value had arrived.
    public var size: Int? = nil
    public var isLocal = false
    /// If it is a Client Characteristic Configuration, the type of its characteristic.
    public var configured: BluetoothUUID? = nil

    public var kind: EventKind {
      // The same step, accepted, is one of these.
      let step: StaticString? =
        switch pdu {
        case .writeRequest where configured != nil: "subscription"
        case .writeRequest, .prepareWriteRequest, .executeWriteRequest: AttributeEvent.writeStep
        case .readRequest, .readBlobRequest: AttributeEvent.readStep
        case .exchangeMTURequest: "mtu"
        default: nil
        }
      return AttributeEvent.kind("att-error", step: step)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid, configured == nil ? .family : .identity)
      sink.uuid("characteristic_uuid", configured)
      sink.word(
        "characteristic", configured.flatMap { AssignedNumbers.name(ofAttributeType: $0) }, .family)
      sink.number("error", error)
      sink.word("error_name", AssignedNumbers.attError(error, of: uuid))
      sink.number("size", size, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let place = handle == 0 ? "" : " of \(Names.attribute(uuid, handle))"
      let (asker, server) = sides(Sides(of: event, session))
      sink.sentence(
        """
        \(asker)\(Names.request(pdu))\(place) refused\(server): \(Names.attError(error, uuid))
        """)
    }

    private func sides(_ sides: Sides) -> (asker: String, server: String) {
      if isLocal { return ("\(sides.peer): ", " by \(sides.host)") }
      return sides.isAir ? ("Central: ", " by \(sides.thePeer)") : ("", "")
    }
  }

  /// A request with an opcode that no PDU has is refused. Part F, 3.3
  public struct UnknownRefused: Described {
    public let opcode: UInt8
    public let error: UInt8
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("unknown-request-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("opcode", opcode, .identity)
      sink.number("error", error)
      sink.word("error_name", AssignedNumbers.attError(error, of: nil))
      sink.flag("local_server", isLocal, .identity)
      let (asker, server) = isLocal ? ("peer: ", " by this host") : ("", "")
      sink.sentence(
        "\(asker)request \(Names.hex(opcode)) refused\(server): \(Names.attError(error, nil))")
    }
  }

  /// A PDU is longer than the MTU.
  public struct MTUExceeded: Described {
    package let pdu: ATTPDU.Opcode
    public var opcode: UInt8 { pdu.rawValue }
    public let handle: UInt16
    /// The size of the PDU in bytes.
    public let size: Int
    public let mtu: UInt16

    public var kind: EventKind { AttributeEvent.kind("mtu-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.number("size", size, .incidental)
      sink.number("mtu", mtu)
      sink.sentence(
        "\(AttributeEvent.request(pdu, handle)) has \(size) bytes, but the MTU is \(mtu)")
    }
  }

  /// A request was not answered, or an indication not confirmed, within the transaction timeout. 3.3.3
  public struct RequestTimeout: Described {
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    public let handle: UInt16
    /// Whether the server is on the recorded side.
    public var isLocal = false
    /// Nil if the link has no other bearer.
    var bearer: Bearer? = nil

    /// The timeout ends one bearer of the link.
    enum Bearer: Sendable {
      case fixed
      indirect case channel(Channel)
    }

    public var kind: EventKind { AttributeEvent.kind("request-timeout").looking(back: .inSentence) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let on: String
      switch bearer {
      case nil: on = ""
      case .fixed: on = " on the fixed channel"
      case .channel(let channel):
        sink.object("bearer") { channel.describe(to: &$0) }
        on = " on \(channel.ends(in: session))"
      }
      let sides = Sides(of: event, session)
      let request = AttributeEvent.request(pdu, handle) + on
      // The client confirms, the server does everything else.
      switch (pdu == .handleValueIndication, isLocal) {
      case (true, true):
        sink.sentence("\(sides.thePeer) did not confirm \(sides.hosts) \(request) within 30 s")
      case (true, false):
        sink.sentence("\(sides.host) did not confirm the \(sides.peer)'s \(request) within 30 s")
      case (false, _):
        let whose = isLocal ? "\(sides.peer): " : ""
        sink.sentence(
          """
          \(whose)\(request) was not answered within 30 s: no more requests are allowed on this \
          \(bearer == nil ? "link" : "bearer")
          """)
      }
    }
  }

  /// A request was sent before the response to the one before, or an indication before the confirmation. 3.3.2
  public struct SentEarly: Described {
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    public let handle: UInt16
    /// The one whose answer followed later.
    package let pending: ATTPDU.Opcode

    public var kind: EventKind { AttributeEvent.kind("sent-early") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.word("pending", Names.request(pending))
      let answer = pending == .handleValueIndication ? "confirmation of" : "response to"
      sink.sentence(
        """
        \(AttributeEvent.request(pdu, handle)) was sent before the \(answer) \(Names.request(pending))
        """)
    }
  }

  /// The server answered a request with a response to another kind of request. 3.3.2, 3.4.9
  public struct WrongResponse: Described {
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    package let response: ATTPDU.Opcode
    /// The request that an Error Response names.
    package var refused: ATTPDU.Opcode? = nil
    /// An Error Response about another attribute. 3.4.1.1
    var misnamed: Misnamed? = nil
    /// Whether the server is on the recorded side.
    public var isLocal = false

    struct Misnamed: Sendable {
      let handle: UInt16
      let uuid: BluetoothUUID?
      let error: UInt8
    }

    public var kind: EventKind { AttributeEvent.kind("wrong-response") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.word("response", Names.request(response))
      sink.word("refused", refused.map { Names.request($0) })
      sink.number("handle_in_error", misnamed?.handle, .incidental)
      sink.number("error", misnamed?.error)
      sink.word("error_name", misnamed.flatMap { AssignedNumbers.attError($0.error, of: $0.uuid) })
      sink.flag("local_server", isLocal, .identity)
      let sides = Sides(of: event, session)
      let place = handle == 0 ? "" : " of \(Names.attribute(uuid, handle))"
      let server = isLocal ? sides.host : sides.thePeer
      let about =
        refused.map { " about \(Names.request($0))" }
        ?? misnamed.map { " about \(Names.attribute($0.uuid, $0.handle))" } ?? ""
      let error = misnamed.map { ": \(Names.attError($0.error, $0.uuid))" } ?? ""
      sink.sentence(
        """
        \(server) answered \(Names.request(pdu))\(place) with \(Names.request(response))\(about), which \
        is not a response to it\(error)
        """)
    }
  }

  /// The server returned another value than the client sent to prepare a write. 3.4.6.2; Part G, 4.9.5
  public struct PreparedDiffers: Described {
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// Where in the value the part begins.
    public let offset: UInt16
    /// The size of the part in bytes.
    public let size: Int
    /// Whether the server is on the recorded side.
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("prepared-write-differs") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.number("value_offset", offset, .incidental)
      sink.number("size", size, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(isLocal ? sides.host : sides.thePeer) returned a prepared write of \
        \(Names.attribute(uuid, handle)) differently than it was sent: \(Names.count(size, "byte")) from \
        offset \(offset)
        """)
    }
  }

  /// The client cancelled what it had prepared to write. 3.4.6.3
  public struct WriteCancelled: Described {
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// The size of the prepared value in bytes.
    public let size: Int
    /// Whether the server is on the recorded side.
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("write-cancelled") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      sink.number("size", size, .incidental)
      sink.flag("local_server", isLocal, .identity)
      let who = isLocal ? "\(Sides(of: event, session).peer): " : ""
      sink.sentence(
        """
        \(who)cancelled the long write of \(Names.attribute(uuid, handle)), \
        \(Names.count(size, "byte")) prepared
        """)
    }
  }

  /// The answer came after the transaction timeout.
  public struct AnsweredLate: Described {
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    public let handle: UInt16
    /// Since the request; nil if the clock was set meanwhile.
    public let nanoseconds: Int64?
    /// Whether the server is on the recorded side.
    public var isLocal = false

    public var kind: EventKind { AttributeEvent.kind("answered-late").looking(back: .inSentence) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.nanoseconds("duration", nanoseconds)
      sink.flag("local_server", isLocal, .identity)
      let sides = Sides(of: event, session)
      let isIndication = pdu == .handleValueIndication
      let who = "\(isLocal == isIndication ? sides.thePeer : sides.host)"
      sink.sentence(
        """
        \(who) \(isIndication ? "confirmed" : "answered") \(AttributeEvent.request(pdu, handle)) \
        \(nanoseconds.map { "after \(Names.duration($0))" } ?? "late")
        """)
    }
  }

  /// `ATT_READ_REQ of 0x002a`
  private static func request(_ pdu: ATTPDU.Opcode, _ handle: UInt16) -> String {
    Names.request(pdu) + (handle == 0 ? "" : " of \(Names.hex(handle))")
  }

  /// A request without an answer in the capture, or an indication without a confirmation: it is unknown whether
  /// it took effect.
  public struct RequestUnanswered: Described {
    /// For a value that was prepared in parts, Execute Write.
    package let pdu: ATTPDU.Opcode
    public var request: UInt8 { pdu.rawValue }
    /// 0 if it requests several attributes, or a range of them.
    public let handle: UInt16
    public let uuid: BluetoothUUID?
    /// Whether the server is on the recorded side.
    public let isLocal: Bool
    /// The value to be written, if it is neither a key nor a message.
    public var value: Value? = nil
    /// What a client requested from a characteristic with its configuration descriptor.
    public var subscription: Subscription? = nil

    public var kind: EventKind { AttributeEvent.kind("request-unanswered").looking(back: .sent) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("request", Names.request(pdu), .identity)
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      if let subscription { Subscription.describe(subscription.bits, to: &sink) }
      value?.kept.describe(to: &sink, .incidental)
      sink.flag("local_server", isLocal, .identity)
      sink.sentence(words(event, session))
    }

    /// `request to write Alert Level: high (no response in the capture)`
    private func words(_ event: Event, _ session: borrowing Session) -> EventSentence {
      if let subscription {
        return "\(subscription.words(event, session, isAsked: true)) (no response in the capture)"
      }
      let sides = Sides(of: event, session)
      let name = AttributeEvent.name(handle, uuid, isLocal: isLocal, event, session)
      let what = isLocal ? "\(sides.hosts) \(name)" : name
      let whose = isLocal ? "\(sides.peer)'s " : ""
      let written: EventSentence = value.map { ": \($0.words)" } ?? ""
      switch pdu {
      case .readRequest, .readBlobRequest:
        return "\(whose)request to read \(what) (no response in the capture)"
      case .writeRequest:
        return "\(whose)request to write \(what)\(written) (no response in the capture)"
      case .prepareWriteRequest:
        return
          "\(whose)request to prepare a write of \(what)\(written) (no response in the capture)"
      // It has an answer, and so does each part.
      case .executeWriteRequest:
        return
          "\(whose)request for a long write of \(what)\(written) (not every response is in the capture)"
      // The server indicates, the client does everything else.
      case .handleValueIndication:
        return """
          \(isLocal ? "\(sides.hosts) " : "")indication of \(name) (no confirmation in the capture)
          """
      default:
        return """
          \(isLocal ? "\(sides.peer): " : "")\(Names.request(pdu)) (no response in the capture)
          """
      }
    }
  }
}
