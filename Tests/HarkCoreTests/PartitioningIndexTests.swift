import HarkCore
import Testing

@Suite struct PartitioningIndexTests {
  /// Every length and every place, compared with a search from the start.
  @Test func findsTheFirstElementOfTheSecondPart() {
    for count in 0...33 {
      for place in 0...count {
        let parts =
          Array(repeating: false, count: place) + Array(repeating: true, count: count - place)
        #expect(parts.partitioningIndex { $0 } == place)
        #expect((7..<(7 + count)).partitioningIndex { $0 >= 7 + place } == 7 + place)
      }
    }
  }

  @Test func findsTheFirstOfEqualValues() {
    let values = [1, 3, 3, 3, 5]
    #expect(values.partitioningIndex { $0 >= 3 } == 1)
    #expect(values.partitioningIndex { $0 > 3 } == 4)
    #expect(values[2...].partitioningIndex { $0 >= 1 } == 2)
    #expect(values.partitioningIndex { $0 > 5 } == values.endIndex)
  }

  @Test func asksAboutFewElements() {
    var asked = 0
    let found = (0..<1_000_000).partitioningIndex {
      asked += 1
      return $0 >= 765_432
    }
    #expect(found == 765_432)
    #expect(asked <= 20)
  }

  /// The sum of the ends would not fit.
  @Test func reachesTheLargestNumbers() {
    let end = Int.max
    #expect(((end - 10)..<end).partitioningIndex { $0 >= end - 3 } == end - 3)
  }
}
