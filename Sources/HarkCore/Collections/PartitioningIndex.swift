extension RandomAccessCollection {
  /// Searches by halves for where a condition begins to hold, in a collection in which it holds for no element before
  /// that place and for all elements from there on. For numbers that are no collection, search a range of them.
  /// - Returns: The end if it holds for no element.
  @inlinable
  public func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (start, rest) = (startIndex, count)
    while rest > 0 {
      let half = rest / 2
      let middle = index(start, offsetBy: half)
      if holds(self[middle]) {
        rest = half
      } else {
        start = index(after: middle)
        rest -= half + 1
      }
    }
    return start
  }
}
