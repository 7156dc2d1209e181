import HarkCore

/// What an accessory reports over Google Fast Pair's message stream.
public enum FastPairEvent: Sendable {
  case model(Model)
  case battery(Batteries)
  case ring(Ring)

  var described: any Described {
    switch self {
    case .model(let event): event
    case .battery(let event): event
    case .ring(let event): event
    }
  }
}

extension FastPairEvent {
  /// Its Model ID, of 24 bits.
  public struct Model: Described {
    public let id: UInt32

    public var kind: EventKind { EventKind("fast-pair-model", .configuration, []) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("model_id", id)
      sink.sentence(
        "Fast Pair Model ID \(Names.hex24(id))")
    }
  }

  /// All of its batteries, when one of them changes.
  public struct Batteries: Described {
    public let all: [Battery]

    public struct Battery: Equatable, Sendable {
      public enum Component: String, Sendable {
        case left, right, whole
        case box = "case"
      }

      public let component: Component
      /// In percent; nil if the accessory does not know it.
      public let level: UInt8?
      public let isCharging: Bool

      /// `left 87 %`, `case unknown`.
      var words: String {
        let name = component == .whole ? "" : component.rawValue + " "
        guard let level else { return name + "unknown" }
        return "\(name)\(level) %" + (isCharging ? ", charging" : "")
      }
    }

    public var kind: EventKind { EventKind("battery", .configuration, []) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.objects("batteries", all) { battery, sink in
        sink.word("component_name", battery.component.rawValue)
        sink.number("level", battery.level, .incidental)
        sink.flag("charging", battery.isCharging)
      }
      sink.sentence("battery: \(all.map(\.words).joined(separator: ", "))")
    }
  }

  /// The components that are to ring, as bits, and for how many seconds, if that is specified.
  public struct Ring: Described {
    public let components: UInt8
    public let timeout: UInt8?

    public var kind: EventKind { EventKind("fast-pair-ring", .configuration, []) }

    public func describe(
      _ event: Event, in session: borrowing Session, to sink: inout some EventSink
    ) {
      sink.number("components", components)
      sink.number("timeout", timeout)
      guard components > 0 else {
        return sink.sentence("seeker asks all components to stop ringing")
      }
      let names = Names.flags(UInt32(components), "fastpair.stream.ring").joined(separator: ", ")
      sink.sentence("to ring: \(names)\(timeout.map { ", for \($0) s" } ?? "")")
    }
  }
}

/// What was last reported on a link.
struct FastPairState: Sendable {
  var model: UInt32?
  var batteries: [FastPairEvent.Batteries.Battery] = []

  /// The most that is kept of anything that a message may list in any number.
  static let mostBatteries = 8
}
