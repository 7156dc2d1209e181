import HarkCore

// Steps that the start or the end of a capture makes different.
extension Difference {
  /// Finds out whether a capture shows a part of a step only, because it starts or ends within it, or cannot name an
  /// attribute, because it starts after the discovery.
  mutating func judgeLimits(_ good: CaptureSteps.Party, _ bad: CaptureSteps.Party) {
    guard kind != .slower, beyond == nil else { return }
    for (party, step, other, isBad) in [
      (bad, self.bad, self.good, true), (good, self.good, self.bad, false),
    ] {
      guard let limit = party.limit(of: step, while: other) else { continue }
      (beyond, isBeyondBad) = (limit, isBad)
      return
    }
  }
}

extension CaptureSteps.Party {
  /// What is so close to the start or the end of a capture may be a part of something: 1 s.
  private static let nearness: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - step: This party's step; nil if it lacks it.
  ///   - other: That of the other capture; nil if that lacks it.
  fileprivate func limit(of step: Step?, while other: Step?) -> Difference.Beyond? {
    guard let step else {
      // It may have the value, without the name of its attribute.
      return other?.act == .value && lacksDiscovery ? .beginning : nil
    }
    if endsEarly, isCutByEnd(step) { return .end }
    if beginsLate, isFirstDiscovery(step), isCutByStart(step) { return .beginning }
    return step.act == .unnamedValue && other == nil && lacksDiscovery ? .beginning : nil
  }

  /// Whether the capture starts after the beginning of the link's discovery, and shows no other.
  private var lacksDiscovery: Bool {
    beginsLate
      && steps.allSatisfy { $0.act != .discovery || isFirstDiscovery($0) && isCutByStart($0) }
  }

  private func isFirstDiscovery(_ step: Step) -> Bool {
    step.act == .discovery
      && steps.first { $0.act == .discovery }?.frames.first == step.frames.first
  }

  private func isCutByStart(_ step: Step) -> Bool {
    step.sinceStart.map { $0 < Self.nearness } ?? false
  }

  /// Whether the capture ended so soon after the step that its outcome may have followed.
  private func isCutByEnd(_ step: Step) -> Bool {
    guard step.isLeftOpen, let rest = step.untilEnd else { return false }
    switch step.act {
    case .value, .unnamedValue, .message: return false
    case .linkOpened, .linkInferred, .linkFailed, .linkClosed, .encryption, .linkLocked, .discovery,
      .other:
      return rest < Self.nearness
    }
  }
}
