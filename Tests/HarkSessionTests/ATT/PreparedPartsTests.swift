import Testing

@testable import HarkSession

/// What prepared slices write. Core Specification, Vol 3, Part F, 3.4.6.3
@Suite struct PreparedPartsTests {
  private static func parts(_ slices: [(Int, [UInt8])]) -> [String] {
    var value = ATTState.WriteQueue.Value(handle: 3)
    for (offset, bytes) in slices {
      value.bytes += bytes
      value.slices.append((offset, bytes.count))
    }
    return value.parts.map { "\($0.offset) \($0.bytes)" }
  }

  /// A later slice replaces bytes of an earlier one; slices that touch are one part.
  @Test func overlapping() {
    #expect(
      Self.parts([(10, [1, 2]), (0, [3, 4]), (1, [5, 6, 7]), (65_535, [8])]) == [
        "0 [3, 5, 6, 7]", "10 [1, 2]", "65535 [8]",
      ])
    #expect(Self.parts([(2, [1, 2]), (0, [3, 4]), (4, [5])]) == ["0 [3, 4, 1, 2, 5]"])
    #expect(Self.parts([(0, [1, 2, 3, 4]), (1, [9])]) == ["0 [1, 9, 3, 4]"])
    #expect(Self.parts([(1, [9]), (0, [1, 2, 3, 4])]) == ["0 [1, 2, 3, 4]"])
  }

  @Test func empty() {
    #expect(Self.parts([(7, []), (3, [1])]) == ["3 [1]"])
    #expect(Self.parts([(7, [])]) == [])
    let value = ATTState.WriteQueue.Value(handle: 3, bytes: [1, 2])
    #expect(value.parts.map(\.bytes) == [[1, 2]])
  }
}
