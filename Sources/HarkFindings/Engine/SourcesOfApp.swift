import HarkCore
import HarkSession

/// The audio sources that the app's side named, judged by what the accessory says and which links close.
struct SourcesOfApp: Sendable {
  fileprivate struct Named {
    let log: String
    /// The path of the log, which shows the updates.
    let path: String
    /// Where the source left, and what shows it.
    var left: (place: Place, how: String)?
  }

  fileprivate struct State {
    var named: [BluetoothAddress: Named] = [:]
    /// What the accessory names now, and what it ever named.
    var byAccessory: Set<BluetoothAddress> = []
    var ever: Set<BluetoothAddress> = []
  }

  private var states = AccessoryStates(State())

  /// So soon the app has to say it.
  fileprivate static let waitLimit = Int64.seconds(5)
  fileprivate static let most = 64

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    judge(event.captureTime(session), &report)
    for stated in event.configurations {
      guard let configuration = stated.configuration else { continue }
      let sources = Set(
        [
          configuration.primaryAudioSourceDeviceIdentifier,
          configuration.secondaryAudioSourceDeviceIdentifier,
        ].compactMap { $0 }.filter { $0.count == 6 }.map { BluetoothAddress(octets: $0) })
      for place in states.places(of: stated, event, session) {
        if event.app != nil {
          states[place].update(sources, stated, event)
        } else if stated.sender == .accessoryToHost {
          states[place].accessory(sources, event)
        }
      }
    }
    if case .link(.closed) = event.content {
      for place in states.indices { states[place].closed(event, session) }
    }
  }

  /// - Parameter time: Of the capture, until which no update was logged, as far as the log goes.
  private mutating func judge(_ time: Timestamp, _ report: inout RuleReport) {
    for place in states.indices where !states[place].named.isEmpty {
      states[place].judge(time, &report)
    }
  }

  /// - Parameter end: Of the capture.
  mutating func finish(_ end: Timestamp, _ report: inout RuleReport) {
    judge(end, &report)
    for place in states.indices { states[place].finish(end, &report) }
  }
}

extension SourcesOfApp.State {
  fileprivate mutating func update(
    _ sources: Set<BluetoothAddress>, _ stated: AccessoryControlDevice.Report, _ event: Event
  ) {
    // A call of which the log says nothing may have cleared them.
    guard !stated.change.members.isEmpty else {
      named = [:]
      return
    }
    named = named.filter { sources.contains($0.key) }
    for source in sources where named[source] == nil && named.count < SourcesOfApp.most {
      var one = SourcesOfApp.Named(
        log: event.logPlace, path: event.app?.origin.path ?? "", left: nil)
      if ever.contains(source), !byAccessory.contains(source) {
        one.left = (Place(event), "the accessory no longer names it")
      }
      named[source] = one
    }
  }

  fileprivate mutating func accessory(_ sources: Set<BluetoothAddress>, _ event: Event) {
    for gone in byAccessory.subtracting(sources) where named[gone]?.left == nil {
      named[gone]?.left = (Place(event), "the accessory no longer names it")
    }
    for source in sources { named[source]?.left = nil }
    byAccessory = sources
    if ever.count < SourcesOfApp.most { ever.formUnion(sources) }
  }

  /// A link to the source, or the last one of the host that is the source.
  fileprivate mutating func closed(_ event: Event, _ session: borrowing Session) {
    guard let link = session.link(event) else { return }
    if let peer = link.peer.map({ BluetoothAddress($0.value) }), named[peer] != nil {
      named[peer]?.left = (Place(event), "its link closed")
    }
    guard let host = session.controllers[link.controller]?.address,
      named[BluetoothAddress(host.value)] != nil
    else { return }
    for other in session.links where other.controller == link.controller && other.closed == nil {
      return
    }
    named[BluetoothAddress(host.value)]?.left = (Place(event), "its last link closed")
  }

  fileprivate mutating func judge(_ time: Timestamp, _ report: inout RuleReport) {
    for (source, one) in named {
      guard let left = one.left,
        let end = report.coverage.logTime(of: [one.path], at: time).map({ min($0, time) }),
        end.since(left.place.time) >= SourcesOfApp.waitLimit
      else { continue }
      named[source] = nil
      report.found(
        left.place,
        observed:
          "the app named \(source)\(one.log), \(left.how), but the app called no update for it",
        expected: "the identifier cleared, or the other source as the primary",
        confidence: .likely, subject: "\(source)")
    }
  }

  fileprivate func finish(_ end: Timestamp, _ report: inout RuleReport) {
    for (source, one) in named {
      guard let left = one.left, end.since(left.place.time) >= SourcesOfApp.waitLimit else {
        continue
      }
      report.cannotTell(
        left.place,
        "the app named \(source)\(one.log), \(left.how); the log ends too soon after that",
        cause: "the log ends too soon", subject: "\(source)")
    }
  }
}
