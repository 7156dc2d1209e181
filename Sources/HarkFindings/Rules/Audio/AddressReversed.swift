import HarkSession

struct AddressReversed: Rule {
  static let about = RuleDescription(
    id: "audio.address-reversed", title: "The octets of an audio source are reversed",
    severity: .error, needs: .configuration,
    meaning:
      "The phone does not recognize itself or the other device: automatic switching does not work.",
    source: "Apple, AudioAccessoryKit: primaryAudioSourceDeviceIdentifier is the Bluetooth "
      + "address; Core Specification, Vol 2, Part B, 1.2, and Vol 4, Part E, 5.2: HCI sends "
      + "it the least significant octet first",
    fix:
      "Reverse the octets received over HCI before you report them: the most significant "
      + "octet comes first.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for configuration in event.configurations {
      for remark in configuration.remarks {
        guard case .reversed(let member, let address) = remark else { continue }
        report.found(
          event, session,
          observed: "\(member.rawValue) is not a device in this capture; reversed, it is "
            + "\(address)\(event.logPlace)",
          expected: "\(address)", confidence: .likely, subject: member.rawValue)
      }
    }
  }
}
