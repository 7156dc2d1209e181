import HarkSession

struct MediaGap: Rule {
  static let about = RuleDescription(
    id: "audio.media-gap", title: "Audio packets are missing",
    severity: .warning, needs: .media,
    meaning: "The listener hears a dropout: the sender was late, or the link could not carry the "
      + "stream.",
    source: "Advanced Audio Distribution Profile 1.4 (media payload over AVDTP); RFC 3550, 5.1 "
      + "(sequence numbers)",
    fix:
      "Lower the bit rate or bitpool, give the stream priority over scans and other links, "
      + "and check what else the controller did at this time.")
  static let wants: Set<Event.Family> = [.audio]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .audio(.gap) = event.content else { return }
    if let gap = report.coverage.gap(near: event) {
      return report.cannotTell(Place(event), gap, "the media packets may be in that gap")
    }
    report.found(
      event, session, expected: "media packets with consecutive sequence numbers",
      confidence: .likely)
  }
}
