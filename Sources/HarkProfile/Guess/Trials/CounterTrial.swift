/// Whether an integer counts up by one from value to value of a direction.
enum CounterTrial {
  /// How often it went on by one, and how often it could have; nil if it does not count.
  static func steps(
    _ samples: Samples, _ integer: GuessedField.Integer
  ) -> (held: Int, of: Int)? {
    guard samples.shortest >= integer.size else { return nil }
    let limit = integer.size == 1 ? 0x100 : 0x1_0000
    var (held, all) = (0, 0)
    var high: Set<Int> = []
    for isToServer in [false, true] {
      var last: Sample?
      for sample in samples.all where sample.isStep && sample.toServer == isToServer {
        defer { last = sample }
        let value = integer.value(sample.tail)
        high.insert(value >> 8)
        // What is sent again is no step.
        guard let last, last.bytes != sample.bytes else { continue }
        all += 1
        if value == (integer.value(last.tail) + 1) % limit { held += 1 }
      }
    }
    // The upper byte of a wide one has to show that it belongs to it.
    guard held >= Least.steps, held * 10 >= all * 9, integer == .u1 || high.count > 1 else {
      return nil
    }
    return (held, all)
  }
}
