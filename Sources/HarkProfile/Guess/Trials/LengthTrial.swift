/// Whether an integer holds the number of bytes.
struct LengthTrial {
  let integer: GuessedField.Integer
  /// By how much it is more than the bytes after it, which end before a checksum of the whole.
  let minus: Int

  /// A length may count what is before it, or leave out what follows.
  private static let offsets = -8...32

  var described: String {
    switch minus {
    case 0: "counts the bytes after it"
    case 1...: "counts the bytes after it and \(minus) more"
    default: "counts the bytes after it, except \(-minus)"
    }
  }

  static func find(_ samples: Samples, trimmed: Int) -> LengthTrial? {
    guard samples.distinct.count >= Least.values, samples.sizes.count >= Least.sizes else {
      return nil
    }
    let found = GuessedField.Integer.allCases.compactMap { integer in
      minus(samples, integer).map { LengthTrial(integer: integer, minus: $0) }
    }
    // Of two that are right, the one without a remainder; then the wider one, which explains a zero.
    return found.min {
      let (left, right) = ($0.rank(trimmed), $1.rank(trimmed))
      return left != right ? left < right : $0.integer.size > $1.integer.size
    }
  }

  private func rank(_ trimmed: Int) -> Int { minus == 0 || minus == trimmed ? 0 : abs(minus) }

  private static func minus(_ samples: Samples, _ integer: GuessedField.Integer) -> Int? {
    guard samples.shortest >= integer.size else { return nil }
    var minus: Int?
    for sample in samples.distinct {
      let difference = integer.value(sample.tail) - (sample.rest.count - integer.size)
      guard difference == minus ?? difference else { return nil }
      minus = difference
    }
    return minus.flatMap { offsets.contains($0) ? $0 : nil }
  }
}
