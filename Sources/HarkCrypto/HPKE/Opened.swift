import HarkCore

/// What became of a sealed message.
public struct Opened: Sendable {
  public enum Outcome: Sendable {
    case plaintext([UInt8], KeyUse)
    case locked(Verdict)
  }

  public let outcome: Outcome
  public let observations: [Observation]

  /// The plaintext, or nil if the message stays locked.
  public var plaintext: [UInt8]? {
    if case .plaintext(let bytes, _) = outcome { bytes } else { nil }
  }

  /// Which key opened it and how that was derived, or nil if it stays locked.
  public var keyUse: KeyUse? {
    if case .plaintext(_, let use) = outcome { use } else { nil }
  }

  /// Why it stays locked, or nil if it is open.
  public var verdict: Verdict? {
    if case .locked(let verdict) = outcome { verdict } else { nil }
  }
}
