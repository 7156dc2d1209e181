import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// What was removed from a capture, and what was kept. It says how much, never what.
public struct RedactionList: Sendable {
  public struct Removed: Sendable {
    public let kind: String
    /// For people.
    var words: String { kind == PersonalKind.sealed.rawValue ? PersonalKind.sealed.words : kind }
    /// How many different values, and in how many places.
    public let values: Int
    public let places: Int
  }

  public let level: RedactionLevel
  public let removed: [Removed]
  /// Places that no field named: logs, undecoded bytes, other encodings.
  public let foundElsewhere: Int
  /// What stays, a sentence each.
  public let kept: [String]
  public internal(set) var packets: Int
  /// Of a log of the app's side, what it has in place of packets: those that hark keeps.
  public let entries: Int?
  public internal(set) var findings = 0
  /// How many records of frames on a UART became longer or shorter: other bytes need other escapes.
  public internal(set) var resizedRecords = 0
  /// Whether it is the log of a bug report, without the rest of that.
  public internal(set) var isOfReport = false
  /// Whether the capture is damaged, and the result is a new file without the damaged parts.
  public internal(set) var isRewritten = false
  /// How many values were looked for in the end, in every encoding.
  public internal(set) var searchedValues = 0

  /// How many bytes of the file have each fate: together they are as many as it has.
  public internal(set) var bytes: [(fate: StaticString, count: Int)] = []
  /// What is found in the redacted capture and not in the one it was made from, and the other way round:
  /// the names of rules, each with how often.
  public internal(set) var newFindings: [String] = []
  public internal(set) var lostFindings: [String] = []

  /// - Parameter framing: How many bytes of the file are not of packets, and of those were overwritten.
  init(
    level: RedactionLevel, _ gathering: PersonalDataCollector, _ rewriting: Rewriting, packets: Int,
    framing: (bytes: Int, blanked: Int)
  ) {
    let table = gathering.table
    self.level = level
    self.packets = packets
    entries = nil
    removed = Self.removed(table, rewriting.counts)
    foundElsewhere = rewriting.foundElsewhere
    var account = rewriting.ledger.account
    // What frames packets on a UART is no byte of a packet.
    account[.structural, default: 0] += framing.bytes - framing.blanked
    account[.removed, default: 0] += framing.blanked
    bytes = ByteLedger.Fate.allCases.reversed().compactMap { fate in
      let count = account[fate] ?? 0
      return fate == .kept && count == 0 ? nil : (fate.word, count)
    }
    kept = Self.kept(level, gathering, rewriting)
  }

  /// Takes down what rules found before and after.
  mutating func compare(_ before: Findings, _ after: Findings) {
    func counts(_ findings: Findings) -> [String: Int] {
      findings.all.reduce(into: [:]) { $0[$1.rule.id, default: 0] += 1 }
    }
    func more(_ a: [String: Int], than b: [String: Int]) -> [String] {
      a.keys.sorted().compactMap { rule in
        let count = a[rule, default: 0] - b[rule, default: 0]
        return count > 0 ? (count == 1 ? rule : "\(rule) (\(count))") : nil
      }
    }
    let (was, now) = (counts(before), counts(after))
    (newFindings, lostFindings) = (more(now, than: was), more(was, than: now))
    findings = before.all.count
  }

  /// Of a log of the app's side.
  /// - Parameter words: Those that are no value of their own: how many different ones, and in how
  ///   many places.
  init(
    level: RedactionLevel, _ table: PersonalTable, _ counts: [PersonalKind: Int],
    words: (values: Int, places: Int), entries: Int
  ) {
    (self.level, self.entries, packets, foundElsewhere) = (level, entries, 0, 0)
    removed =
      Self.removed(table, counts)
      + (words.places > 0
        ? [Removed(kind: "word", values: words.values, places: words.places)] : [])
    searchedValues = table.values.indices.count { table.isSearched($0) }
    kept = [
      Self.words(level),
      level == .share
        ? "times, levels, names of programs, their subsystems and bundles, numbers in a journal"
        : "times, levels, known names of programs and frameworks, numbers in a journal",
    ]
  }

  private static func words(_ level: RedactionLevel) -> String {
    level == .share
      ? "words that programs use for links, sessions and errors, and words of the log formats, "
        + "numbers of up to three digits, or four hexadecimal digits after 0x, error codes"
      : "words that hark interprets, numbers of up to three digits"
  }

  private static func removed(
    _ table: PersonalTable, _ counts: [PersonalKind: Int]
  ) -> [Removed] {
    PersonalKind.allCases.compactMap { kind in
      let places = counts[kind] ?? 0
      guard places > 0 else { return nil }
      let values = table.values.indices.count {
        table.values.kind($0) == kind && table.changes($0)
      }
      return Removed(kind: kind.rawValue, values: values, places: places)
    }
  }

  private static func kept(
    _ level: RedactionLevel, _ gathering: PersonalDataCollector, _ rewriting: Rewriting
  ) -> [String] {
    var kept: [String] = []
    if level == .share {
      let isDropped = gathering.table.searchedCount > SecretSearch.mostValues
      kept += isDropped ? [] : gathering.kept.sentences
      if gathering.sealedMessages > 0 {
        kept.append(
          "\(Names.count(gathering.sealedMessages, "encrypted message")): nothing in the capture decrypts "
            + "\(gathering.sealedMessages == 1 ? "it" : "them")")
      }
      kept.append("manufacturers, models, versions, UUIDs, and measurements")
    }
    if gathering.table.values.contains(where: { $0.kind == .word }) {
      kept.append("in program texts: " + words(level))
    }
    kept.append("times, lengths, handles, codes, flags, intervals and other protocol numbers")
    return kept
  }

  /// For people.
  public func write(_ name: String, to out: inout TextBuffer) {
    let count =
      entries.map { Names.count($0, "entry", "entries") } ?? Names.count(packets, "packet")
    out.printable(name)
    out.string(": redacted (\(level.rawValue)), \(count)\n")
    if removed.isEmpty { out.string("  replaced nothing\n") }
    for (index, one) in removed.enumerated() {
      out.string(index == 0 ? "  replaced " : "           ")
      let values = one.values > 0 ? "\(Names.count(one.values, "value")) in " : ""
      out.string("\(one.words): \(values)\(Names.count(one.places, "place"))\n")
    }
    if !bytes.isEmpty {
      let total = bytes.reduce(0) { $0 + $1.count }
      out.string(
        "  bytes    \(total): "
          + bytes.map { "\($0.count) \($0.fate)" }.joined(separator: ", ") + "\n")
    }
    for (index, one) in kept.enumerated() {
      out.string(index == 0 ? "  kept     " : "           ")
      out.string("\(one)\n")
    }
    if isOfReport {
      out.string(
        "  omitted everything except the Bluetooth packets, which are written as a capture\n")
    }
    if isRewritten {
      out.string(
        "  omitted the damaged parts: the result is a new file with the packets that hark could read\n"
      )
    }
    if resizedRecords > 0 {
      out.string(
        "  lengths  \(Names.count(resizedRecords, "record")) of the UART "
          + "\(resizedRecords == 1 ? "has a different length" : "have different lengths"): other bytes need other escapes; "
          + "packets keep their lengths\n")
    }
    // Words occur anywhere: they are not searched for.
    let searched =
      searchedValues > 0
      ? "; \(Names.count(searchedValues, "removed value")) searched for, none left" : ""
    guard entries == nil else {
      let words = removed.contains { $0.kind == "word" } ? "; words are not searched for" : ""
      out.string("  proof    same entries, times and facts\(searched)\(words)\n")
      return
    }
    let changes = [("no longer found", lostFindings), ("new", newFindings)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    let same = findings == 0 ? "none, as before" : "the same \(findings)"
    out.string(
      "  findings " + (changes.isEmpty ? same : changes.joined(separator: "; "))
        + "\n  proof    each byte is accounted for\(searched)\n")
  }

  /// An object on a line. The form is described in docs/redact.md.
  public func writeJSON(_ name: String, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("name", name)
      json.string("level", level.rawValue)
      entries.map { json.number("entries", $0) } ?? json.number("packets", packets)
      json.objects("removed", removed) { one, json in
        json.string("kind", one.kind)
        json.number("values", one.values)
        json.number("places", one.places)
      }
      json.number("found_elsewhere", foundElsewhere)
      json.array("kept") { json in
        for one in kept { json.element(one) }
      }
      if !bytes.isEmpty {
        json.object("bytes") { json in
          for (fate, count) in bytes { json.number(fate, count) }
        }
        json.array("lost_findings") { json in
          for rule in lostFindings { json.element(rule) }
        }
        json.array("new_findings") { json in
          for rule in newFindings { json.element(rule) }
        }
      }
      if isOfReport { json.flag("of_bug_report", true) }
      if isRewritten { json.flag("rewritten", true) }
      if resizedRecords > 0 { json.number("resized_records", resizedRecords) }
      json.object("proof") { json in
        if let entries {
          json.number("entries", entries)
        } else {
          json.number("packets", packets)
          json.number("findings", findings)
        }
        json.number("searched_values", searchedValues)
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }
}
