import HarkSession

struct ProfileMistake: Rule {
  static let about = RuleDescription(
    id: "transport.profile-mistake", title: "Your profile is probably wrong",
    severity: .warning, needs: .accessoryMessages,
    meaning:
      "The profile, not the accessory, is the likely cause: hark assembles or decrypts this profile's messages "
      + "wrongly, and other findings about them may be wrong.",
    source: "docs/profiles.md",
    fix:
      "Correct the profile at the named line, then run hark dissectors try with it and this capture."
  )
  static let wants: Set<Event.Family> = [.capture]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .capture(.profileMistake(let mistake)) = event.content else { return }
    report.found(
      event, session, observed: "\(mistake.place): \(mistake.mistake)",
      expected: "a profile that fits the traffic", confidence: .likely,
      subject: "\(mistake.place) \(mistake.mistake)")
  }
}
