import HarkCore
import HarkPresentation
import HarkSession

/// One thing in which two captures differ.
public struct Difference: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A step of the good one that the bad one lacks.
    case missing
    /// One that only the bad one has.
    case additional
    /// A step of both that went otherwise.
    case changed
    /// A step of both that took much longer.
    case slower

    /// `a missing step`
    package var step: String { "\(self == .additional ? "an" : "a") \(rawValue) step" }
  }

  /// Where a step may be that a capture cannot show, as the link was there before it, or is still there at
  /// its end.
  enum Beyond: String, Sendable {
    case beginning, end
  }

  struct Change: Sendable {
    /// Nil for a value that is not there.
    let good: String?
    let bad: String?
    let name: String
  }

  package let kind: Kind
  package let good: Step?
  package let bad: Step?
  /// Up to where the bad capture did the same, or the packet of it that did not.
  let place: PacketID
  var changes: [Change] = []
  /// Nil for what the capture that lacks it would show.
  var beyond: Beyond?
  /// Whether the bad capture is the one that cannot show it; nil if its kind says so.
  var isBeyondBad: Bool?
  /// How long the step took in each, in nanoseconds.
  var durations: (good: Int64, bad: Int64)?

  func isSame(as other: Difference) -> Bool {
    kind == other.kind && place == other.place && good?.frames == other.good?.frames
      && bad?.frames == other.bad?.frames && (good ?? bad)?.text == (other.good ?? other.bad)?.text
  }

  /// What is slower: this many times as long, and this many nanoseconds longer at the least.
  public static let slowerTimes: Int64 = 2
  public static let slowerBy: Int64 = 200_000_000

  /// What counts as slower.
  public static let explanation =
    "at least \(slowerTimes) times as long and \(Names.duration(slowerBy)) longer"
}
