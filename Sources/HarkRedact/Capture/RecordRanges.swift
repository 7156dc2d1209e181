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
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(ranges[middle].upperBound) <= place { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(UInt32(clamping: place)) ? low : nil
  }

  subscript(index: Int) -> Range<Int> {
    Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
  }
}
