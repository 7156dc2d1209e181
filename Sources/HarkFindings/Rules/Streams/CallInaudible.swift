import HarkSession

struct CallInaudible: Rule {
  static let about = RuleDescription(
    id: "audio.call-inaudible", title: "A call's audio cannot be heard",
    severity: .error, needs: .calls,
    meaning:
      "Both sides agreed on a codec that the synchronous link cannot carry: the user hears noise or "
      + "nothing.",
    source: "Hands-Free Profile 1.9 (synchronous connections for CVSD, mSBC and LC3-SWB); Core "
      + "Specification, Vol 4, Part E, 7.7.35",
    fix:
      "Open the synchronous link with transparent data for mSBC and LC3-SWB and with CVSD "
      + "for CVSD, after the codec is confirmed.")
  static let wants: Set<Event.Family> = [.handsFree]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .handsFree(.audio(let audio)) = event.content, audio.isOn, !audio.fits else {
      return
    }
    report.found(event, session, expected: "a synchronous link that fits the codec")
  }
}
