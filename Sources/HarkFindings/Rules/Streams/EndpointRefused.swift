import HarkSession

struct EndpointRefused: Rule {
  static let about = RuleDescription(
    id: "audio.endpoint-refused", title: "An audio stream endpoint refuses an operation",
    severity: .warning, needs: .endpoints,
    meaning:
      "The stream is not set up as the client requested: no sound, or sound only after a "
      + "second attempt with other values.",
    source:
      "Audio Stream Control Service 1.0.1, 5 (ASE Control Point operations, Response_Code and Reason)",
    fix:
      "Choose a codec and quality of service that the endpoint's Published Audio "
      + "Capabilities and its preferred values allow, and operations that its state accepts.")
  static let wants: Set<Event.Family> = [.leAudio]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .leAudio(.refused(let it)) = event.content else { return }
    report.found(
      event, session, expected: "Response_Code 0x00 (success)",
      subject: "\(it.opcode) \(it.endpoint) \(it.response)")
  }
}
