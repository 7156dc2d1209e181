import HarkCore
import HarkCrypto
import HarkFindings

/// Sentences of hark's on a capture as it was, for a reader who has the redacted one.
public struct RedactedSentences: Sendable {
  private let table: PersonalTable
  private let search: SecretSearch
  /// The names of framings and protocols, even if something else has the same name.
  private let titles: Set<String>

  /// The placeholder for words of unknown meaning.
  static let hidden = "[redacted]"

  init(_ table: PersonalTable, titles: Set<String>) {
    (self.table, search, self.titles) = (table, SecretSearch(table), titles)
  }

  /// The sentence with pseudonyms in place of what was removed from the capture, and of all other UUIDs. Of all other words
  /// those stay that rules and programs use, and numbers of few digits; nothing that is quoted does, and no part of an
  /// identifier of several groups.
  /// - Parameter other: A sentence on the redacted capture, or words of a rule: words that it has are known.
  /// - Returns: Nil if something would be left of what was removed.
  public func restated(_ sentence: String, beside other: String = "") -> String? {
    let known = Set(Self.words(of: other).map { String(decoding: $0, as: UTF8.self) })
    let old = Array(sentence.utf8)
    if let name = pseudonym(of: old[...]) { return String(decoding: name, as: UTF8.self) }
    var new = old
    var isDone = [Bool](repeating: false, count: old.count)
    for match in search.apart(in: old) {
      match.pattern.encoding.replace(
        match.range, by: table.replacements[match.pattern.value], in: &new)
      for index in match.range { isDone[index] = true }
    }
    let isLetter = Self.letters(of: sentence)
    var out: [UInt8] = []
    var place = 0
    while place < old.count {
      if isDone[place] {
        out.append(new[place])
        place += 1
      } else if let quoted = Self.quoted(at: place, in: old) {
        out += old[place..<quoted.lowerBound]
        out += pseudonym(of: old[quoted]) ?? Self.hiddenBytes
        // The same mark may begin another.
        let isClosed = quoted.upperBound < old.count
        if isClosed { out.append(old[quoted.upperBound]) }
        place = quoted.upperBound + (isClosed ? 1 : 0)
      } else if isLetter[place] {
        let groups = DigitGroups(at: place, in: old) { isLetter[$0] && !isDone[$0] }
        if let groups, let other = identifier(groups, old, known, other) {
          out += other
          place = groups.range.upperBound
          continue
        }
        var end = place
        while end < old.count, isLetter[end], !isDone[end] { end += 1 }
        out += word(place..<end, old, known)
        place = end
      } else {
        out.append(old[place])
        place += 1
      }
    }
    return leftKinds(in: out, butKnown: false).isEmpty ? String(decoding: out, as: UTF8.self) : nil
  }

  /// What somebody wrote about the capture, like `restated`. Numbers of four digits or more, which may be those of a telephone
  /// or a house, are removed, too.
  public func remark(_ text: String) -> String {
    guard let reported = restated(text) else { return Self.hidden }
    var bytes = Array(reported.utf8)
    for range in LogVocabulary.groupedNumbers(in: bytes).reversed() {
      bytes.replaceSubrange(range, with: Self.hiddenBytes)
    }
    for range in LogVocabulary.words(in: bytes.indices, of: bytes).reversed()
    where range.count > 3 && LogVocabulary.isNumber(bytes[range]) {
      bytes.replaceSubrange(range, with: Self.hiddenBytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What kinds of things are left in a text of what was removed from the capture, in any encoding:
  /// `a name`, `an address`.
  /// Names such as `iPhone`, of which each word is one that reports have, are no secrets, nor are those
  /// that framings have too.
  /// - Parameter isSentence: Whether it is a sentence of hark's: words outside of quotes are then hark's, even if somebody
  ///   called a device the same.
  public func leftKinds(in text: [UInt8], isSentence: Bool = false) -> [String] {
    leftKinds(in: text, butKnown: true, isSentence: isSentence)
  }

  private func leftKinds(in text: [UInt8], butKnown: Bool, isSentence: Bool = false) -> [String] {
    var kinds: Set<PersonalKind> = []
    search.forEach(in: text) { match in
      let value = table.values[match.pattern.value]
      if butKnown, isKnown(value) { return }
      if isSentence, value.kind.isText, match.pattern.encoding.isPlain,
        !Self.isQuoted(match.range, in: text)
      {
        return
      }
      kinds.insert(value.kind)
    }
    return kinds.sorted().map(\.withArticle)
  }

  /// Whether a part of a text is in quotes.
  private static func isQuoted(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    var place = 0
    while place < range.lowerBound {
      if let quoted = quoted(at: place, in: text) {
        if quoted.overlaps(range) { return true }
        place = max(place + 1, quoted.upperBound)
      } else {
        place += 1
      }
    }
    return false
  }

  private func isKnown(_ value: PersonalValue) -> Bool {
    guard value.kind.isText else { return false }
    let text = String(decoding: value.bytes, as: UTF8.self)
    if titles.contains(text) { return true }
    let words = Self.words(of: text)
    return words.count <= 2 && words.allSatisfy { LogVocabulary.holds($0, or: Self.ruleWords) }
  }

  private func pseudonym(of text: ArraySlice<UInt8>) -> [UInt8]? {
    for kind in PersonalKind.allCases where kind.isText {
      guard let index = table.find(PersonalValue(kind: kind, bytes: Array(text))) else { continue }
      return table.replacements[index]
    }
    return nil
  }

  /// What stands in place of groups of digits that are one identifier; nil if they are none, as in a time.
  private func identifier(
    _ groups: DigitGroups, _ text: [UInt8], _ known: Set<String>, _ other: String
  ) -> [UInt8]? {
    let old = text[groups.range]
    if other.contains(String(decoding: old, as: UTF8.self)) { return nil }
    if let bytes = groups.uuid(in: text) {
      let isUpper = !old.contains { 0x61...0x66 ~= $0 }
      return SecretEncoding.uuid(isUpper: isUpper).encode(pseudonym(ofUUID: bytes))
    }
    let isHidden =
      groups.isAddress || groups.parts.contains { word($0, text, known) == Self.hiddenBytes }
    return isHidden ? Self.hiddenBytes : nil
  }

  /// What the capture has in place of a UUID; one that only keys show gets a pseudonym here.
  private func pseudonym(ofUUID bytes: [UInt8]) -> [UInt8] {
    for kind in [PersonalKind.identifier, .uuid] {
      if let index = table.find(PersonalValue(kind: kind, bytes: bytes)) {
        return table.replacements[index]
      }
      // As it is sent.
      if let index = table.find(PersonalValue(kind: kind, bytes: bytes.reversed())) {
        return table.replacements[index].reversed()
      }
    }
    return table.pseudonyms.pseudonym(of: PersonalValue(kind: .identifier, bytes: bytes))
  }

  private func word(_ range: Range<Int>, _ text: [UInt8], _ known: Set<String>) -> [UInt8] {
    let word = text[range]
    let isCommon =
      LogVocabulary.holds(word, or: Self.ruleWords)
      || LogVocabulary.parts(of: range, in: text).allSatisfy {
        LogVocabulary.holds(text[$0], or: Self.ruleWords)
      }
    if isCommon, !LogVocabulary.isNumber(word) { return Array(word) }
    // A number, or a word that only the sentence knows, may still be one of somebody's.
    let isKnown =
      isCommon || LogVocabulary.isNumber(word) && word.count < Self.fewestOfIdentifier
      || known.contains(String(decoding: word, as: UTF8.self))
    return pseudonym(of: word) ?? (isKnown ? Array(word) : Self.hiddenBytes)
  }

  // MARK: Texts

  /// Numbers of so many digits may be fingerprints or serial numbers.
  private static let fewestOfIdentifier = 8

  private static let hiddenBytes = Array(hidden.utf8)
  private static let quotes: [(open: [UInt8], close: [UInt8])] = [
    (Array("“".utf8), Array("”".utf8)), (Array("\"".utf8), Array("\"".utf8)),
  ]

  /// Which bytes are of letters and digits.
  private static func letters(of text: String) -> [Bool] {
    text.unicodeScalars.flatMap { scalar in
      let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      return [Bool](repeating: isLetter, count: UTF8.width(scalar))
    }
  }

  private static func words(of text: String) -> [ArraySlice<UInt8>] {
    let (bytes, isLetter) = (Array(text.utf8), letters(of: text))
    return bytes.indices.split { !isLetter[$0] }.map { bytes[$0.startIndex..<$0.endIndex] }
  }

  private static func opening(at place: Int, in text: [UInt8]) -> Int? {
    quotes.firstIndex { text[place...].starts(with: $0.open) }
  }

  /// What is in the quotes that begin at a place.
  private static func quoted(at place: Int, in text: [UInt8]) -> Range<Int>? {
    guard let index = opening(at: place, in: text) else { return nil }
    let start = place + quotes[index].open.count
    let close = quotes[index].close
    // Of nested ones, the last closes them.
    let end = text.indices.last { $0 >= start && text[$0...].starts(with: close) }
    return start..<(end ?? text.count)
  }

  /// The words that rules say in any case, and that hark says about derivations.
  private static let ruleWords: Set<String> = {
    var words: Set<String> = ["µs"]
    for rule in Rules.all.map({ $0.about }) {
      for text in [rule.title, rule.meaning, rule.source, rule.fix] {
        for word in Self.words(of: text) {
          words.insert(String(decoding: word, as: UTF8.self).lowercased())
        }
      }
    }
    for derivation in NonstandardDerivation.withoutValues {
      for direction in MessageDirection.allCases {
        for word in Self.words(of: derivation.part + " " + derivation.clause(direction)) {
          words.insert(String(decoding: word, as: UTF8.self).lowercased())
        }
      }
    }
    return words
  }()
}
