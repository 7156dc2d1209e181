import HarkCore
import HarkReport
import HarkSession

struct LateUpdate: Rule {
  static let about = RuleDescription(
    id: "audio.late-update", title: "A change reached the phone's configuration late",
    severity: .warning, needs: .configuration,
    meaning:
      "Between the accessory's word and the app's update sound is routed by the old value: it "
      + "goes on in ears that are empty, or switches seconds late.",
    source:
      "Apple, AudioAccessoryKit: AccessoryControlDevice.update(_:) when the accessory reports a "
      + "change",
    fix:
      "Call update from the extension as soon as the report arrives, not from a timer or the app.")

  private struct Change {
    let time: Timestamp
    let packet: PacketID
    let configuration: AccessoryControlDevice.Configuration
  }

  private struct Key: Hashable {
    let owner: Owner
    let member: AccessoryControlDevice.Member
  }

  private static let patience = Int64.seconds(5)

  /// What the accessory changed last and the phone has not said since.
  private var changes = RecentValues<Key, Change?>(capacity: 256)

  /// The placement that the accessory changed last, and no log has since.
  private var placement: (value: String, time: Timestamp, packet: PacketID)?

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    for said in event.configurations {
      if said.sender == .accessoryToHost, let value = said.configuration?.devicePlacement,
        value != said.before?.devicePlacement
      {
        placement = (value.rawValue, event.time, event.frames.last)
      }
      guard let now = said.configuration else { continue }
      let owner = Owner(event, session)
      for member in said.change.members {
        let key = Key(owner: owner, member: member)
        if said.sender == .accessoryToHost {
          let isNew = said.before.map { Self.value(member, $0) != Self.value(member, now) } ?? true
          guard isNew else { continue }
          changes.set(
            key, Change(time: event.time, packet: event.frames.last, configuration: now))
        } else if let change = changes[key] ?? nil,
          Self.value(member, change.configuration) == Self.value(member, now)
        {
          changes.set(key, nil)
          let late = event.time.since(change.time)
          guard late >= Self.patience else { continue }
          report.found(
            event, session,
            observed: "\(member.rawValue) \(Names.duration(late)) after the accessory said it",
            expected: "an update at once", confidence: .likely, subject: member.rawValue,
            frames: [change.packet])
        }
      }
    }
  }

  /// A log or journal says when the app called update.
  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    guard app.kind == .configurationUpdated, let change = placement,
      app[.placement] == change.value
    else { return }
    placement = nil
    let late = event.time.since(change.time)
    guard late >= Self.patience else { return }
    report.found(
      event, session,
      observed: "update with devicePlacement \(change.value) \(Names.duration(late)) after the "
        + "accessory said it (\(app.origin.file):\(app.origin.line))",
      expected: "an update at once", confidence: .likely, subject: "devicePlacement",
      frames: [change.packet])
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
