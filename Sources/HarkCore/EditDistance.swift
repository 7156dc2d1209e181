extension String {
  /// How many bytes of its UTF-8 have to be inserted, deleted, replaced, or swapped with the next to make
  /// it `other` (optimal string alignment).
  public func edits(to other: String) -> Int {
    let (a, b) = (Array(utf8), Array(other.utf8))
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = Swift.min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = Swift.min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
