import Testing

@testable import HarkSession

/// `FoundRecently` gives what a dictionary gives, whatever it remembers.
@Suite struct FoundRecentlyTests {
  @Test func agreesWithADictionary() {
    var random = SystemRandomNumberGenerator()
    var table = FoundRecently<UInt32, Int>()
    var expected: [UInt32: Int] = [:]
    for step in 0..<5_000 {
      let key = UInt32.random(in: 0..<6, using: &random)
      switch UInt8.random(in: 0..<8, using: &random) {
      case 0: (table[key], expected[key]) = (step, step)
      case 1: (table[key], expected[key]) = (nil, nil)
      default: #expect(table.find(key) == expected[key])
      }
      #expect(table[key] == expected[key])
    }
    #expect(table.all == expected)
  }

  @Test func forgetsWhatWasChanged() {
    var table = FoundRecently<UInt32, Int>()
    table[1] = 10
    table[2] = 20
    #expect(table.find(1) == 10 && table.find(2) == 20 && table.find(3) == nil)
    table[1] = 11
    table[2] = nil
    table[3] = 30
    #expect(table.find(1) == 11 && table.find(2) == nil && table.find(3) == 30)
  }
}
