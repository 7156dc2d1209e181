extension Findings {
  /// These findings for a reader who has a copy of the capture in which names and texts are others.
  /// - Parameters:
  ///   - copy: What was found in the copy: where that is the same, the copy's words are used.
  ///   - restate: Gives a sentence in the words of the copy; nil if that cannot be.
  /// - Returns: The findings, and how many are not among them.
  public func restated(
    beside copy: Findings, _ restate: (FindingText) -> String?
  ) -> (findings: Findings, unreported: Int) {
    var restated = copy
    var rest = copy.all
    var unreported = 0
    restated.all = all.compactMap { finding in
      if let index = rest.firstIndex(where: { finding.isSame(as: $0) }) {
        return rest.remove(at: index)
      }
      guard let label = restate(FindingText(finding.place.label)),
        let observed = restate(finding.observation), let expected = restate(finding.expectation)
      else {
        unreported += 1
        return nil
      }
      return finding.saying(label, observed: observed, expected: expected)
    }
    restated.undecided = undecided.compactMap { one in
      let twin = copy.undecided.first {
        $0.rule.id == one.rule.id && $0.place.frames == one.place.frames
          && $0.explanation.words == one.explanation.words
      }
      if let twin { return twin }
      guard let label = restate(FindingText(one.place.label)),
        let reason = restate(one.explanation)
      else { return nil }
      var place = one.place
      place.label = label
      return Undecided(
        rule: one.rule, place: place, explanation: FindingText(reason), cause: one.cause,
        occurrences: one.occurrences)
    }
    restated.omitted = omitted
    return (restated, unreported)
  }
}

extension Finding {
  /// Of the same rule at the same place, in the same words: the values among them may be others.
  fileprivate func isSame(as other: Finding) -> Bool {
    rule.id == other.rule.id && severity == other.severity && confidence == other.confidence
      && occurrences == other.occurrences && place.frames == other.place.frames
      && lastFrame == other.lastFrame && place.log?.line == other.place.log?.line
      && observation.words == other.observation.words
      && expectation.words == other.expectation.words
  }

  fileprivate func saying(_ label: String, observed: String, expected: String) -> Finding {
    var place = place
    place.label = label
    return Finding(
      rule: rule, severity: severity, confidence: confidence, place: place,
      observation: FindingText(observed), expectation: FindingText(expected),
      occurrences: occurrences, varies: varies, lastFrame: lastFrame, lastLog: lastLog)
  }
}
