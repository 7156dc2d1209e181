import HarkCore

/// Finds what was meant by a misspelt word.
package enum Spelling {
  /// The word of `known` that is fewest edits away, at most a third of its length.
  package static func nearest(to word: String, in known: [String]) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    let ranked = known.map { (word: $0, edits: word.lowercased().edits(to: $0.lowercased())) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(1, best.word.utf8.count / 3) ? best.word : nil
  }
}
