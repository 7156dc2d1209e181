import HarkSession

/// Puts messages together whose fragments are numbered: those of one direction of a channel.
struct NumberedFragments: Sendable {
  /// Keys that are known at a time; the oldest is forgotten then.
  private static let most = 64

  private var series: [NumberedSeries] = []
  /// Whether a message is begun and not ended that the last value continues with.
  private(set) var isInside = false

  mutating func receive(_ value: WholeMessage, _ rule: FragmentSequence) -> [Joining.Outcome] {
    let fragment: NumberedFragment
    do throws(FramingProblem) {
      fragment = try NumberedFragment(value, rule)
    } catch {
      return [.problem(error, value)]
    }
    var outcomes: [Joining.Outcome] = []
    let place = series.firstIndex { $0.key == fragment.key }
    // Taken out while it grows, so that the bytes are not copied; the newest is the last.
    var own = place.map { series.remove(at: $0) } ?? NumberedSeries(rule, fragment.key)
    if place == nil, series.count >= Self.most {
      var oldest = series.removeFirst()
      outcomes += oldest.interrupt(.startedAgain)
    }
    outcomes += own.receive(fragment)
    isInside = own.isInside
    series.append(own)
    return outcomes
  }

  mutating func interrupt(_ reason: Interruption) -> [Joining.Outcome] {
    defer { (series, isInside) = ([], false) }
    return series.indices.flatMap { series[$0].interrupt(reason) }
  }
}
