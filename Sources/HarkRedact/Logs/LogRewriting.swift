import HarkAppLog
import HarkCapture
import HarkCore

/// A log of the app's side on its way to its redacted form, which has the same length.
struct LogRewriting {
  /// What is replaced.
  private struct Place {
    let start: Int
    let count: Int
    /// In the table; nil if the text becomes whatever a text becomes.
    let value: PersonalTable.Index?
    /// Whether it is numbers of JSON.
    var isNumbers = false
  }

  let name: String
  private let file: [UInt8]
  private var places: [Place] = []
  private var escapes: [LogView.Escape] = []
  /// How many words were replaced that are no values of their own.
  var words: Int { replaced.count }
  private var replaced: Set<[UInt8]> = []
  private(set) var wordPlaces = 0
  private(set) var out: [UInt8]

  /// Reads a log for what is to be removed.
  /// - Parameter isAlone: Whether no capture says which addresses are random ones.
  init(
    _ log: CaptureBytes, _ table: inout PersonalTable, _ level: RedactionLevel, isAlone: Bool
  ) {
    (name, file, out) = (log.name, log.bytes, log.bytes)
    let words = LogWords(level, guesses: isAlone)
    var (places, escapes): ([Place], [LogView.Escape]) = ([], [])
    LogParts.forEach(in: file, level) { view, kind in
      let all = words.find(in: view, kind)
      escapes +=
        kind == .path
        ? view.escapes.filter { one in all.contains { $0.range.contains(one.index) } }
        : view.escapes
      for (part, found) in all {
        guard let range = view.range(of: part) else {
          // Letter by letter, where it is written in pieces.
          places += part.filter { view.places[$0] >= 0 }
            .map { Place(start: view.places[$0], count: 1, value: nil) }
          continue
        }
        var index: PersonalTable.Index?
        if case .value(let value, let isRandom) = found {
          index = table.add(value)
          if isRandom { table.isRandom(value.bytes.reduce(0) { $0 << 8 | UInt64($1) }) }
        }
        var place = Place(start: range.lowerBound, count: range.count, value: index)
        if case .numbers = found { place.isNumbers = true }
        places.append(place)
      }
    }
    (self.places, self.escapes) = (places, escapes)
  }

  /// Puts pseudonyms into it.
  mutating func rewrite(
    _ table: PersonalTable, _ search: SecretSearch, _ counts: inout [PersonalKind: Int]
  ) {
    var taken = [Bool](repeating: false, count: file.count)
    // What hark reads an address or a UUID from stays one, also where the capture has it as a text.
    for place in places {
      guard let index = place.value else { continue }
      let kind = table.values.kind(index)
      guard kind == .address || kind == .identifier else { continue }
      let range = place.start..<(place.start + place.count)
      out.replaceSubrange(
        range, with: Self.spelt(table.replacements[index], kind, like: Array(file[range])))
      counts[kind, default: 0] += 1
      for index in range { taken[index] = true }
    }
    for match in search.apart(in: file) where !match.range.contains(where: { taken[$0] }) {
      let kind = table.values.kind(match.pattern.value)
      counts[kind, default: 0] += 1
      match.pattern.encoding.replace(
        match.range, by: table.replacements[match.pattern.value], in: &out)
      for index in match.range { taken[index] = true }
    }
    for place in places {
      let range = place.start..<(place.start + place.count)
      guard !range.contains(where: { taken[$0] }) else { continue }
      let old = Array(file[range])
      let new: [UInt8]
      if let index = place.value {
        new = table.replacements[index]
        counts[table.values.kind(index), default: 0] += 1
      } else {
        let text = table.pseudonyms.text(old)
        new = place.isNumbers ? Self.withoutLeadingZeros(text) : text
        if new != old {
          replaced.insert(old)
          wordPlaces += 1
        }
      }
      out.replaceSubrange(range, with: new)
    }
    for escape in escapes where !escape.places.contains(where: { $0 < 0 || taken[$0] }) {
      let digits = table.pseudonyms.character(escape.code)
      for (place, digit) in zip(escape.places, digits) { out[place] = digit }
    }
    // What lay under something else.
    for match in search.apart(in: out) {
      match.pattern.encoding.replace(
        match.range, by: table.replacements[match.pattern.value], in: &out)
    }
  }

  /// Numbers of which none begins with a zero, unless it has one digit. RFC 8259, 6.
  private static func withoutLeadingZeros(_ numbers: [UInt8]) -> [UInt8] {
    func isDigit(_ index: Int) -> Bool {
      numbers.indices.contains(index) && 0x30...0x39 ~= numbers[index]
    }
    return numbers.indices.map { index in
      let isFirst = !isDigit(index - 1) && isDigit(index + 1)
      let isFraction = index > 0 && numbers[index - 1] == UInt8(ascii: ".")
      return numbers[index] == 0x30 && isFirst && !isFraction ? 0x31 : numbers[index]
    }
  }

  /// A value in as many digits, or letters, as `old` has.
  static func spelt(_ new: [UInt8], _ kind: PersonalKind, like old: [UInt8]) -> [UInt8] {
    guard kind == .address || kind == .identifier else { return new }
    let isUpper = !old.contains { 0x61...0x66 ~= $0 }
    var digits = SecretEncoding.hex(isUpper: isUpper, isReversed: false, separator: 0).encode(new)[
      ...]
    return old.map { Hex.value(of: $0) == nil ? $0 : digits.popFirst() ?? $0 }
  }

  // MARK: The proof

  /// What is wrong with the result, a sentence each: it says something else, or has something left.
  /// It never says what.
  func problems(_ table: PersonalTable, _ search: SecretSearch) throws -> (
    problems: [String], entries: Int
  ) {
    var problems: [String] = []
    if out.count != file.count { problems.append("its length differs") }
    search.forEach(in: out) { match in
      problems.append(
        "\(table.values.kind(match.pattern.value).withArticle) remains at byte \(match.range.lowerBound)"
      )
    }
    let was = try AppLog(bytes: file, name: name)
    guard AppLog.recognises(out) else {
      return (["\(name): it is no longer recognized as a log"], 0)
    }
    let now = try AppLog(bytes: out, name: name)
    if was.entries.count != now.entries.count || was.counts.lines != now.counts.lines
      || was.counts.damaged != now.counts.damaged
    {
      problems.append("its entries differ")
    }
    for (entry, twin) in zip(was.entries, now.entries) {
      let isSame =
        entry.time == twin.time && entry.event.kind == twin.event.kind
        && entry.event.level == twin.event.level && entry.event.pid == twin.event.pid
        && entry.event.facts.map(\.fact) == twin.event.facts.map(\.fact)
      if !isSame { problems.append("line \(entry.event.origin.line) has a different meaning") }
    }
    return (problems.map { "\(name): \($0)" }, was.entries.count)
  }
}
