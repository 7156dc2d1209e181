import HarkCore

/// Texts in UTF-16.
extension UndecodedText {
  /// Characters of one script in a row.
  private struct WideRun {
    let range: Range<Int>
    let isBigEndian: Bool
    let isLatin: Bool
    let isOfIdeographs: Bool
    let isFramed: Bool
    let isCut: Bool
  }

  /// Both orders of octets may make texts of the same bytes: one of Latin letters is right, then one of another small script,
  /// then one with its length before it, then the longest one.
  static func wideTexts(in bytes: UndecodedBytes, where isOpen: [Bool]) -> [UndecodedText] {
    var runs: [WideRun] = []
    for isBigEndian in [false, true] {
      for parity in 0...1 {
        runs += wideRuns(in: bytes, from: parity, isBigEndian: isBigEndian, where: isOpen)
      }
    }
    func rank(_ run: WideRun) -> (Int, Int, Int) {
      (
        (run.isLatin ? 0 : run.isOfIdeographs ? 4 : 2) + (run.isFramed ? 0 : 1), -run.range.count,
        run.range.lowerBound
      )
    }
    runs.sort { rank($0) < rank($1) }
    var isTaken = [Bool](repeating: false, count: runs.isEmpty ? 0 : bytes.all.count)
    var found: [UndecodedText] = []
    for run in runs {
      // What the better one leaves of another may be the rest of a text.
      for part in parts(of: run.range, where: isTaken) {
        for place in part { isTaken[place] = true }
        found.append(text(of: run, part, in: bytes.all))
      }
    }
    return found
  }

  /// The units of a range that are not taken, in a row.
  private static func parts(of range: Range<Int>, where isTaken: [Bool]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      let end = min(start + 2, range.upperBound)
      guard !isTaken[start..<end].contains(true) else { continue }
      if let last = parts.last, last.upperBound == start {
        parts[parts.count - 1] = last.lowerBound..<end
      } else {
        parts.append(start..<end)
      }
    }
    return parts
  }

  private static func text(
    of run: WideRun, _ range: Range<Int>, in all: [UInt8]
  ) -> UndecodedText {
    var (text, places): ([UInt8], [Int]) = ([], [])
    for place in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      // A unit of a script is a character.
      let unit =
        place + 1 < range.upperBound
        ? unit(at: place, in: all, isBigEndian: run.isBigEndian) : UInt32(all[place])
      let character = Unicode.Scalar(unit).map { Array(String($0).utf8) } ?? [0x20]
      text += character
      places += [Int](repeating: place, count: character.count)
    }
    return UndecodedText(
      bytes: text, places: places,
      encoding: .utf16(
        isBigEndian: run.isBigEndian, isCut: run.isCut && range.upperBound == run.range.upperBound),
      isOfIdeographs: run.isOfIdeographs)
  }

  private static func unit(at place: Int, in all: [UInt8], isBigEndian: Bool) -> UInt32 {
    let (first, second) = (UInt32(all[place]), UInt32(all[place + 1]))
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  private static func wideRuns(
    in bytes: UndecodedBytes, from parity: Int, isBigEndian: Bool, where isOpen: [Bool]
  ) -> [WideRun] {
    let all = bytes.all
    var runs: [WideRun] = []
    var start = parity
    var isRest = false
    while start + 1 < all.count {
      var found = WideCharacterCounts()
      var end = start
      var isDivided = false
      while end + 1 < all.count, isOpen[end], isOpen[end + 1],
        found.take(unit(at: end, in: all, isBigEndian: isBigEndian))
      {
        end += 2
        isDivided =
          found.count >= longest && (found.isAfterWord || found.count >= longest + longestWord)
        if isDivided { break }
      }
      // The zero of the last character may belong to something else.
      let isCut =
        !isDivided && !isBigEndian && end > start && end < all.count && isOpen[end]
        && found.isLatin && 0x20...0x7E ~= all[end]
      if isCut {
        _ = found.take(UInt32(all[end]))
        end += 1
      }
      let range = start..<end
      let run = wideRun(
        range, found, isBigEndian: isBigEndian, isRest: isRest && end > start, isCut: isCut,
        in: bytes)
      runs += run.map { [$0] } ?? values(in: range, isBigEndian: isBigEndian, of: bytes)
      isRest = run != nil && isDivided
      start = max(end - (isCut ? 1 : 0), start + 2)
    }
    return runs
  }

  /// The values in a range that are texts by themselves, such as names one after the other.
  private static func values(
    in range: Range<Int>, isBigEndian: Bool, of bytes: UndecodedBytes
  ) -> [WideRun] {
    bytes.parts(of: range).compactMap { part in
      let value = part.lowerBound..<(part.upperBound - part.count % 2)
      guard value != range, (value.lowerBound - range.lowerBound).isMultiple(of: 2) else {
        return nil
      }
      var found = WideCharacterCounts()
      for place in stride(from: value.lowerBound, to: value.upperBound, by: 2) {
        _ = found.take(unit(at: place, in: bytes.all, isBigEndian: isBigEndian))
      }
      return wideRun(value, found, isBigEndian: isBigEndian, in: bytes)
    }
  }

  /// The run of these characters; nil if they are hardly a text.
  /// - Parameter isRest: Whether they continue one.
  private static func wideRun(
    _ range: Range<Int>, _ found: WideCharacterCounts, isBigEndian: Bool, isRest: Bool = false,
    isCut: Bool = false, in bytes: UndecodedBytes
  ) -> WideRun? {
    let isFramed =
      found.isWord && isFramed(range, isLikely: found.isInSmallScript, in: bytes)
    // Ideographs may have the octets of ASCII, but not all of them.
    guard isRest || found.isText || isFramed,
      found.isLatin || !bytes.all[range].allSatisfy({ 0x20...0x7E ~= $0 })
    else { return nil }
    return WideRun(
      range: range, isBigEndian: isBigEndian, isLatin: found.isLatin,
      isOfIdeographs: !found.isInSmallScript, isFramed: isFramed, isCut: isCut)
  }

  /// Whether a range is a value of its own, has its length before it, or is between zeros.
  /// - Parameter isLikely: Whether few numbers are letters of the script.
  private static func isFramed(
    _ range: Range<Int>, isLikely: Bool, in bytes: UndecodedBytes
  ) -> Bool {
    if bytes.isValue(range) || (isLikely || range.count >= 8) && bytes.isStated(range, units: 2) {
      return true
    }
    let (start, end) = (range.lowerBound, range.upperBound)
    let isBegun = bytes.isEdge(start) || start >= 2 && bytes.all[(start - 2)..<start] == [0, 0]
    let isEnded =
      bytes.isEdge(end) || end + 2 <= bytes.all.count && bytes.all[end..<(end + 2)] == [0, 0]
    return isBegun && isEnded
  }
}

/// The units of UTF-16 in a run. Numbers of two octets that measure something are similar to each other, as letters are:
/// they may be letters of one script, too, but rarely as words have them.
private struct WideCharacterCounts {
  private(set) var count = 0
  private(set) var isAfterWord = false
  private var letters = 0
  /// Those of ASCII.
  private var plain = 0
  private var digits = 0
  private var script = 0
  private var kana = 0
  /// Ideographs in the half of their block that has more of the common ones.
  private var common = 0
  /// The first different ones.
  private var different = SIMD4<UInt32>(repeating: 0)
  private var differentCount = 0
  private var last = Unicode.GeneralCategory.spaceSeparator
  /// Capital letters after small ones.
  private var humps = 0

  /// Of all units.
  private static let scripts = (UInt32(0)..<0x10000).map { NumberTexts.script(of: $0) }

  /// - Returns: Whether the unit is one of the same script.
  mutating func take(_ unit: UInt32) -> Bool {
    let next = Self.scripts[Int(unit)]
    guard next >= 0, script == 0 || next == 0 || next == script else { return false }
    // Most random units are these, and looking all of them up would take long.
    let isOfIdeographs = next == NumberTexts.japanese || next == NumberTexts.hangul
    guard
      let category =
        isOfIdeographs ? .otherLetter : Unicode.Scalar(unit)?.properties.generalCategory
    else { return false }
    if next > 0 {
      switch category {
      case .uppercaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter: break
      // A mark belongs to the letter before it.
      case .nonspacingMark, .spacingMark: if letters == 0 { return false }
      default: return false
      }
      (script, letters) = (next, letters + 1)
      if differentCount < 4, !(0..<differentCount).contains(where: { different[$0] == unit }) {
        different[differentCount] = unit
        differentCount += 1
      }
      if unit < 0x80 { plain += 1 }
    }
    if 0x30...0x39 ~= unit { digits += 1 }
    if 0x3041...0x30FF ~= unit { kana += 1 }
    if 0x4E00...0x6FFF ~= unit { common += 1 }
    if category == .uppercaseLetter, last == .lowercaseLetter { humps += 1 }
    last = category
    isAfterWord = unit < 0x80 && !LogVocabulary.isWordByte(UInt8(unit))
    count += 1
    return true
  }

  var isLatin: Bool { script <= NumberTexts.latin }
  /// Whether few numbers are letters of the script: of Japanese, those of its syllabaries.
  var isInSmallScript: Bool {
    script != NumberTexts.hangul && (script != NumberTexts.japanese || kana >= 2)
  }

  /// Whether it is hardly a text by chance. Of random units, a third are ideographs, and a sixth are Hangul syllables.
  var isText: Bool {
    switch script {
    case 0: digits >= 6
    case NumberTexts.latin: count >= 4 && plain >= 3 && letters <= 2 * plain
    case NumberTexts.japanese: letters >= 12 && isOfCommon || letters >= 3 && kana >= 2
    case NumberTexts.hangul: letters >= 6
    case NumberTexts.indic...: letters >= 5 && differentCount >= 4
    default: letters >= 3 && differentCount >= 3 && humps == 0
    }
  }

  private var isOfCommon: Bool { (common + kana) * 4 >= letters }

  /// Whether it is a text if it begins and ends where something else does.
  var isWord: Bool {
    switch script {
    case NumberTexts.latin: letters >= 3 && letters <= 2 * plain && letters == count && humps == 0
    case NumberTexts.japanese: letters >= 3 && isOfCommon
    case NumberTexts.indic...: letters >= 3 && differentCount >= 3
    default: letters >= 3 && humps == 0
    }
  }
}
