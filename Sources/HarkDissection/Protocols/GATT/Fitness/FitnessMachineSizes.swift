/// How many octets stand for each flag of a fitness machine's data. There are two published versions
/// of some values, which only the length of the whole distinguishes. FTMS 1.0, 4.4 to 4.9.
struct FitnessMachineSizes: Sendable {
  /// By bit number. Bit 0, More Data, is the other way round: its field is there where it is not set.
  let octets: [Int]

  /// How many octets follow `flags`.
  func size(_ flags: UInt64) -> Int {
    var size = 0
    for bit in octets.indices where (flags ^ 1) >> UInt64(bit) & 1 != 0 { size += octets[bit] }
    return size
  }

  static let treadmill = Self(octets: [2, 2, 3, 4, 4, 1, 1, 5, 1, 1, 2, 2, 4, 3])
  static let crossTrainer = Self(octets: [2, 2, 3, 4, 2, 4, 4, 2, 2, 2, 5, 1, 1, 2, 2])
  static let rower = Self(octets: [3, 1, 3, 2, 2, 2, 2, 2, 5, 1, 1, 2, 2])
  static let bike = Self(octets: [2, 2, 2, 2, 3, 2, 2, 2, 5, 1, 1, 2, 2])
}
