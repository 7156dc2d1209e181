import HarkCore
import HarkSession

struct LateUpdate: Rule {
  static let about = RuleDescription(
    id: "audio.late-update", title: "A change reached the phone late",
    severity: .warning, needs: .configuration,
    meaning:
      "Between the accessory's report and the app's update, the phone routes audio based on "
      + "the old value: audio continues although no one wears the accessory, or switches seconds "
      + "late.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.update(_:) when the accessory reports a "
      + "change",
    fix:
      "Call update from the extension as soon as the report arrives, not from a timer or the app.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private struct Change {
    let time: Timestamp
    let packet: PacketID
    let configuration: AccessoryControlDevice.Configuration
  }

  private struct Key: Hashable {
    let owner: Owner
    let member: AccessoryControlDevice.Member
  }

  private static let waitLimit = Int64.seconds(5)

  /// What the accessory changed last and the phone has not said since.
  private var changes = RecentValues<Key, Change?>(capacity: 256)

  /// The app's side of an accessory.
  private struct ByApp {
    /// What the accessory changed last and the app has not updated since.
    var changes: [AccessoryControlDevice.Member: Change] = [:]
    /// What the app said last.
    var said: AccessoryControlDevice.Configuration?
  }

  private var byApp = AccessoryStates(ByApp())

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for stated in event.configurations {
      if event.app != nil {
        take(stated, at: byApp.places(of: stated, event, session), event, session, &report)
        continue
      }
      guard let now = stated.configuration else { continue }
      let places =
        stated.sender == .accessoryToHost ? byApp.places(of: stated, event, session) : []
      let owner = Owner(event, session)
      for member in stated.change.members {
        let key = Key(owner: owner, member: member)
        if stated.sender == .accessoryToHost {
          let isNew =
            stated.before.map { Self.value(member, $0) != Self.value(member, now) } ?? true
          guard isNew else { continue }
          let change = Change(time: event.time, packet: event.frames.last, configuration: now)
          changes.set(key, change)
          // Of two clocks the app's may be a little ahead.
          for place in places {
            let isUpdated =
              byApp[place].said.map { Self.value(member, $0) == Self.value(member, now) } ?? false
            byApp[place].changes[member] = isUpdated ? nil : change
          }
        } else if let change = changes[key] ?? nil,
          Self.value(member, change.configuration) == Self.value(member, now)
        {
          changes.set(key, nil)
          guard let late = report.elapsed(since: change.time, in: change.packet, event),
            late >= Self.waitLimit
          else { continue }
          report.found(
            event, session,
            observed:
              "\(member.rawValue) \(public: Names.duration(late)) after the accessory's report",
            expected: "an immediate update", confidence: .likely, subject: member.rawValue,
            frames: [change.packet])
        }
      }
    }
  }

  /// A log or journal says when the app called update.
  private mutating func take(
    _ stated: AccessoryControlDevice.Report, at places: [Int], _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard let now = stated.configuration else { return }
    let said = places.map { byApp[$0].said }
    for place in places { byApp[place].said = now }
    guard stated.isUpdate else { return }
    for member in stated.change.members {
      let value = Self.value(member, now)
      // With several accessories, an update that names no accessory is about the one that changed last; if it repeats a
      // value, it may be about any of them.
      if places.count > 1, said.contains(where: { $0.map { Self.value(member, $0) } == value }) {
        continue
      }
      let waiting = places.compactMap { place in
        byApp[place].changes[member].map { (place: place, change: $0) }
      }.filter { Self.value(member, $0.change.configuration) == value }
      guard let (place, change) = waiting.max(by: { $0.change.time < $1.change.time }) else {
        continue
      }
      byApp[place].changes[member] = nil
      // An update before the log began is not in it.
      guard let late = report.elapsed(since: change.time, in: change.packet, event),
        late >= Self.waitLimit,
        report.coverage.logStart(of: [event.app?.origin.path ?? ""]).map({ $0 <= change.time })
          ?? true
      else { continue }
      report.found(
        event, session,
        observed:
          "update of \(member.rawValue) \(public: Names.duration(late)) after the accessory's report"
          + "\(event.logPlace)",
        expected: "an immediate update", confidence: places.count > 1 ? .possible : .likely,
        subject: member.rawValue, frames: [change.packet])
      // After the capture, the accessory may have reported more.
      if event.time > event.captureTime(session) { report.deferLast(event, session) }
    }
  }

  private static func value(
    _ member: AccessoryControlDevice.Member, _ it: AccessoryControlDevice.Configuration
  ) -> AnyHashable? {
    switch member {
    case .deviceCapabilities: it.deviceCapabilities
    case .devicePlacement: it.devicePlacement
    case .primaryAudioSourceDeviceIdentifier: it.primaryAudioSourceDeviceIdentifier
    case .secondaryAudioSourceDeviceIdentifier: it.secondaryAudioSourceDeviceIdentifier
    case .spatialExtensionDescription: it.spatialExtensionDescription
    }
  }
}
