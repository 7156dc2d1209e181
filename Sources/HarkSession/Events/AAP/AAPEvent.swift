import HarkCore
import HarkDissection

/// Events of the Apple Accessory Protocol. An accessory's ears, hosts and audio source are described in the terms of
/// AudioAccessoryKit.
public enum AAPEvent: Sendable {
  // The connection
  case connect(Connect)
  case connected(Connected)
  case connectFailed(ConnectFailed)
  case connectUnanswered(ConnectUnanswered)
  case disconnected(Disconnected)
  case recognized(Recognized)
  case malformedMessage(MalformedMessage)

  // The accessory's configuration
  case accessoryControl(AccessoryControl)
  case audioSourceNotCleared(AudioSourceNotCleared)
  case setting(Setting)
  case smartRouting(SmartRouting)

  // What the host requests
  case renamed(Renamed)
  case notificationsRequested(NotificationsRequested)
  case featuresRequested(FeaturesRequested)
  case featuresAcknowledged(FeaturesAcknowledged)
  case hostCapabilities(HostCapabilities)
  case accommodation(Accommodation)
  case equalizer(Equalizer)
  case keysRequested(KeysRequested)

  // What the accessory reports
  case battery(Batteries)
  case advertisedBattery(AdvertisedBattery)
  case lockedAdvertising(LockedAdvertising)
  case advertised(Advertised)
  case information(Information)
  case stemPress(StemPress)
  case conversation(Conversation)
  case customMessages(CustomMessages)

  var described: any Described {
    switch self {
    case .connect(let event): event
    case .connected(let event): event
    case .connectFailed(let event): event
    case .connectUnanswered(let event): event
    case .disconnected(let event): event
    case .recognized(let event): event
    case .malformedMessage(let event): event
    case .accessoryControl(let event): event
    case .audioSourceNotCleared(let event): event
    case .setting(let event): event
    case .smartRouting(let event): event
    case .renamed(let event): event
    case .notificationsRequested(let event): event
    case .featuresRequested(let event): event
    case .featuresAcknowledged(let event): event
    case .hostCapabilities(let event): event
    case .accommodation(let event): event
    case .equalizer(let event): event
    case .keysRequested(let event): event
    case .battery(let event): event
    case .advertisedBattery(let event): event
    case .lockedAdvertising(let event): event
    case .advertised(let event): event
    case .information(let event): event
    case .stemPress(let event): event
    case .conversation(let event): event
    case .customMessages(let event): event
    }
  }

  static func kind(_ name: StaticString, step: StaticString? = nil) -> EventKind {
    EventKind(name, .configuration, .accessoryProtocol, step: step)
  }
}

// The connection.
extension AAPEvent {
  /// The host requests a connection.
  public struct Connect: Described {
    public let major: UInt16
    public let minor: UInt16

    public var kind: EventKind { AAPEvent.kind("aap-connect") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("version", "\(major).\(minor)")
      sink.sentence("host connects to the accessory with AAP \(major).\(minor)")
    }
  }

  public struct Connected: Described {
    public let major: UInt16
    public let minor: UInt16
    /// Nanoseconds since the host's request; nil if the capture does not show it.
    public let latency: Int64?

    public var kind: EventKind { AAPEvent.kind("aap-connected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.word("version", "\(major).\(minor)")
      sink.nanoseconds("latency", latency)
      let after = latency.map { " after \(Names.duration($0))" } ?? ""
      sink.sentence("accessory accepts AAP \(major).\(minor)\(after)")
    }
  }

  public struct ConnectFailed: Described {
    public let status: UInt16

    public var kind: EventKind { AAPEvent.kind("aap-refused", step: "aap-connected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("accessory refuses the connection: status \(Names.hex(status))")
    }
  }

  /// The accessory never answered, and nothing else works until it does.
  public struct ConnectUnanswered: Described {
    public var kind: EventKind { AAPEvent.kind("aap-unanswered", step: "aap-connected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence(
        "AAP connect request not answered; until it is, the accessory answers nothing else")
    }
  }

  public struct Disconnected: Described {
    public let status: UInt16

    public var kind: EventKind { AAPEvent.kind("aap-disconnected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.sentence("AAP disconnected, status \(Names.hex(status))")
    }
  }

  /// The protocol of a channel whose beginning is not in the capture, recognized by the form of its messages.
  public struct Recognized: Described {
    public let cid: UInt16

    public var kind: EventKind { EventKind("aap-recognized", .l2cap, .accessoryProtocol) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cid", cid, .incidental)
      sink.sentence(
        """
        AAP on CID \(Names.hex(cid)), recognized by the form of its messages: the capture does \
        not contain the opening of the channel
        """)
    }
  }

  /// A message that is shorter than the fields its type begins with, or than a length or a count that it states itself.
  public struct MalformedMessage: Described {
    /// Nil for messages that establish the connection, and if the opcode is unknown.
    public let opcode: UInt16?
    /// In bytes.
    public let size: Int
    /// The field that it does not contain to its end.
    public let lack: Malformed

    public var kind: EventKind { AAPEvent.kind("aap-message-malformed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("opcode", opcode, .incidental)
      sink.word("message_name", name, .identity)
      sink.number("size", size, .incidental)
      sink.word("problem", lack.words)
      sink.sentence("AAP message\(name.map { " \($0)" } ?? "") ends early: \(lack.words)")
    }

    private var name: String? { opcode.flatMap { Names.of($0, "aap.opcode") } }
  }
}

extension Malformed {
  /// `Level needs 1 byte, 0 available`.
  var words: String {
    switch reason {
    case .truncated(let needed, let available):
      "\(field) needs \(Names.count(needed, "byte")), \(available) available"
    case .invalid(let why): "\(field) \(why)"
    }
  }
}
