import Foundation

/// Which part of a long run is done today. `make test` does a part, chosen by the date, so that over
/// the days all is done; `make test-all` does everything.
///
/// HARK_SEED chooses the part of another day, for example to repeat a failure; HARK_TEST_ALL=1 asks
/// for everything.
public enum DailyPart {
  private static let environment = ProcessInfo.processInfo.environment

  public static let isEverything = environment["HARK_TEST_ALL"] == "1"

  /// The number of the day since 1970, in UTC, unless HARK_SEED says another.
  public static let seed: UInt64 =
    environment["HARK_SEED"].flatMap { UInt64($0) }
    ?? UInt64(max(0, Date().timeIntervalSince1970)) / 86_400

  /// For messages of failures: what to set to see the failure again.
  public static let note = isEverything ? "HARK_TEST_ALL=1" : "HARK_SEED=\(seed)"

  /// A seed for random changes: the same all day. Everything is always run with `salt` itself.
  public static func seed(_ salt: UInt64) -> UInt64 {
    isEverything ? salt : salt ^ seed &* 0x9E37_79B9_7F4A_7C15
  }

  /// How many rounds of random changes: `part` of them, or `all`.
  public static func rounds(_ part: Int, of all: Int) -> Int { isEverything ? all : part }

  /// Whether the case with this number is done today: one of `step` neighbours is, and over `step`
  /// days each has its turn.
  public static func includes(_ number: Int, oneIn step: Int) -> Bool {
    isEverything || (seed &+ UInt64(bitPattern: Int64(number))) % UInt64(step) == 0
  }

  /// Those of all cases that are done today: at least one.
  public static func of<Case>(_ all: [Case], oneIn step: Int) -> [Case] {
    let step = max(1, min(step, all.count))
    return all.indices.filter { includes($0, oneIn: step) }.map { all[$0] }
  }
}

/// SplitMix64: a small generator with a fixed sequence for each seed.
public struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
