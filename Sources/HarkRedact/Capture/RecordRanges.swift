import HarkCore

/// Where the records of a capture have their bytes, in order.
struct RecordRanges: RandomAccessCollection {
  /// No capture has more than 2 GiB.
  private var ranges: [Range<UInt32>] = []

  mutating func append(_ range: Range<Int>) {
    ranges.append(UInt32(clamping: range.lowerBound)..<UInt32(clamping: range.upperBound))
  }

  var startIndex: Int { 0 }
  var endIndex: Int { ranges.count }

  /// The record that has a byte.
  func index(of place: Int) -> Int? {
    let index = ranges.partitioningIndex { Int($0.upperBound) > place }
    return index < ranges.count && ranges[index].contains(UInt32(clamping: place)) ? index : nil
  }

  subscript(index: Int) -> Range<Int> {
    Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
  }
}
