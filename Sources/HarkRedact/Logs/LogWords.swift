import HarkAppLog
import HarkCore
import HarkDissection

/// Tells in a text of a log what stays from what is replaced.
struct LogWords {
  enum Found {
    /// A value of its own.
    case value(PersonalValue, isRandom: Bool)
    /// Any other word.
    case word
    /// Numbers of JSON: none may begin with a zero.
    case numbers
  }

  private let level: RedactionLevel
  /// By their first byte.
  private let needles: [UInt8: [[UInt8]]]

  /// Whether addresses of which nothing says so are random ones if their bits are those of one.
  private let guesses: Bool

  init(_ level: RedactionLevel, guesses: Bool) {
    (self.level, self.guesses) = (level, guesses)
    needles = Dictionary(grouping: AppLog.readWords.map { Array($0.utf8) }) { $0.first ?? 0 }
  }

  /// What is to be replaced in a part, in order.
  func find(in view: LogView, _ kind: LogParts.Kind) -> [(range: Range<Int>, found: Found)] {
    switch kind {
    case .path:
      let found = path(view.bytes)
      guard level == .strict else { return found }
      return found
        + words(view.bytes, [], isLabel: true).filter { word in
          !found.contains { $0.range.overlaps(word.range) }
        }
    case .name:
      let value = PersonalValue(kind: .name, bytes: view.bytes)
      return view.range(of: view.bytes.indices) == nil
        ? words(view.bytes, []) : [(view.bytes.indices, .value(value, isRandom: false))]
    case .text(let constant): return words(view.bytes, [], constant: constant)
    case .head(let known): return words(view.bytes, level == .strict ? [] : known, isLabel: true)
    case .label: return words(view.bytes, [], isLabel: true)
    case .number: return number(view.bytes)
    case .process(let name):
      // As in front of its own lines, so that both are the same still.
      let known = level == .strict ? [] : name.split(separator: " ").suffix(1).map(String.init)
      return words(Array(name.utf8), known, isLabel: true).compactMap { word in
        let range = word.range.clamped(to: view.bytes.indices)
        return range.isEmpty ? nil : (range, word.found)
      }
    case .numbers: return [(view.bytes.indices, .numbers)]
    case .octets: return view.bytes.isEmpty ? [] : octets(view.bytes)
    }
  }

  /// The digits of a number but for its first one, which JSON wants no zero to be.
  private func number(_ text: [UInt8]) -> [(range: Range<Int>, found: Found)] {
    let digits = text.indices.filter { 0x30...0x39 ~= text[$0] }
    guard digits.count > 3 else { return [] }
    return Self.runs(text.indices) { $0 > 0 && 0x30...0x39 ~= text[$0] }.map { ($0, .word) }
  }

  /// A string of an array, but for a prefix that says that it is a number.
  private func octets(_ text: [UInt8]) -> [(range: Range<Int>, found: Found)] {
    let prefix = text[...].withoutHexPrefix == nil ? 0 : 2
    return [(prefix..<text.count, .word)]
  }

  // MARK: Texts

  private func words(
    _ text: [UInt8], _ known: [String], isLabel: Bool = false, constant: Set<String> = []
  ) -> [(range: Range<Int>, found: Found)] {
    let lower = text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    var stays = staying(text, lower)
    for word in known { Self.mark(Array(word.lowercased().utf8), in: lower, &stays) }
    var found: [(range: Range<Int>, found: Found)] = []
    // In front of a message stand times.
    let lists = isLabel ? [] : LogVocabulary.lists(in: text)
    let numbers = isLabel ? [] : LogVocabulary.groupedNumbers(in: text)
    var place = 0
    while place < text.count {
      if let (range, value) = value(at: place, in: text, lower) {
        if let value { found.append((range, value)) }
        place = range.upperBound
      } else if let range = LogVocabulary.coordinate(at: place, in: lower) {
        found.append((range, .word))
        place = range.upperBound
      } else if Self.isWordByte(text[place]),
        let list = lists.first(where: { $0.contains(place) }),
        let word = LogVocabulary.words(in: place..<list.upperBound, of: text).first
      {
        // Octets of anything, one by one: a value may begin at the next.
        found += Self.runs(word) { !stays[$0] }.map { ($0, .word) }
        place = word.upperBound
      } else if Self.isWordByte(text[place]), numbers.contains(where: { $0.contains(place) }) {
        let number = text[place...].prefix { Self.isWordByte($0) }
        found.append((place..<number.endIndex, .word))
        place = number.endIndex
      } else if Self.isWordByte(text[place]) {
        var end = place
        while end < text.count, Self.isWordByte(text[end]) { end += 1 }
        let isNumber =
          (isLabel || Self.isProcess(place..<end, text))
          && end - place <= longestNumber && LogVocabulary.isNumber(text[place..<end])
        if !isNumber,
          !(level == .share && Self.isErrorCode(place..<end, text, lower))
        {
          found += parts(
            of: place..<end, text, stays, constant, keepsKnown: isLabel || level == .share
          ).map { ($0, .word) }
        }
        place = end
      } else {
        place += 1
      }
    }
    return found
  }

  /// Of processes and threads.
  private var longestNumber: Int { level == .strict ? 7 : 20 }

  private static func isWordByte(_ byte: UInt8) -> Bool { LogVocabulary.isWordByte(byte) }

  /// The number of a process, as the kernel and RunningBoard write it: ` pid 1731 [`, `>:1731]`. It stays in front of the
  /// lines of the process, too.
  private static func isProcess(_ word: Range<Int>, _ text: [UInt8]) -> Bool {
    let (front, behind) = (text[..<word.lowerBound], text[word.upperBound...])
    return front.suffix(5).elementsEqual(" pid ".utf8) && behind.starts(with: " [".utf8)
      || front.suffix(2).elementsEqual(">:".utf8) && behind.first == UInt8(ascii: "]")
  }

  /// The number of an `NSError`, as it describes itself: `Error Domain=NSPOSIXErrorDomain Code=61`.
  private static func isErrorCode(_ word: Range<Int>, _ text: [UInt8], _ lower: [UInt8]) -> Bool {
    guard word.count <= 6, LogVocabulary.isNumber(text[word]) else { return false }
    var front = lower[..<word.lowerBound]
    if front.last == UInt8(ascii: "-") { front.removeLast() }
    guard front.suffix(5).elementsEqual("code=".utf8) else { return false }
    front = front.dropLast(6)
    let domain = front.reversed().prefix { $0 != 0x20 }.reversed()
    return domain.starts(with: "domain=".utf8)
  }

  /// What stays in any case: by these words hark reads a line.
  private func staying(_ text: [UInt8], _ lower: [UInt8]) -> [Bool] {
    var stays = [Bool](repeating: false, count: lower.count)
    // Only after the last identifier: within one, no other begins.
    var next = 0
    for place in lower.indices {
      for needle in needles[lower[place]] ?? [] where lower[place...].starts(with: needle) {
        for index in place..<(place + needle.count) { stays[index] = true }
      }
      guard place >= next,
        let identifier = AppleIdentifiers.identifier(at: place, in: text, lower)
      else { continue }
      next = identifier.end
      for part in identifier.known {
        for index in part { stays[index] = true }
      }
    }
    return stays
  }

  private static func mark(_ word: [UInt8], in text: [UInt8], _ stays: inout [Bool]) {
    guard let first = word.first else { return }
    for place in text.indices where text[place] == first && text[place...].starts(with: word) {
      for index in place..<(place + word.count) { stays[index] = true }
    }
  }

  /// The parts of a word that do not stay: `handleConnectionComplete` has three.
  private func parts(
    of word: Range<Int>, _ text: [UInt8], _ stays: [Bool], _ constant: Set<String>,
    keepsKnown: Bool
  ) -> [Range<Int>] {
    // Codes, and how many there are of something.
    if word.count <= 3, LogVocabulary.isNumber(text[word]) { return [] }
    func isKnown(_ part: Range<Int>) -> Bool {
      keepsKnown && LogVocabulary.holds(text[part], or: constant)
    }
    if isKnown(word) { return [] }
    return LogVocabulary.parts(of: word, in: text).filter { !isKnown($0) }
      .flatMap { part in Self.runs(part) { !stays[$0] } }
  }

  private static func runs(_ range: Range<Int>, where holds: (Int) -> Bool) -> [Range<Int>] {
    range.filter(holds).reduce(into: []) { runs, place in
      if let last = runs.last, last.upperBound == place {
        runs[runs.count - 1] = last.lowerBound..<(place + 1)
      } else {
        runs.append(place..<(place + 1))
      }
    }
  }

  // MARK: Values

  /// An address, a UUID or the name of a device that begins at a place; without a value where it stays.
  private func value(
    at place: Int, in text: [UInt8], _ lower: [UInt8]
  ) -> (Range<Int>, Found?)? {
    if place > 0, Self.isWordByte(text[place - 1]) { return nil }
    if let range = Self.digits(at: place, [8, 4, 4, 4, 12], in: text) {
      let bytes = Self.octets(text[range])
      return (
        range,
        Self.isPublic(bytes)
          ? nil : .value(PersonalValue(kind: .identifier, bytes: bytes), isRandom: false)
      )
    }
    if let range = Self.digits(at: place, [2, 2, 2, 2, 2, 2], in: text) {
      let isRandom =
        lower[range.upperBound...].prefix(12).starts(with: "-random".utf8)
        || lower[range.upperBound...].prefix(12).starts(with: " (random".utf8)
      let octets = Self.octets(text[range])
      // No maker has addresses that are administered locally. IEEE 802, 8.4.
      let isLocal = guesses && octets[0] & 2 != 0
      let value = PersonalValue(kind: .address, bytes: octets)
      return (range, .value(value, isRandom: isRandom || isLocal))
    }
    if let range = Self.internetAddress(at: place, in: text)
      ?? Self.mailAddress(at: place, in: text)
    {
      return (range, .word)
    }
    return name(at: place, in: text, lower)
  }

  /// `Nm 'Acme'`, `name "Acme"`: between the quotes.
  private func name(
    at place: Int, in text: [UInt8], _ lower: [UInt8]
  ) -> (Range<Int>, Found?)? {
    guard place > 0, text[place - 1] == 0x22 || text[place - 1] == 0x27 else { return nil }
    var edge = place - 1
    while edge > 0, " =:".utf8.contains(lower[edge - 1]) { edge -= 1 }
    let front = lower[..<edge]
    guard front.suffix(2).elementsEqual("nm".utf8) || front.suffix(4).elementsEqual("name".utf8),
      let end = text[place..<min(place + 249, text.count)].firstIndex(of: text[place - 1]),
      end > place
    else { return nil }
    let range = place..<end
    let value = PersonalValue(kind: .name, bytes: Array(text[range]))
    return (range, .value(value, isRandom: false))
  }

  /// Four numbers with dots between. RFC 3986, 3.2.2.
  private static func internetAddress(at place: Int, in text: [UInt8]) -> Range<Int>? {
    var end = place
    for number in 0..<4 {
      let digits = text[end...].prefix { 0x30...0x39 ~= $0 }.count
      guard (1...3).contains(digits) else { return nil }
      end += digits
      guard number < 3 else { break }
      guard end < text.count, text[end] == UInt8(ascii: ".") else { return nil }
      end += 1
    }
    return place..<end
  }

  /// RFC 5322, 3.4.1, as people have them.
  private static func mailAddress(at place: Int, in text: [UInt8]) -> Range<Int>? {
    func isPart(_ byte: UInt8) -> Bool { isWordByte(byte) || ".-_+".utf8.contains(byte) }
    let local = text[place...].prefix(64).prefix { isPart($0) }.endIndex
    guard local > place, local < text.count, text[local] == UInt8(ascii: "@") else { return nil }
    let domain = text[(local + 1)...].prefix { isPart($0) }
    return domain.first.map(isWordByte) == true ? place..<domain.endIndex : nil
  }

  /// Hexadecimal digits in groups with one character between them; nil if there are others, or more.
  private static func digits(at place: Int, _ groups: [Int], in text: [UInt8]) -> Range<Int>? {
    let count = groups.reduce(groups.count - 1, +)
    let range = place..<(place + count)
    guard range.upperBound <= text.count,
      range.upperBound == text.count || Hex.value(of: text[range.upperBound]) == nil
    else { return nil }
    let separator = text[place + groups[0]]
    guard separator == UInt8(ascii: "-") || groups.count == 6 && ":_".utf8.contains(separator)
    else {
      return nil
    }
    var next = place
    for (index, group) in groups.enumerated() {
      guard text[next..<(next + group)].allSatisfy({ Hex.value(of: $0) != nil }) else { return nil }
      next += group
      guard index == groups.count - 1 || text[next] == separator else { return nil }
      next += 1
    }
    return range
  }

  private static func octets(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let values = text.compactMap { Hex.value(of: $0) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// Whether a UUID is one that is assigned. Core Specification, Vol 3, Part B, 2.5.1.
  private static func isPublic(_ uuid: [UInt8]) -> Bool {
    uuid.dropFirst(4).elementsEqual([0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB])
  }

  // MARK: Paths

  /// What a user is called, and the containers of apps.
  private func path(_ text: [UInt8]) -> [(range: Range<Int>, found: Found)] {
    var found: [(range: Range<Int>, found: Found)] = []
    var (start, last) = (0, "")
    for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: "/") {
      defer { start = end + 1 }
      guard end > start else { continue }
      let part = start..<end
      if ["Users", "home"].contains(last),
        !["mobile", "Shared"].contains(String(decoding: text[part], as: UTF8.self))
      {
        found.append(
          (part, .value(PersonalValue(kind: .name, bytes: Array(text[part])), isRandom: false)))
      } else if Self.digits(at: start, [8, 4, 4, 4, 12], in: text) == part {
        let value = PersonalValue(kind: .identifier, bytes: Self.octets(text[part]))
        found.append((part, .value(value, isRandom: false)))
      }
      last = String(decoding: text[part], as: UTF8.self)
    }
    return found
  }
}
