import ArgumentParser
import HarkFilter

/// The part of a capture between two times.
struct TimeRangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Start at this time: 16:41:05, or +12.5 s since the first packet.",
      valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("End at this time.", valueName: "time"))
  var to: String?

  var isEmpty: Bool { from == nil && to == nil }

  /// The two times as filters.
  /// - Throws: `ValidationError` if one is not a time, or the end precedes the beginning.
  func filters() throws -> [String] {
    var filters: [String] = []
    for (time, sign) in [(from, ">="), (to, "<=")] {
      guard let time else { continue }
      let filter =
        time.hasPrefix("+")
        ? "time_relative \(sign) \(time.dropFirst())" : "time \(sign) \"\(time)\""
      guard !time.hasPrefix("+-"), (try? Filter(filter)) != nil else {
        throw ValidationError(
          "'\(time)' is not a time: write +12.5, 16:41:05 or '2026-11-20 16:41:05'")
      }
      filters.append(filter)
    }
    if let from, let to, Self.isRange(to, from), !Self.isRange(from, to) {
      throw ValidationError("--from \(from) is after --to \(to)")
    }
    return filters
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
