/// Finds what was meant by a misspelt word.
enum Spelling {
  /// The word of `known` that is fewest edits away, at most a third of its length.
  static func nearest(to word: String, in known: [String]) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    let ranked = known.map { (word: $0, edits: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, best.word.utf8.count / 3) ? best.word : nil
  }

  /// Levenshtein's distance in bytes.
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b.utf8)
    var row = Array(0...b.count)
    for (i, x) in a.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substitute = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitute, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
