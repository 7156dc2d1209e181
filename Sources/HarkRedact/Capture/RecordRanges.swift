/// Where the records of a capture have their bytes, in order.
struct RecordRanges: RandomAccessCollection {
  /// No capture has more than 2 GiB.
  private var ranges: [Range<UInt32>] = []

  mutating func append(_ range: Range<Int>) {
    ranges.append(UInt32(clamping: range.lowerBound)..<UInt32(clamping: range.upperBound))
  }

  var startIndex: Int { 0 }
  var endIndex: Int { ranges.count }

  subscript(index: Int) -> Range<Int> {
    Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)
  }
}
