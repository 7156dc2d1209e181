import HarkCore
import HarkSession

struct SameSourceTwice: Rule {
  static let about = RuleDescription(
    id: "audio.same-source-twice", title: "Primary and secondary audio source are the same device",
    severity: .error, needs: .configuration,
    meaning:
      "The phone believes that the accessory has two sources: it does not know which other "
      + "device plays, or that none does.",
    source:
      "Apple, AudioAccessoryKit: primaryAudioSourceDeviceIdentifier and "
      + "secondaryAudioSourceDeviceIdentifier name two connected devices",
    fix: "With one source, set the primary identifier, and the secondary to nil.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for stated in event.configurations where !stated.change.members.isEmpty {
      guard let now = stated.configuration, let source = now.primaryAudioSourceDeviceIdentifier,
        source == now.secondaryAudioSourceDeviceIdentifier, !source.isEmpty
      else { continue }
      let sources: [AccessoryControlDevice.Member] = [
        .primaryAudioSourceDeviceIdentifier, .secondaryAudioSourceDeviceIdentifier,
      ]
      guard stated.change.members.contains(where: { sources.contains($0) }) else { continue }
      report.found(
        event, session,
        observed: "both audio sources are \(Hex.text(source))\(event.logPlace)",
        expected: "two devices, or nil as the secondary", confidence: event.confidence,
        subject: Hex.text(source))
    }
  }
}
