import HarkSession

/// A rule that found nothing because it could not, and why.
public struct NotJudged: Sendable {
  public let rule: RuleDescription
  /// What it is about is in the capture, or may be, where it cannot be read; otherwise it is not there.
  public let isHidden: Bool
  /// One sentence, without the full stop.
  public let reason: String
}

/// The topics of a capture, and what it hides of them.
struct Coverage: Sendable {
  private(set) var seen: Topics = []
  /// Encrypted messages that no key decrypts.
  private var sealed = 0
  /// Packets with data of links that the recorder truncated.
  private(set) var truncated = 0

  mutating func take(_ event: Event) {
    seen.formUnion(event.content.described.kind.topics)
    if case .accessory(let event) = event.content, case .message(let message) = event.content,
      message.opened == nil
    {
      sealed += 1
    }
  }

  mutating func takeCounts(_ session: borrowing Session) { truncated = session.counts.slicedData }

  /// Why a rule that needs one of `topics` could not judge all of them; nil if it could.
  /// - Parameter locked: How many links cannot be read from some packet on.
  func reason(_ topics: Topics, locked: Int) -> (isHidden: Bool, text: String)? {
    if topics.canBeLocked, locked > 0 {
      return (
        true,
        "\(Names.count(locked, "link is", "links are")) encrypted and unreadable without a key"
      )
    }
    if topics.canBeSealed, sealed > 0 {
      return (
        true,
        "\(Names.count(sealed, "message is", "messages are")) encrypted, and no key decrypts "
          + (sealed == 1 ? "it" : "them")
      )
    }
    guard seen.isDisjoint(with: topics) else { return nil }
    if topics.canBeTruncated, truncated > 0 {
      return (
        true,
        "the recorder truncated \(Names.count(truncated, "data packet")), and no other has "
          + Names.list(topics.names, "or")
      )
    }
    return (false, "the capture has no \(Names.list(topics.names, "or"))")
  }
}

extension Findings {
  /// The rules that had nothing to judge, or could not see all that they judge, in the order of the
  /// list. Those with findings, or that report themselves what they cannot see, are not among them.
  public var notJudged: [NotJudged] {
    let reported = Set(all.map(\.rule.id) + undecided.map(\.rule.id))
    return descriptions.compactMap { rule in
      guard !reported.contains(rule.id), !areOfExpectations,
        let reason = coverage.reason(rule.needs, locked: lockedLinks)
      else { return nil }
      return NotJudged(rule: rule, isHidden: reason.isHidden, reason: reason.text)
    }
  }
}
