import HarkPresentation
import HarkSession

/// The actors of events: devices, links whose device is unknown, controllers.
struct TimelineActors: Sendable {
  enum Key: Hashable, Sendable {
    case device(UInt32)
    case link(UInt16)
    case controller(UInt16)
    case capture
  }

  struct Party: Sendable {
    var label: String
    var address: String?
    /// The worst severity of its events.
    var severity = Event.Severity.info
    /// By the number of the lane.
    var counts = [Int](repeating: 0, count: Event.Lane.allCases.count)

    var total: Int { counts.reduce(0, +) }
  }

  /// A hostile capture may name any number of devices: later ones share one entry.
  static let most = 4_096

  private(set) var all: [Party] = []
  private var places: [Key: Int] = [:]

  /// Counts an event, and returns the number of its party.
  mutating func count(_ event: Event, _ session: borrowing Session) -> UInt16 {
    let label = Timeline.device(of: event, session)
    let index: Int
    let key = Self.key(event, session)
    if let known = places[key] {
      index = known
      if all[index].label != label, index < Self.most { all[index].label = label }
    } else if all.count < Self.most {
      index = all.count
      all.append(Party(label: label.isEmpty ? "Capture" : label))
      places[key] = index
    } else {
      index = Self.most
      if all.count == index { all.append(Party(label: "more devices")) }
    }
    if case .device(let number) = key, index < Self.most {
      all[index].address = session.devices[Int(number)].address.description
    }
    all[index].severity = max(all[index].severity, event.severity)
    all[index].counts[Int(event.lane.number)] += 1
    return UInt16(index)
  }

  private static func key(_ event: Event, _ session: borrowing Session) -> Key {
    if let device = event.device {
      // If a device turns out to be another one, its earlier events also belong to that one.
      var index = Int(device.index)
      while let kept = session.devices[index].mergedInto { index = Int(kept.index) }
      return .device(UInt32(index))
    }
    if let link = event.link {
      // Links to an address that is known are one party, however often it connects.
      if let peer = session.links[Int(link.index)].device { return .device(peer.index) }
      return .link(link.index)
    }
    return event.controller.map { $0 == 0xFFFF ? .capture : .controller($0) } ?? .capture
  }
}
