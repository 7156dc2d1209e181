import HarkDissection

/// Events of isochronous streams. Core Specification, Vol 4, Part E, 5.4.5, 7.7.65.25 to 7.7.65.30. Intervals are in
/// units of 1.25 ms, latencies in microseconds, PDUs and SDUs in octets.
public enum IsochronousEvent: Equatable, Sendable {
  case requested(Requested)
  case refused(Refused)
  case established(Established)
  case failed(Failed)
  case ended(Ended)
  case group(Group)
  case groupFailed(GroupFailed)
  case groupEnded(GroupEnded)
  case gap(Gap)
  case lost(Lost)
  case timestampBack(TimestampBack)
  case sduLength(SDULength)
  case sduTooLong(SDUTooLong)

  var described: any Described {
    switch self {
    case .requested(let event): event
    case .refused(let event): event
    case .established(let event): event
    case .failed(let event): event
    case .ended(let event): event
    case .group(let event): event
    case .groupFailed(let event): event
    case .groupEnded(let event): event
    case .gap(let event): event
    case .lost(let event): event
    case .timestampBack(let event): event
    case .sduLength(let event): event
    case .sduTooLong(let event): event
    }
  }

  private static func kind(_ name: StaticString) -> EventKind {
    EventKind(name, .link, .isochronous)
  }

  private static func stream(_ handle: UInt16) -> String {
    "isochronous stream \(Names.hex(handle))"
  }

  private static func group(_ big: UInt8) -> String { "broadcast group \(big)" }

  /// As for `link-closed`.
  static func describe(_ end: Link.ControllerEnd?, to sink: inout some EventSink) {
    sink.flag("by_reset", end == .reset)
    sink.word("controller_end", end.flatMap { $0 == .reset ? nil : $0.rawValue })
  }
}

extension IsochronousEvent {
  /// The name of a CIS over the air: the stream of a group.
  public struct Name: Equatable, Sendable {
    public let cig: UInt8
    public let cis: UInt8
  }

  /// A Central requests a CIS.
  public struct Requested: Described, Equatable {
    public let handle: UInt16
    public let name: Name

    public var kind: EventKind { IsochronousEvent.kind("isochronous-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("cig", name.cig)
      sink.number("cis", name.cis)
      sink.sentence("Central requests \(stream(handle)): CIG \(name.cig), CIS \(name.cis)")
    }
  }

  /// This host refuses a CIS that the Central requested.
  public struct Refused: Described, Equatable {
    public let handle: UInt16
    public let reason: UInt8

    public var kind: EventKind { IsochronousEvent.kind("isochronous-refused") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("reason", reason)
      sink.sentence("this host refuses \(stream(handle)): \(Names.status(reason))")
    }
  }

  /// A CIS was established.
  public struct Established: Described, Equatable {
    public let handle: UInt16
    /// Nil if its request is not in the capture.
    public var name: Name? = nil
    public let interval: UInt16
    public let toPeripheral: Way
    public let toCentral: Way

    /// One direction of a CIS.
    public struct Way: Equatable, Sendable {
      public let latency: UInt32
      public let phy: UInt8
      /// 0 if nothing is sent.
      public let maxPDU: UInt16

      func describe(to sink: inout some EventSink) {
        sink.nanoseconds("latency", Int64(latency) * 1_000, .parameter)
        sink.number("latency_us", latency, .incidental)
        sink.word("phy", Names.phy(phy))
        sink.number("max_pdu", maxPDU)
      }

      var words: String {
        guard maxPDU > 0 else { return "no data" }
        return "\(Names.count(Int(maxPDU), "byte")), "
          + "latency \(Names.milliseconds(microseconds: latency)), \(Names.phy(phy))"
      }
    }

    public var kind: EventKind { IsochronousEvent.kind("isochronous-established") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("cig", name?.cig)
      sink.number("cis", name?.cis)
      sink.interval("interval", interval)
      sink.number("interval_1250_us", interval, .incidental)
      sink.object("to_peripheral") { toPeripheral.describe(to: &$0) }
      sink.object("to_central") { toCentral.describe(to: &$0) }
      let name = name.map { "CIG \($0.cig), CIS \($0.cis), " } ?? ""
      sink.sentence(
        """
        \(stream(handle)) established: \(name)\(Names.every(interval)); \(ways)
        """)
    }

    private var ways: String {
      toPeripheral.maxPDU == 0 && toCentral.maxPDU == 0
        ? "no data in either direction"
        : "to the Peripheral \(toPeripheral.words), to the Central \(toCentral.words)"
    }
  }

  public struct Failed: Described, Equatable {
    public let handle: UInt16
    public let status: UInt8

    public var kind: EventKind { IsochronousEvent.kind("isochronous-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("status", status)
      sink.sentence("\(stream(handle)) not established: \(Names.status(status))")
    }
  }

  public struct Ended: Described, Equatable {
    public let handle: UInt16
    /// Nil if the capture does not show it.
    public let reason: UInt8?
    /// Whether it ended with its ACL connection, without an event of its own.
    public var isWithACL = false
    /// What ended all that its controller did, without an event of its own.
    public var controllerEnd: Link.ControllerEnd?

    public var kind: EventKind { IsochronousEvent.kind("isochronous-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("reason", reason, .viewpoint)
      sink.flag("with_acl", isWithACL)
      IsochronousEvent.describe(controllerEnd, to: &sink)
      let why =
        controllerEnd?.words ?? ": \(reason.map { Names.status($0) } ?? "reason not captured")"
      sink.sentence("\(stream(handle)) ended\(isWithACL ? " with its ACL connection" : "")\(why)")
    }
  }

  /// This host broadcasts, or receives a broadcast.
  public struct Group: Described, Equatable {
    public let big: UInt8
    public let isOurs: Bool
    public let interval: UInt16
    public let maxPDU: UInt16
    /// Those of its BISes.
    public let handles: [UInt16]

    public var kind: EventKind { IsochronousEvent.kind("broadcast-group") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("big", big)
      sink.flag("ours", isOurs)
      sink.interval("interval", interval)
      sink.number("interval_1250_us", interval, .incidental)
      sink.number("max_pdu", maxPDU)
      sink.numbers("handles", handles)
      sink.sentence(
        """
        \(group(big)) \(isOurs ? "created" : "synchronized"): \(Names.every(interval)), PDUs of \
        \(Names.count(Int(maxPDU), "byte")); \
        streams \(handles.map { Names.hex($0) }.joined(separator: ", "))
        """)
    }
  }

  public struct GroupFailed: Described, Equatable {
    public let big: UInt8
    public let isOurs: Bool
    public let status: UInt8

    public var kind: EventKind { IsochronousEvent.kind("broadcast-group-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("big", big)
      sink.flag("ours", isOurs)
      sink.number("status", status)
      sink.sentence(
        "\(group(big)) not \(isOurs ? "created" : "synchronized"): \(Names.status(status))")
    }
  }

  public struct GroupEnded: Described, Equatable {
    public let big: UInt8
    public let isOurs: Bool
    /// Nil if its controller was reset or is gone.
    public let reason: UInt8?
    /// What ended all that its controller did, without an event of its own.
    public var controllerEnd: Link.ControllerEnd?

    public var kind: EventKind { IsochronousEvent.kind("broadcast-group-ended") }

    /// Whether this host stopped receiving.
    private var isGivenUp: Bool {
      !isOurs && HCIErrorCode(reason) == .connectionTerminatedByLocalHost
    }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("big", big)
      sink.flag("ours", isOurs)
      sink.number("reason", reason, .viewpoint)
      IsochronousEvent.describe(controllerEnd, to: &sink)
      let why =
        controllerEnd?.words ?? ": \(reason.map { Names.status($0) } ?? "reason not captured")"
      let what = isOurs ? group(big) : controllerEnd == nil ? group(big) : "sync with \(group(big))"
      sink.sentence(
        isGivenUp
          ? "sync with \(group(big)) terminated by this host"
          : "\(what) \(isOurs || controllerEnd != nil ? "ended" : "lost")\(why)")
    }
  }

  /// Packet_Sequence_Numbers are missing in the data that this host sends or receives.
  public struct Gap: Described, Equatable {
    public let handle: UInt16
    public let missing: Int
    public var isSent = false

    public var kind: EventKind { IsochronousEvent.kind("isochronous-gap") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("count", missing, .incidental)
      sink.flag("sent", isSent, .incidental)
      sink.sentence(
        """
        \(stream(handle)): \(Names.count(missing, "SDU")) of \(isSent ? "this host" : "the peer") \
        missing, according to the sequence numbers
        """)
    }
  }

  /// The controller did not receive this many consecutive SDUs, or cannot be sure that they are correct.
  public struct Lost: Described, Equatable {
    public let handle: UInt16
    public let count: Int
    /// How many of them it received, and cannot be sure of.
    public let doubtful: Int
    /// Whether it received SDUs before and after them: streams begin before there is data, and end after it.
    public let isBetween: Bool

    public var kind: EventKind { IsochronousEvent.kind("isochronous-lost") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("count", count, .incidental)
      sink.number("doubtful", doubtful, .incidental)
      sink.flag("between", isBetween)
      let missing =
        "the controller did not receive \(Names.count(count - doubtful, "SDU")) completely"
      let invalid = "\(Names.count(doubtful, "SDU")) may be invalid"
      let parts = [count > doubtful ? missing : nil, doubtful > 0 ? invalid : nil]
      sink.sentence("\(stream(handle)): \(parts.compactMap { $0 }.joined(separator: ", "))")
    }
  }

  /// The Time_Stamp went back, or did not change, while the sequence number increased.
  public struct TimestampBack: Described, Equatable {
    public let handle: UInt16
    public let microseconds: UInt32

    public var kind: EventKind { IsochronousEvent.kind("isochronous-timestamp-back") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.nanoseconds("step_back", Int64(microseconds) * 1_000, .parameter)
      sink.number("microseconds", microseconds, .incidental)
      let change = microseconds == 0 ? "does not advance" : "goes back by \(microseconds) µs"
      sink.sentence("\(stream(handle)): the time stamp \(change) while SDUs continue")
    }
  }

  /// An SDU has fewer octets than its ISO_SDU_Length says, or more.
  public struct SDULength: Described, Equatable {
    public let handle: UInt16
    public let expected: Int
    public let found: Int

    public var kind: EventKind { IsochronousEvent.kind("isochronous-sdu-length") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("expected", expected)
      sink.number("found", found)
      sink.sentence(
        "\(stream(handle)): an SDU of \(Names.count(expected, "byte")) has \(found)")
    }
  }

  /// The first SDU of a stream with more octets than its parameters allow. Core Specification, Vol 4, Part E, 7.8.97,
  /// 7.8.103
  public struct SDUTooLong: Described, Equatable {
    public let handle: UInt16
    public let length: UInt16
    /// Max_SDU.
    public let most: UInt16

    public var kind: EventKind { IsochronousEvent.kind("isochronous-sdu-too-long") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("handle", handle, .incidental)
      sink.number("length", length)
      sink.number("max_sdu", most)
      sink.sentence(
        "\(stream(handle)): an SDU has \(Names.count(Int(length), "byte")), and Max_SDU is \(most)")
    }
  }
}
