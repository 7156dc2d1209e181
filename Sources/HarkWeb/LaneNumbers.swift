import HarkSession

extension Event.Lane {
  /// Its place in the list of all lanes.
  var number: UInt8 { Self.numbers[self] ?? 0 }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: zip(allCases, UInt8(0)...))
}
