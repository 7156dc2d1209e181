import HarkCore

/// Events of periodic advertising trains: those of this host, by their Advertising_Handle, and those it receives, by
/// their Sync_Handle. Core Specification, Vol 4, Part E, 7.7.65.14 to 7.7.65.16, 7.7.65.24, 7.7.65.34 to 7.7.65.37,
/// 7.8.61 to 7.8.70, 7.8.89 to 7.8.92, 7.8.125. Intervals are in units of 1.25 ms.
public enum PeriodicEvent: Equatable, Sendable {
  // This host advertises
  case started(Started)
  case stopped(Stopped)
  case data(Data)
  case responses(Responses)
  case handedOver(HandedOver)

  // This host listens
  case requested(Requested)
  case synchronized(Synchronized)
  case received(Received)
  case failed(Failed)
  case changed(Changed)
  case group(BroadcastGroup)
  case lost(Lost)
  case ended(Ended)
  case heard(Heard)

  var described: any Described {
    switch self {
    case .started(let event): event
    case .stopped(let event): event
    case .data(let event): event
    case .responses(let event): event
    case .handedOver(let event): event
    case .requested(let event): event
    case .synchronized(let event): event
    case .received(let event): event
    case .failed(let event): event
    case .changed(let event): event
    case .group(let event): event
    case .lost(let event): event
    case .ended(let event): event
    case .heard(let event): event
    }
  }

  private static func kind(_ name: StaticString) -> EventKind {
    EventKind(name, .host, .periodicAdvertising)
  }

  private static func own(_ set: UInt8) -> String {
    "periodic advertising of set \(Names.hex(set))"
  }

  private static func name(_ sync: UInt16) -> String { "sync \(Names.hex(sync))" }
}

// This host advertises.
extension PeriodicEvent {
  public struct Started: Described, Equatable {
    public let set: UInt8
    /// Nil if the capture does not have HCI_LE_Set_Periodic_Advertising_Parameters.
    public let parameters: Parameters?

    public var kind: EventKind { PeriodicEvent.kind("periodic-advertising-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("set", set)
      sink.interval("interval_min", parameters?.shortest)
      sink.interval("interval_max", parameters?.longest)
      sink.number("interval_min_1250_us", parameters?.shortest, .incidental)
      sink.number("interval_max_1250_us", parameters?.longest, .incidental)
      parameters?.subevents?.describe(to: &sink)
      sink.sentence("\(own(set)) started\(parameters.map { ", \($0.words)" } ?? "")")
    }
  }

  public struct Stopped: Described, Equatable {
    public let set: UInt8
    /// Whether the capture shows that it was on before.
    public var wasOn = true

    public var kind: EventKind { PeriodicEvent.kind("periodic-advertising-stopped") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("set", set)
      sink.flag("was_on", wasOn)
      sink.sentence("\(own(set)) \(wasOn ? "stopped" : "is off")")
    }
  }

  /// Data other than before.
  public struct Data: Described, Equatable {
    public let set: UInt8
    public let content: Content

    public var kind: EventKind { PeriodicEvent.kind("periodic-advertising-data") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("set", set)
      content.describe(to: &sink)
      sink.sentence("\(own(set)) sends \(content.words)")
    }
  }

  /// How often the Controller requested the data of a subevent, how many responses it received, and how many it did
  /// not receive, or not completely.
  public struct Responses: Described, Equatable {
    public let set: UInt8
    public let requests: Int
    public let heard: Int
    public let missing: Int

    public var kind: EventKind { PeriodicEvent.kind("periodic-advertising-responses") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("set", set)
      sink.number("requests", requests)
      sink.number("responses", heard)
      sink.number("missing", missing)
      sink.sentence(
        """
        \(own(set)): controller requested data for \(Names.count(requests, "subevent")), \
        \(Names.count(heard, "response")) received\
        \(missing > 0 ? ", \(missing) missing or incomplete" : "")
        """)
    }
  }

  /// This host informed the peer about the train.
  public struct HandedOver: Described, Equatable {
    public let source: Source

    public var kind: EventKind { PeriodicEvent.kind("periodic-advertising-handed-over") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      switch source {
      case .set(let set):
        sink.number("set", set)
        sink.sentence("\(own(set)) transferred to the peer")
      case .sync(let sync):
        sink.number("sync", sync)
        sink.sentence("periodic advertising of \(name(sync)) transferred to the peer")
      }
    }

    public enum Source: Equatable, Sendable {
      case set(UInt8)
      case sync(UInt16)
    }
  }
}

// This host listens.
extension PeriodicEvent {
  public struct Requested: Described, Equatable {
    /// Nil for the trains of the Periodic Advertiser List.
    public let advertiser: Advertiser?

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-requested") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      advertiser?.describe(to: &sink)
      let whose: EventSentence = advertiser?.words ?? "of any in the Periodic Advertiser List"
      sink.sentence("synchronization with periodic advertising started: \(whose)")
    }
  }

  public struct Synchronized: Described, Equatable {
    public let sync: UInt16
    public let train: Train

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-established") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      train.describe(to: &sink)
      sink.sentence("synchronized with periodic advertising, \(name(sync)): \(train.words)")
    }
  }

  /// The peer informed this host about the train.
  public struct Received: Described, Equatable {
    public let sync: UInt16
    public let train: Train

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-received") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      train.describe(to: &sink)
      sink.sentence(
        """
        synchronized with periodic advertising transferred by the peer, \(name(sync)): \(train.words)
        """)
    }
  }

  public struct Failed: Described, Equatable {
    public let status: UInt8
    public let isTransfer: Bool

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-failed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("status", status)
      sink.flag("transfer", isTransfer)
      sink.sentence(
        """
        not synchronized with periodic advertising\(isTransfer ? " transferred by the peer" : ""): \
        \(Names.status(status))
        """)
    }
  }

  /// Data other than before.
  public struct Changed: Described, Equatable {
    public let sync: UInt16
    public let content: Content
    /// Whether nothing came before.
    public let isFirst: Bool

    public var kind: EventKind { PeriodicEvent.kind("periodic-data-changed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      content.describe(to: &sink)
      sink.flag("first", isFirst)
      sink.sentence("\(name(sync)) \(isFirst ? "sends" : "now sends") \(content.words)")
    }
  }

  /// BIGInfo of a train. 7.7.65.34
  public struct BroadcastGroup: Described, Equatable {
    /// Nil over the air.
    public let sync: UInt16?
    /// Of the train, over the air only.
    public let accessAddress: UInt32?
    public let group: Group

    init(sync: UInt16? = nil, accessAddress: UInt32? = nil, group: Group) {
      (self.sync, self.accessAddress, self.group) = (sync, accessAddress, group)
    }

    public var kind: EventKind { PeriodicEvent.kind("broadcast-group-announced") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      sink.number("access_address", accessAddress)
      group.describe(to: &sink)
      let train = accessAddress.map { "periodic advertising \(Names.hex($0))" }
      sink.sentence(
        "\(sync.map(name) ?? train ?? "periodic advertising") announces a broadcast group: \(group.words)"
      )
    }
  }

  public struct Lost: Described, Equatable {
    public let sync: UInt16
    public let account: Account

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-lost") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      account.describe(to: &sink)
      sink.sentence("\(name(sync)) lost\(account.words)")
    }
  }

  /// By the host, or with its controller.
  public struct Ended: Described, Equatable {
    public let sync: UInt16
    public let account: Account
    /// What ended everything of its controller, and so this.
    public var controllerEnd: Link.ControllerEnd?

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      account.describe(to: &sink)
      IsochronousEvent.describe(controllerEnd, to: &sink)
      let how = controllerEnd.map { "ended\($0.words)" } ?? "terminated by this host"
      sink.sentence("\(name(sync)) \(how)\(account.words)")
    }
  }

  /// At the end of the capture, for a train with subevents.
  public struct Heard: Described, Equatable {
    public let sync: UInt16
    public let account: Account

    public var kind: EventKind { PeriodicEvent.kind("periodic-sync-heard") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("sync", sync)
      account.describe(to: &sink)
      sink.sentence("\(name(sync)): \(account.received)")
    }
  }
}
