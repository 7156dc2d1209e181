import HarkCore

/// How many columns text takes on a terminal.
package enum Columns {
  /// Of one character: 0 for marks that join the one before, 2 for wide East Asian characters and
  /// emoji. Unicode Standard Annex 11, in the ranges that occur in practice.
  package static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first?.value else { return 0 }
    switch first {
    case 0x0300...0x036F, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    case 0x2600...0x27BF:
      // Emoji here are wide by themselves or by a selector after them.
      return character.unicodeScalars.first?.properties.isEmojiPresentation == true
        || character.unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    default: return 1
    }
  }

  package static func of(_ text: String) -> Int {
    text.utf8.count == text.unicodeScalars.count
      ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// Breaks `text` at blanks into lines of at most `width` columns, and inside of a word where that
  /// alone is longer. Gives at least one line.
  package static func lines(of text: String, width: Int) -> [String] {
    let width = max(width, 8)
    var lines: [String] = []
    var line = ""
    var used = 0
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    for (index, word) in words.enumerated() {
      var needed = of(String(word))
      // A number stays with its unit: `18.6 s`.
      if index + 1 < words.count, word.last?.isNumber == true, isUnit(words[index + 1]) {
        needed += 1 + of(String(words[index + 1]))
      }
      if used > 0, used + 1 + needed > width {
        lines.append(line)
        (line, used) = ("", 0)
      } else if !line.isEmpty || used > 0 {
        line.append(" ")
        used += 1
      }
      for character in word {
        let columns = of(character)
        if used + columns > width, used > 0 {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += columns
      }
    }
    lines.append(line)
    return lines
  }

  private static func isUnit(_ word: Substring) -> Bool {
    ["s", "ms", "µs", "%", "dBm", "kbit/s"].contains(word.prefix { !",;:)".contains($0) })
  }

  /// Fills with blanks up to `width` columns; nothing is cut.
  package static func pad(_ text: String, to width: Int, into out: inout TextBuffer) {
    out.string(text)
    let used = of(text)
    for _ in used..<max(used, width) { out.byte(0x20) }
  }

  /// `text` in at most `width` columns, with `…` where something was cut off.
  package static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width, width > 1 else { return text }
    var result = ""
    var used = 0
    for character in text {
      let columns = of(character)
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return result + "…"
  }
}
