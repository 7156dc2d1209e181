import HarkCore
import HarkDissection

/// ATT traffic. Core Specification, Vol 3, Parts F and G.
public enum AttributeEvent: Sendable {
  case mtu(MTU)
  case discovery(Discovery)
  case serviceNotFound(ServiceNotFound)
  case subscription(Subscription)
  case value(Value)
  case repeated(Repeated)
  case readMultiple(ReadMultiple)
  case attError(ATTError)
  case unknownRefused(UnknownRefused)
  case mtuExceeded(MTUExceeded)
  case requestTimeout(RequestTimeout)
  case sentEarly(SentEarly)
  case wrongResponse(WrongResponse)
  case unsolicited(Unsolicited)
  case preparedDiffers(PreparedDiffers)
  case writeCancelled(WriteCancelled)
  case partWritten(PartWritten)
  case valueShort(ValueShort)
  case signature(Signature)
  indirect case requestUnanswered(RequestUnanswered)
  case answeredLate(AnsweredLate)
  indirect case borrowed(Borrowed)
  indirect case returned(Returned)
  indirect case recognized(Recognized)
  indirect case unframedKey(UnframedKey)

  var described: any Described {
    switch self {
    case .mtu(let event): event
    case .discovery(let event): event
    case .serviceNotFound(let event): event
    case .subscription(let event): event
    case .value(let event): event
    case .repeated(let event): event
    case .readMultiple(let event): event
    case .attError(let event): event
    case .unknownRefused(let event): event
    case .mtuExceeded(let event): event
    case .requestTimeout(let event): event
    case .sentEarly(let event): event
    case .wrongResponse(let event): event
    case .unsolicited(let event): event
    case .preparedDiffers(let event): event
    case .writeCancelled(let event): event
    case .partWritten(let event): event
    case .valueShort(let event): event
    case .signature(let event): event
    case .requestUnanswered(let event): event
    case .answeredLate(let event): event
    case .borrowed(let event): event
    case .returned(let event): event
    case .recognized(let event): event
    case .unframedKey(let event): event
    }
  }

  static func kind(
    _ name: StaticString, step: StaticString? = nil, isStep: Bool = true
  ) -> EventKind {
    EventKind(name, .gatt, .attributes, step: step, isStep: isStep)
  }
}

extension AttributeEvent {
  /// The MTU that a client and a server agreed on. Vol 3, Part F, 3.4.2
  public struct MTU: Described {
    public let client: UInt16
    public let server: UInt16
    /// Whether the client had already requested it on this bearer, which it may do only once.
    public var isRepeated = false
    /// The MTU of the bearer's own L2CAP channel, which the exchange does not change; nil on the fixed channel.
    public var channelMTU: UInt16? = nil

    public var kind: EventKind { AttributeEvent.kind("mtu") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let mtu = channelMTU ?? max(23, min(client, server))
      sink.number("mtu", mtu)
      sink.number("client", client)
      sink.number("server", server)
      sink.flag("repeated", isRepeated ? true : nil)
      var remark = min(client, server) < 23 ? "; the smallest MTU allowed is 23" : ""
      if isRepeated { remark += "; a client may request it only once per connection" }
      let sides = "(client \(client), server \(server))"
      sink.sentence(
        channelMTU == nil
          ? "MTU \(mtu) \(sides)\(remark)"
          : "MTU exchange \(sides) on a bearer that must use the MTU of its L2CAP channel\(remark)")
    }
  }

  /// What the client knows about the server after discovery.
  public struct Discovery: Described {
    public let services: Int
    public let characteristics: Int
    public let descriptors: Int
    /// Whether the server is on the recorded side.
    public let isLocal: Bool
    /// Whether the recorder truncated a list: the server has more than that.
    public var isCut = false

    public var kind: EventKind { AttributeEvent.kind("discovery") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("services", services)
      sink.number("characteristics", characteristics)
      sink.number("descriptors", descriptors)
      sink.flag("local_server", isLocal, .identity)
      sink.flag("truncated", isCut ? true : nil)
      let sides = Sides(of: event, session)
      // Clients do not always search for all kinds: that none was found does not show that there is none.
      let found = [
        (services, "service"), (characteristics, "characteristic"), (descriptors, "descriptor"),
      ].filter { $0.0 > 0 }.map { Names.count($0.0, $0.1) }.joined(separator: ", ")
      sink.sentence(
        """
        \(isLocal ? "\(sides.peer) discovered \(sides.hosts) database" : "discovered"): \
        \(found.isEmpty ? "nothing" : found)\(isCut ? "; the recorder truncated a list of them" : "")
        """)
    }
  }

  /// The client searched for a primary service that the server does not have.
  public struct ServiceNotFound: Described {
    public let service: BluetoothUUID
    public let isLocal: Bool

    public var kind: EventKind {
      let topics: Topics = service == ANCS.service ? [.notificationCenter] : []
      return EventKind("service-not-found", .gatt, topics.union(.attributes))
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.uuid("uuid", service)
      sink.word("service", Names.uuid(service))
      sink.flag("local_server", isLocal, .identity)
      let who = isLocal ? "\(Sides(of: event, session).peer) " : ""
      sink.sentence("\(who)searched for service \(Names.uuid(service)): not found")
    }
  }

  /// A client wrote the configuration of a characteristic. Vol 3, Part G, 3.3.3.3
  public struct Subscription: Described {
    /// Of the descriptor.
    public let handle: UInt16
    /// Of the characteristic.
    public let uuid: BluetoothUUID?
    public let bits: UInt16
    public let isLocal: Bool

    public var kind: EventKind { AttributeEvent.kind("subscription") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.attributeType(uuid)
      Self.describe(bits, to: &sink)
      sink.flag("local_server", isLocal, .identity)
      sink.sentence("\(words(event, session))")
    }

    static func describe(_ bits: UInt16, to sink: inout some EventSink) {
      let configuration = ClientConfiguration(rawValue: bits)
      sink.flag("notifications", configuration.contains(.notification))
      sink.flag("indications", configuration.contains(.indication))
    }

    /// `subscribed to Battery Level notifications`
    /// - Parameter isAsked: Whether only the client's request is known.
    func words(
      _ event: Event, _ session: borrowing Session, isAsked: Bool = false
    ) -> String {
      let server = AttributeEvent.server(isLocal, event, session)
      let owner = server?.characteristic(owning: handle)
      let name =
        uuid.map { AttributeEvent.characteristic($0, owner?.handle ?? handle, server) }
        ?? "the characteristic at \(Names.hex(handle))"
      let who = isLocal ? "\(Sides(of: event, session).peer)\(isAsked ? "'s" : "") " : ""
      let (on, off) =
        isAsked
        ? ("request to subscribe to", "request to unsubscribe from")
        : ("subscribed to", "unsubscribed from")
      switch ClientConfiguration(rawValue: bits).intersection([.notification, .indication]) {
      case []: return "\(who)\(off) \(name)"
      case .notification: return "\(who)\(on) \(name) notifications"
      case .indication: return "\(who)\(on) \(name) indications"
      default: return "\(who)\(on) \(name) notifications and indications"
      }
    }
  }

  /// Several attributes were read by one request. Vol 3, Part F, 3.4.4.7
  public struct ReadMultiple: Described {
    public let attributes: [Attribute]
    /// The concatenated values.
    public let value: [UInt8]
    public let isLocal: Bool

    public struct Attribute: Sendable {
      public let handle: UInt16
      public let type: BluetoothUUID?
    }

    public var kind: EventKind { AttributeEvent.kind("read-multiple") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("attributes", attributes) { attribute, sink in
        sink.number("handle", attribute.handle)
        sink.attributeType(attribute.type, .parameter)
      }
      sink.octets("value", value)
      sink.flag("local_server", isLocal, .identity)
      let who = isLocal ? "\(Sides(of: event, session).peer) " : ""
      let names = Names.few(attributes.map { Names.attribute($0.type, $0.handle) })
      let shown = AttributeValue(
        Array(value.prefix(KeptValue.most)), count: value.count, nil)
      sink.sentence("\(who)read together \(names): \(shown.words)")
    }
  }
}

extension EventSink {
  /// The type of an attribute, and its name.
  mutating func attributeType(_ type: BluetoothUUID?, _ role: EventRole = .family) {
    // A type that stands for a handle adds nothing to the handle.
    guard let type, type.handle == nil else { return }
    uuid("uuid", type, role)
    word("attribute", AssignedNumbers.name(ofAttributeType: type), role)
  }
}
