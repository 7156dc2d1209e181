import HarkDissection

// The remote control of audio: AVRCP 1.6.
extension AudioEvent {
  /// An attribute of the media item, by its AttributeID.
  public struct Attribute: Equatable, Sendable {
    public let id: UInt32
    public let text: String

    fileprivate var words: EventSentence {
      switch AVRCPMessage.AttributeID(rawValue: id) {
      case .title: "“\(personal: text)”"
      case .artist: "by \(personal: text)"
      case .playingTime:
        UInt32(text).map { EventSentence(clock($0)) } ?? "Playing Time \(personal: text)"
      case .album: "album “\(personal: text)”"
      default: "\(Names.of(id, "avrcp.attribute") ?? "attribute \(id)") \(personal: text)"
      }
    }
  }

  /// A setting of the player.
  public struct Setting: Equatable, Sendable {
    public let attribute: UInt8
    public let value: UInt8

    fileprivate var words: String {
      let name = Names.of(attribute, "avrcp.setting") ?? "setting \(Names.hex(attribute))"
      return "\(name): \(valueName ?? Names.hex(value))"
    }

    /// The name of a value depends on its attribute: the fields of the path are in the same order.
    private var valueName: String? {
      let fields = Catalog.shared.fields(at: "avrcp.settingValue")
      guard 1...4 ~= attribute, Int(attribute) <= fields.count else { return nil }
      return fields[Int(attribute) - 1].definition.name(of: UInt64(value))
    }
  }

  /// A channel whose beginning is not in the capture, recognized by the form of its messages.
  public struct ControlRecognized: Described {
    public let cid: UInt16

    public var kind: EventKind { AudioEvent.kind("avctp-recognized") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("cid", cid, .incidental)
      sink.sentence(
        """
        AVCTP on CID \(Names.hex(cid)), recognized by the form of its messages: the capture \
        does not contain the opening of the channel
        """)
    }
  }

  /// The events that one side can send notifications for.
  public struct Notifications: Described {
    public let events: [UInt8]
    public let isLocal: Bool

    public var kind: EventKind { AudioEvent.kind("remote-notifications") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("local", isLocal, .identity)
      sink.words("events", events.map { Names.of($0, "avrcp.event") ?? Names.hex($0) })
      sink.sentence(
        "\(isLocal ? "this host" : "peer") can report \(Names.few(events.map(name(ofEvent:))))")
    }
  }

  /// What is played.
  public struct Track: Described {
    public let attributes: [Attribute]
    /// Whether this host plays it; otherwise the peer does.
    public var isLocal = false

    public var kind: EventKind { AudioEvent.kind("track") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("attributes", attributes) { attribute, sink in
        sink.code("id", attribute.id, "name", "avrcp.attribute", .incidental)
        sink.text("value", attribute.text)
      }
      sink.flag("local", isLocal)
      sink.sentence("\(owner(isLocal))track: \(attributes.map(\.words).joined(separator: ", "))")
    }
  }

  public struct PlayStatus: Described {
    public let status: UInt8
    /// In milliseconds, like the next one; nil if the player does not support it.
    public let position: UInt32?
    public let length: UInt32?
    /// Whether it is that of this host; otherwise it is that of the peer.
    public var isLocal = false

    public var kind: EventKind { AudioEvent.kind("play-status") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("status", status, "status_name", "avrcp.playStatus")
      sink.nanoseconds("position", position.map { Int64($0) * 1_000_000 })
      sink.nanoseconds("length", length.map { Int64($0) * 1_000_000 })
      let name = Names.of(status, "avrcp.playStatus") ?? Names.hex(status)
      let at = position.map { " at \(clock($0))" } ?? ""
      sink.flag("local", isLocal)
      sink.sentence(
        "\(owner(isLocal))play status \(name)\(at)\(length.map { " of \(clock($0))" } ?? "")")
    }
  }

  /// How much of a track was played.
  public struct Position: Described {
    /// Nil if nothing is selected.
    public let milliseconds: UInt32?
    /// Whether it is that of this host; otherwise it is that of the peer.
    public var isLocal = false

    public var kind: EventKind { AudioEvent.kind("play-position", isStep: false) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.nanoseconds("position", milliseconds.map { Int64($0) * 1_000_000 })
      sink.flag("local", isLocal)
      sink.sentence(
        """
        \(owner(isLocal))position\(milliseconds.map { " \(clock($0))" } ?? ": nothing is selected")
        """)
    }

    /// Positions arrive up to once per second.
    public func repetition(
      _ sentence: String, _ event: Event, in session: borrowing Session
    ) -> EventRepetition {
      EventRepetition(subject: "playback positions", isNoun: true)
    }
  }

  public struct Volume: Described {
    /// Of 127.
    public let volume: UInt8
    /// Whether the controller requests it; otherwise the rendering side reports it.
    public let isRequest: Bool
    /// Whether it is the volume of this host; otherwise it is that of the peer.
    public var isLocal = false

    public var kind: EventKind { AudioEvent.kind("volume") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("volume", volume)
      sink.flag("requested", isRequest)
      sink.flag("local", isLocal)
      // AVRCP 1.6, 6.13.1
      let percent = (Int(volume) * 200 + 127) / 254
      sink.sentence(
        """
        \(owner(isLocal))volume \(isRequest ? "set to " : "")\(percent) % \
        (\(volume))
        """)
    }
  }

  /// An operation of the panel was pressed.
  public struct Operation: Described {
    public let operation: UInt8
    /// Nil if unknown.
    public var byPeer: Bool?

    public var kind: EventKind { AudioEvent.kind("remote-operation") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", operation, "operation_name", "avrcp.operation", .identity)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      sink.sentence(
        "\(AudioEvent.name(ofOperation: operation)) pressed\(byPeer == true ? " by \(sides.peer)" : "")"
      )
    }
  }

  /// A PASS THROUGH command that the other side does not carry out. AVRCP 1.6, 4.4.1
  public struct OperationRefused: Described {
    public let operation: UInt8
    /// Whether the other side does not have the operation; otherwise it rejects it now.
    public let isNotImplemented: Bool
    public let byPeer: Bool

    public var kind: EventKind { AudioEvent.kind("remote-operation-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("operation", operation, "operation_name", "avrcp.operation", .identity)
      sink.flag("not_implemented", isNotImplemented)
      sink.flag("by_peer", byPeer)
      let sides = Sides(of: event, session)
      sink.sentence(
        """
        \(AudioEvent.name(ofOperation: operation)) \
        \(isNotImplemented ? "not implemented" : "rejected") by \(byPeer ? sides.thePeer : sides.host)
        """)
    }
  }

  /// A notification without a value of its own.
  public struct Changed: Described {
    public let event: UInt8

    public var kind: EventKind { AudioEvent.kind("remote-event") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("event", self.event, .incidental)
      sink.word("event_name", Names.of(self.event, "avrcp.event"), .identity)
      sink.sentence("\(name(ofEvent: self.event)) notified")
    }
  }

  public struct Battery: Described {
    public let status: UInt8

    public var kind: EventKind { AudioEvent.kind("player-battery") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("status", status, "status_name", "avrcp.battery")
      sink.sentence("player's battery state: \(Names.of(status, "avrcp.battery") ?? "\(status)")")
    }
  }

  public struct System: Described {
    public let status: UInt8

    public var kind: EventKind { AudioEvent.kind("player-system") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("status", status, "status_name", "avrcp.systemStatus")
      sink.sentence(
        "player's system state: \(Names.of(status, "avrcp.systemStatus") ?? "\(status)")")
    }
  }

  public struct Settings: Described {
    public let settings: [Setting]

    public var kind: EventKind { AudioEvent.kind("player-settings") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("settings", settings) { setting, sink in
        sink.code("attribute", setting.attribute, "name", "avrcp.setting")
        sink.number("value", setting.value)
      }
      sink.sentence("\(settings.map(\.words).joined(separator: ", "))")
    }
  }

  public struct AddressedPlayer: Described {
    public let player: UInt16

    public var kind: EventKind { AudioEvent.kind("addressed-player") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("player", player)
      sink.sentence("addressed player \(Names.hex(player))")
    }
  }

  /// Items of a folder, a search, or a list of players.
  public struct Items: Described {
    public let pdu: UInt8
    public let count: Int

    public var kind: EventKind { AudioEvent.kind("player-items") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("pdu", pdu, .incidental)
      sink.word("pdu_name", Names.of(pdu, "avrcp.pdu"), .identity)
      sink.number("items", count, .incidental)
      sink.sentence("\(name(ofPDU: pdu)): \(Names.count(count, "item"))")
    }
  }

  public struct RemoteRejected: Described {
    public let pdu: UInt8
    /// 0 if the response has none.
    public let status: UInt8
    /// Whether the other side does not have the PDU.
    public var isNotImplemented = false

    public var kind: EventKind { AudioEvent.kind("remote-rejected") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("pdu", pdu, .incidental)
      sink.word("pdu_name", Names.of(pdu, "avrcp.pdu"), .identity)
      if isNotImplemented {
        sink.flag("not_implemented", true)
      } else {
        sink.code("status", status, "status_name", "avrcp.status")
      }
      let why =
        isNotImplemented
        ? "not implemented" : Names.of(status, "avrcp.status") ?? "status \(Names.hex(status))"
      let isGeneral = pdu == AVRCPMessage.generalReject
      sink.sentence("\(name(ofPDU: pdu))\(isGeneral ? "" : " rejected"): \(why)")
    }
  }

  /// A command of a profile that its receiver does not know: the response has the IPID bit set. AVCTP 1.4, 6.1.1
  public struct ProfileUnknown: Described {
    public let profile: UInt16
    /// Whether the peer does not know it.
    public let toPeer: Bool

    public var kind: EventKind { AudioEvent.kind("remote-profile-unknown") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("profile", profile, "profile_name", "avctp.profile", .identity)
      sink.flag("to_peer", toPeer)
      let sides = Sides(of: event, session)
      let name = Names.of(profile, "avctp.profile") ?? "profile \(Names.hex(profile))"
      sink.sentence("\(toPeer ? sides.thePeer : sides.host) does not support \(name)")
    }
  }

  // MARK: Names

  fileprivate static func name(ofOperation operation: UInt8) -> String {
    Names.of(operation, "avrcp.operation") ?? "operation \(Names.hex(operation))"
  }

  private static func name(ofPDU pdu: UInt8) -> String {
    Names.of(pdu, "avrcp.pdu") ?? "PDU \(Names.hex(pdu))"
  }

  private static func name(ofEvent event: UInt8) -> String {
    Names.of(event, "avrcp.event") ?? "event \(Names.hex(event))"
  }

  /// Whose player it is: nothing for that of the peer.
  private static func owner(_ isLocal: Bool) -> StaticString { isLocal ? "this host's " : "" }

  /// `3:05`
  private static func clock(_ milliseconds: UInt32) -> String {
    let seconds = milliseconds / 1_000
    return "\(seconds / 60):\("\(seconds % 60 + 100)".dropFirst())"
  }
}
