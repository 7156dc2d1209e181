import HarkCore
import HarkSession

struct SourceNotUpdated: Rule {
  static let about = RuleDescription(
    id: "audio.source-not-updated", title: "A new audio source was not reported to the phone",
    severity: .warning, needs: .configuration,
    meaning:
      "The phone does not know that the accessory plays for another device, and routes audio as "
      + "if it did not.",
    source:
      "Apple, AudioAccessoryKit: primaryAudioSourceDeviceIdentifier and "
      + "secondaryAudioSourceDeviceIdentifier are updated when the Bluetooth connection state "
      + "changes",
    fix:
      "Call update(_:) from the extension whenever a device connects to the accessory or "
      + "leaves it.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private typealias Control = AccessoryControlDevice
  private static let waitLimit = Int64.seconds(5)

  private struct State {
    /// Whether the app registered the capability audioSwitching.
    var registered: String?
    /// The source that the accessory named last and the app has not.
    var change: (place: Place, source: [UInt8])?
    var byApp: Set<[UInt8]> = []

    /// In either order of the octets: that it is reversed is a mistake of its own.
    func names(_ source: [UInt8]) -> Bool {
      byApp.contains(source) || byApp.contains(source.reversed())
    }

    mutating func take(
      _ stated: Control.Report, _ sources: Set<[UInt8]>, _ event: Event
    ) {
      if !stated.isUpdate, stated.change.says(.deviceCapabilities) != nil {
        let declares =
          stated.configuration?.deviceCapabilities.contains(.audioSwitching) ?? false
        registered = declares ? event.logPlace : nil
      }
      byApp = sources
      // A call of which the log says nothing may have named it.
      if stated.change.members.isEmpty { change = nil }
      if let waiting = change?.source, names(waiting) { change = nil }
    }
  }

  private var states = AccessoryStates(State())
  /// The logs with lines from the extension.
  private var logs: Set<String> = []
  private static let mostLogs = 64

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app, app.isExtension || app.kind == .configurationUpdated {
      if logs.count < Self.mostLogs { logs.insert(app.origin.path) }
    }
    for stated in event.configurations {
      guard let now = stated.configuration else { continue }
      let sources = Set(
        [now.primaryAudioSourceDeviceIdentifier, now.secondaryAudioSourceDeviceIdentifier]
          .compactMap { $0 })
      for place in states.places(of: stated, event, session) {
        if event.app != nil {
          states[place].take(stated, sources, event)
        } else if stated.sender == .accessoryToHost {
          accessory(stated, now, at: place, event, &report)
        }
      }
    }
  }

  private mutating func accessory(
    _ stated: Control.Report, _ now: Control.Configuration, at place: Int, _ event: Event,
    _ report: inout RuleReport
  ) {
    let state = states[place]
    guard state.registered != nil,
      stated.change.says(.primaryAudioSourceDeviceIdentifier) != nil,
      state.change == nil || state.change?.source != now.primaryAudioSourceDeviceIdentifier
    else { return }
    // It is gone, or another: in the meantime the app did not name it.
    if let change = state.change, event.time.since(change.place.time) >= Self.waitLimit {
      judge(state, event.time, &report)
    }
    states[place].change = now.primaryAudioSourceDeviceIdentifier.flatMap {
      state.names($0) ? nil : (Place(event), $0)
    }
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let end = session.counts.lastTime else { return }
    for place in states.indices { judge(states[place], end, &report) }
  }

  private func judge(_ state: State, _ end: Timestamp, _ report: inout RuleReport) {
    guard let registered = state.registered, let change = state.change else { return }
    guard !logs.isEmpty else {
      return report.cannotTell(
        change.place, "the logs have no line from the extension, which calls update")
    }
    let waited: Int64
    switch report.coverage.wait(since: change.place, until: end, logs, Self.waitLimit) {
    case .enough(let time): waited = time
    case .short(let text):
      return report.cannotTell(change.place, "\(text) the audio source changed")
    }
    report.found(
      change.place,
      observed: "the app registered audioSwitching\(registered); the accessory named "
        + "\(Hex.text(change.source)), but the app called no update for it within "
        + "\(public: Names.duration(waited))",
      expected: "an update that names the source", confidence: .likely)
  }
}
