import HarkCore
import HarkDissection

/// Inquiry, scanning and advertising, which a host starts and stops. Core Specification, Vol 4, Part E.
public enum DiscoveryEvent: Sendable {
  case inquiryStarted(InquiryStarted)
  case inquiryEnded(InquiryEnded)
  case scanStarted
  case scanStopped(ScanStopped)
  case advertisingStarted(AdvertisingStarted)
  case advertisingStopped(AdvertisingStopped)
  case advertisingEnded(AdvertisingEnded)
  case advertisingRemoved(AdvertisingRemoved)
  case monitored(Monitored)

  var described: any Described {
    switch self {
    case .inquiryStarted(let event): event
    case .inquiryEnded(let event): event
    case .scanStarted: ScanStarted()
    case .scanStopped(let event): event
    case .advertisingStarted(let event): event
    case .advertisingStopped(let event): event
    case .advertisingEnded(let event): event
    case .advertisingRemoved(let event): event
    case .monitored(let event): event
    }
  }
}

extension DiscoveryEvent {
  /// The host searches for BR/EDR devices.
  public struct InquiryStarted: Described {
    public let isPeriodic: Bool

    public var kind: EventKind { ControllerEvent.background("inquiry-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.flag("periodic", isPeriodic)
      sink.sentence(isPeriodic ? "periodic inquiry started" : "inquiry started")
    }
  }

  public struct InquiryEnded: Described {
    /// Nil if its beginning is not in the capture; the same goes for `responses`.
    public let devices: Int?
    public let responses: Int?
    /// Whether the host stopped it early.
    public let isStopped: Bool
    public let status: UInt8

    public var kind: EventKind { ControllerEvent.background("inquiry-ended") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("devices", devices, .incidental)
      sink.number("responses", responses)
      sink.flag("stopped", isStopped)
      sink.number("status", status)
      let why = status == 0 ? "" : ": \(Names.status(status))"
      let result = found.map { "\(status == 0 ? ":" : ",") \($0)" } ?? ""
      sink.sentence("inquiry \(isStopped ? "stopped" : "ended")\(why)\(result)")
    }

    private var found: String? {
      guard let devices, let responses else { return nil }
      return responses > 0
        ? "\(Names.count(devices, "device")) in \(Names.count(responses, "response"))"
        : "nothing received"
    }
  }

  public struct ScanStarted: Described {
    public var kind: EventKind { ControllerEvent.background("scan-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.sentence("scanning started")
    }
  }

  public struct ScanStopped: Described {
    /// How many devices were new.
    public let devices: Int
    public let reports: Int

    public var kind: EventKind { ControllerEvent.background("scan-stopped") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("devices", devices, .incidental)
      sink.number("reports", reports, .incidental)
      sink.sentence("scanning stopped: \(Self.heard(devices, reports))")
    }

    /// `1 new device in 12 345 reports`
    package static func heard(_ devices: Int, _ reports: Int) -> String {
      reports == 0
        ? "nothing received"
        : "\(Names.count(devices, "new device")) in \(Names.count(reports, "report"))"
    }
  }

  public struct AdvertisingStarted: Described {
    /// The Advertising_Handles; empty for legacy advertising, and for all sets.
    public let sets: [UInt8]
    /// The services that its data solicits; nil if the capture does not have that data.
    public var solicited: [BluetoothUUID]? = nil

    public var kind: EventKind { ControllerEvent.kind("advertising-started") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.advertisingSets(sets)
      if let solicited { sink.words("solicited", solicited.map { $0.description }) }
      let names = solicited?.map { Names.uuid($0) } ?? []
      let wish = names.isEmpty ? "" : ", soliciting \(Names.few(names))"
      sink.sentence("advertising\(DiscoveryEvent.ofSets(sets)) started\(wish)")
    }
  }

  public struct AdvertisingStopped: Described {
    public let sets: [UInt8]
    /// Whether the capture shows that it was on before.
    public var wasOn = true

    public var kind: EventKind { ControllerEvent.kind("advertising-stopped") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.advertisingSets(sets)
      sink.flag("was_on", wasOn)
      sink.sentence(
        "advertising\(DiscoveryEvent.ofSets(sets)) \(wasOn ? "stopped" : "is off")")
    }
  }

  /// Advertising ended by itself.
  public struct AdvertisingEnded: Described {
    /// Nil for legacy advertising.
    public let set: UInt8?
    /// 0 if a connection was made.
    public let status: UInt8
    /// Nil for legacy advertising, which does not count its events.
    public let events: UInt8?

    public var kind: EventKind { EventKind("advertising-ended", .host, []) }

    package var sets: [UInt8] { self.set.map { [$0] } ?? [] }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.advertisingSets(sets)
      sink.number("status", status)
      sink.number("events", events)
      let count = events.map { $0 == 0 ? "" : ", after \(Names.count(Int($0), "event"))" } ?? ""
      sink.sentence("advertising\(DiscoveryEvent.ofSets(sets)) ended: \(reason)\(count)")
    }

    /// Core Specification, Vol 4, Part E, 7.7.65.18
    private var reason: String {
      switch HCIErrorCode(rawValue: status) {
      case .success: "a connection was established"
      case .advertisingTimeout: "its duration elapsed"
      case .limitReached: "its event limit was reached"
      default: Names.status(status)
      }
    }
  }

  public struct AdvertisingRemoved: Described {
    /// Empty for all of them.
    public let sets: [UInt8]

    public var kind: EventKind { ControllerEvent.background("advertising-removed") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.advertisingSets(sets)
      let names = sets.map { Names.hex($0) }.joined(separator: ", ")
      sink.sentence(
        sets.isEmpty
          ? "all advertising sets removed"
          : "advertising \(sets.count == 1 ? "set" : "sets") \(names) removed")
    }
  }

  /// An advertiser that the controller watches for this host.
  public struct Monitored: Described {
    public let address: BluetoothAddress
    public let condition: UInt8

    public var kind: EventKind { ControllerEvent.kind("monitored-advertiser") }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.address("address", address)
      sink.code("condition", condition, "condition_name", "hci.evt.condition", .incidental)
      let name = Names.of(condition, "hci.evt.condition") ?? "condition \(condition)"
      sink.sentence("monitored advertiser \(personal: address): \(name)")
    }
  }

  /// ` of sets 0x01, 0x02`; empty if no set is named.
  package static func ofSets(_ sets: [UInt8]) -> String {
    guard !sets.isEmpty else { return "" }
    return (sets.count == 1 ? " of set " : " of sets ")
      + sets.map { Names.hex($0) }.joined(separator: ", ")
  }
}

extension EventSink {
  mutating func advertisingSets(_ sets: [UInt8]) {
    if !sets.isEmpty { numbers("sets", sets) }
  }
}
