import HarkSession

/// What captures at a host's controller and captures from the air both can show.
enum CommonGround {
  /// What is said about it where captures of both kinds are compared.
  static let remark =
    "one is an HCI capture, the other an over-the-air capture: hark compares only what both can show"

  /// The same where one of them is encrypted and cannot be read.
  static let lockedRemark =
    remark + "; it skips everything encrypted, as the over-the-air capture has no key"

  /// Leaves out of both what one of them cannot show.
  /// - Returns: Whether that is also all after the start of encryption.
  static func keep(_ a: inout CaptureSteps, _ b: inout CaptureSteps) -> Bool {
    let isLocked = (a.parties + b.parties).contains { party in
      party.steps.contains { $0.act == .linkLocked }
    }
    for index in a.parties.indices { keep(&a.parties[index], isLocked) }
    for index in b.parties.indices { keep(&b.parties[index], isLocked) }
    a.parties.removeAll { $0.isHost || $0.steps.isEmpty }
    b.parties.removeAll { $0.isHost || $0.steps.isEmpty }
    return isLocked
  }

  private static func keep(_ party: inout CaptureSteps.Party, _ isLocked: Bool) {
    var isEncrypted = false
    party.steps = party.steps.compactMap { step in
      switch step.act {
      case .linkOpened, .linkInferred: isEncrypted = false
      case .encryption, .linkLocked:
        defer { isEncrypted = true }
        return isLocked || !step.isShared ? nil : step
      default: break
      }
      guard step.isShared, !(isLocked && isEncrypted) else { return nil }
      return step.withoutViewpoints()
    }
  }
}
