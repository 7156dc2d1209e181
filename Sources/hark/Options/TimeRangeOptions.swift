import ArgumentParser
import HarkCore
import HarkFilter

/// The part of a capture between two times.
struct TimeRangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Start at this time: 16:41:05, or +12.5 (seconds since the first packet).",
      valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("End at this time.", valueName: "time"))
  var to: String?

  /// A smaller number of seconds since 1970, 1973 or earlier, is a mistake: clocks that are not set begin at 0, where
  /// seconds since the first packet are the same.
  private static let earliest = 100_000_000.0

  var isEmpty: Bool { from == nil && to == nil }

  /// The two times as filters.
  /// - Throws: `ValidationError` if one is not a time, or the end precedes the beginning.
  func filters() throws -> [String] {
    let (first, last) = (try from.map(Self.time), try to.map(Self.time))
    if let first, let last, Self.isRange(last, first), !Self.isRange(first, last) {
      throw ValidationError("--from \(first) is after --to \(last)")
    }
    return [(first, ">="), (last, "<=")].compactMap { time, sign in
      time.map { Self.filter($0, sign) }
    }
  }

  /// A time without its unit: the timeline and the help write `+12.5 s`.
  private static func time(_ text: String) throws -> String {
    let isWithUnit = text.hasPrefix("+") && text.hasSuffix("s")
    let time = isWithUnit ? String(text.dropLast().trimmed) : text
    if let seconds = Double(time), !time.hasPrefix("+"), (0..<earliest).contains(seconds) {
      throw ValidationError(
        "'\(text)' would be seconds since 1970: write +\(text) for seconds since the first packet")
    }
    guard !time.hasPrefix("+-"), (try? Filter(filter(time, ">="))) != nil else {
      throw ValidationError(
        "'\(text)' is not a time: write +12.5, 16:41:05 or '2026-11-20 16:41:05'")
    }
    return time
  }

  private static func filter(_ time: String, _ sign: String) -> String {
    time.hasPrefix("+")
      ? "time_relative \(sign) \(time.dropFirst())" : "time \(sign) \"\(time)\""
  }

  /// Whether two times can be compared, and the second does not precede the first.
  private static func isRange(_ first: String, _ last: String) -> Bool {
    let range =
      first.hasPrefix("+") && last.hasPrefix("+")
      ? "time_relative in {\(first.dropFirst())..\(last.dropFirst())}"
      : "time in {\"\(first)\"..\"\(last)\"}"
    return (try? Filter(range)) != nil
  }
}
