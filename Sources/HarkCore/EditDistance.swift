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

  /// The name that was meant, if it was a slip of the fingers; what is further away is another word.
  public func nearest(among names: some Sequence<String>) -> String? {
    // Comparing longer names takes time, and they are no typing mistakes.
    guard utf8.count <= 64 else { return nil }
    let most = Swift.min(3, Swift.max(1, utf8.count / 3))
    let close = names.filter { abs($0.utf8.count - utf8.count) <= most }
    // Of equally near ones, the one that was begun.
    let nearest = close.map { (edits(to: $0), $0.hasPrefix(self) ? 0 : 1, $0) }.min { $0 < $1 }
    return nearest.flatMap { $0.0 <= most ? $0.2 : nil }
  }

  /// ` (did you mean 'title'?)`; nothing if no name is near.
  public func hint(among names: some Sequence<String>) -> String {
    nearest(among: names).map { " (did you mean '\($0)'?)" } ?? ""
  }
}
