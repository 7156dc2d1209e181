import HarkCore
import HarkDissection

/// Events of a controller, and between it and its host. Core Specification, Vol 4, Part E.
public enum ControllerEvent: Sendable {
  case found(Found)
  case gone
  case opened
  case closed
  case reset
  case version(Version)
  case commandFailed(CommandFailed)
  case commandUnanswered(CommandUnanswered)
  case hardwareError(HardwareError)
  case bufferOverflow(BufferOverflow)
  case buffersExceeded(BuffersExceeded)
  case discovery(DiscoveryEvent)

  var described: any Described {
    switch self {
    case .found(let event): event
    case .gone: Gone()
    case .opened: Opened()
    case .closed: Closed()
    case .reset: Reset()
    case .version(let event): event
    case .commandFailed(let event): event
    case .commandUnanswered(let event): event
    case .hardwareError(let event): event
    case .bufferOverflow(let event): event
    case .buffersExceeded(let event): event
    case .discovery(let event): event.described
    }
  }

  /// Over-the-air captures do not show it.
  static func kind(_ name: StaticString) -> EventKind {
    EventKind(name, .host, [], isShared: false)
  }

  /// Recorders add it, or hosts repeat it all day.
  static func background(_ name: StaticString) -> EventKind {
    EventKind(name, .host, [], isStep: false)
  }
}

extension ControllerEvent {
  public struct Found: Described {
    public let name: String
    public let address: BluetoothAddress?

    public var kind: EventKind { background("controller-found") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.text("name", name)
      sink.address("address", address)
      let address: EventSentence = address.map { ", address \(personal: $0)" } ?? ""
      sink.sentence("controller \(personal: name)\(address)")
    }
  }

  public struct Gone: Described {
    public var kind: EventKind { background("controller-gone") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("controller removed")
    }
  }

  public struct Opened: Described {
    public var kind: EventKind { background("controller-opened") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("controller opened by the host")
    }
  }

  public struct Closed: Described {
    public var kind: EventKind { background("controller-closed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("controller closed by the host")
    }
  }

  public struct Reset: Described {
    public var kind: EventKind { ControllerEvent.kind("controller-reset") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("controller reset")
    }
  }

  public struct Version: Described {
    public let version: UInt8
    public let company: UInt16

    public var kind: EventKind { ControllerEvent.kind("controller-version") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("version", version)
      sink.number("company", company, .incidental)
      sink.sentence("controller is \(Names.version(version)), made by \(Names.company(company))")
    }
  }

  /// The controller did not carry out the host's request.
  public struct CommandFailed: Described {
    public let opcode: UInt16
    public let status: UInt8
    /// Nil if the capture does not have the command.
    public var purpose: CommandPurpose? = nil

    public var kind: EventKind { ControllerEvent.kind("command-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let name = Names.command(opcode)
      sink.number("opcode", opcode, .incidental)
      sink.word("command", name, .identity)
      sink.number("status", status)
      if let purpose { sink.object("not_done") { purpose.describe(to: &$0) } }
      sink.sentence("\(purpose?.notDone ?? "\(name) failed"): \(Names.status(status))")
    }
  }

  /// A controller that answers others of its host's commands has not answered this one for 2 s.
  public struct CommandUnanswered: Described {
    public let opcode: UInt16
    /// From the command to the packet at which the event is reported.
    public let nanoseconds: Int64

    public var kind: EventKind {
      ControllerEvent.kind("command-unanswered").looking(back: .inSentence)
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      let name = Names.command(opcode)
      sink.number("opcode", opcode, .incidental)
      sink.word("command", name, .identity)
      sink.nanoseconds("duration", nanoseconds)
      sink.sentence("the controller did not answer \(name) for \(Names.duration(nanoseconds))")
    }
  }

  public struct HardwareError: Described {
    public let code: UInt8

    public var kind: EventKind { ControllerEvent.kind("hardware-error") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("code", code)
      sink.sentence("the controller reports a hardware error, code \(Names.hex(code))")
    }
  }

  public struct BufferOverflow: Described {
    /// 0 synchronous, 1 ACL, 2 isochronous data.
    public let linkType: UInt8

    public var kind: EventKind { ControllerEvent.kind("data-buffer-overflow") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.code("link_type", linkType, "link_type_name", "hci.evt.overflowLinkType")
      let data =
        Names.of(linkType, "hci.evt.overflowLinkType").map { "\($0) data" }
        ?? "data of type \(linkType)"
      sink.sentence(
        "the controller's buffers overflowed: the host sent more \(data) than they hold")
    }
  }

  /// The host sent its controller more ACL or ISO data packets than it has buffers.
  public struct BuffersExceeded: Described {
    public let used: Int
    public let size: Int
    /// Whether the excess packet is, or continues, an ATT_WRITE_CMD.
    public let isWriteCommand: Bool
    /// Whether they are packets of isochronous streams, which have buffers of their own.
    public var isIsochronous = false

    public var kind: EventKind { ControllerEvent.kind("buffers-exceeded") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("used", used)
      sink.number("size", size, .incidental)
      sink.flag("write_command", isWriteCommand)
      sink.flag("isochronous", isIsochronous)
      sink.sentence(
        """
        the host has \(Names.count(used, isIsochronous ? "ISO packet" : "packet")) outstanding at the controller, which has buffers \
        for \(size)\(isWriteCommand ? ": the last is a Write Command" : "")
        """)
    }
  }
}
