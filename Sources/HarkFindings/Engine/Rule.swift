import HarkCore
import HarkSession

/// A mistake that hark knows: a small state machine over the events of a timeline.
///
/// A rule sees events, the accessory model and the session; never bytes. What it remembers is
/// bounded, and the same events give the same findings.
public protocol Rule: Sendable {
  static var about: RuleDescription { get }

  /// The families of events that it takes. A rule that waits for time to pass takes all.
  static var wants: Set<Event.Family> { get }

  init()

  /// Takes the next event, in the order of the capture.
  /// - Parameter session: As it was when the event was emitted.
  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport)

  /// Time has passed until `time`, which ends waits that are limited. A rule that waits calls it in `take`; before
  /// `finish` it is called once more: packets that cause no event may have come for long.
  mutating func tick(_ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport)

  /// The capture has ended: what was waited for does not come any more.
  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport)
}

extension Rule {
  public static var wants: Set<Event.Family> { Set(Event.Family.allCases) }

  public mutating func tick(
    _ time: Timestamp, _ session: borrowing Session, _ report: inout RuleReport
  ) {}

  public mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {}
}

/// What a rule says to people: it holds for every finding of it.
public struct RuleDescription: Sendable {
  /// `keys.nonce-reuse`: it stays the same for ever.
  public let id: String
  public let title: String
  /// The usual one; a finding may have another.
  public let severity: Finding.Severity
  /// What it is about: it judges a capture that has one of them.
  public let needs: Topics
  /// What it means for the user.
  public let meaning: String
  /// The clause of a specification, or the document, that it rests on.
  public let source: String
  public let fix: String
}
