/// What a search may cost, so that a capture cannot choose how long it takes. It only shrinks.
struct SearchBudget: Sendable {
  private(set) var candidates: Int
  private(set) var bytes: Int

  /// The whole grid, for one accessory.
  static let accessory = SearchBudget(candidates: 20_000, bytes: 256 << 20)
  /// The whole grid, for all accessories of a capture.
  static let capture = SearchBudget(candidates: 80_000, bytes: 512 << 20)
  /// The usual spellings, the decapsulations, and known keys beyond the first few that a message is
  /// tried with, for all accessories of a capture.
  static let usual = SearchBudget(candidates: 200_000, bytes: 1 << 30)

  func allows(_ count: Int, bytes: Int) -> Bool { candidates >= count && self.bytes >= bytes }

  /// Pays for `count` candidates; false if what is left does not suffice.
  mutating func take(_ count: Int = 1, bytes: Int) -> Bool {
    guard allows(count, bytes: bytes) else { return false }
    candidates -= count
    self.bytes -= bytes
    return true
  }
}
