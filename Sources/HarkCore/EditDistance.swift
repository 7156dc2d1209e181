extension String {
  /// How many letters (bytes of UTF-8) must be added, dropped or changed to make `other` of it:
  /// Levenshtein's distance.
  public func edits(to other: String) -> Int {
    let b = Array(other.utf8)
    var row = Array(0...b.count)
    for (i, x) in utf8.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substitute = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(substitute, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
