import HarkCore
import HarkReport
import HarkSession

/// What was removed from a capture, and what was kept. It says how much, never what.
public struct RedactionList: Sendable {
  public struct Removed: Sendable {
    public let kind: String
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
  /// How many values were looked for in the end, in every encoding.
  public internal(set) var searchedValues = 0

  init(
    level: RedactionLevel, _ gathering: PersonalGathering, _ rewriting: Rewriting, packets: Int
  ) {
    let table = gathering.table
    self.level = level
    self.packets = packets
    entries = nil
    removed = Self.removed(table, rewriting.counts)
    foundElsewhere = rewriting.foundElsewhere
    kept = Self.kept(level, gathering)
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
      "times, levels, names of programs, their subsystems and bundles, what a journal tells in numbers",
    ]
  }

  private static func words(_ level: RedactionLevel) -> String {
    level == .share
      ? "words that programs use of links, sessions and errors, and those of the log's own formats, "
        + "numbers of up to three digits, or of four hexadecimal ones behind 0x, codes of errors"
      : "words that tell what a line says, numbers of up to three digits"
  }

  private static func removed(
    _ table: PersonalTable, _ counts: [PersonalKind: Int]
  ) -> [Removed] {
    PersonalKind.allCases.compactMap { kind in
      let places = counts[kind] ?? 0
      guard places > 0 else { return nil }
      let values = table.values.indices.count {
        table.values[$0].kind == kind && table.changes($0)
      }
      return Removed(kind: kind.rawValue, values: values, places: places)
    }
  }

  private static func kept(_ level: RedactionLevel, _ gathering: PersonalGathering) -> [String] {
    var kept: [String] = []
    if gathering.sealedMessages > 0 {
      kept.append(
        "\(Names.count(gathering.sealedMessages, "sealed message")): nothing in the capture opens "
          + "\(gathering.sealedMessages == 1 ? "it" : "them")")
    }
    if gathering.opaqueBytes > 0 {
      kept.append("\(Names.count(gathering.opaqueBytes, "byte")) that no protocol explains")
    }
    let needed = gathering.neededBytes
    if needed > 0 {
      kept.append(
        "\(Names.count(needed, "byte")) that no protocol explains, but something else depends on")
    }
    let unchanged = gathering.table.values.indices.count { !gathering.table.changes($0) }
    if unchanged > 0 { kept.append("\(Names.count(unchanged, "text")) without letters and digits") }
    let unsearched = gathering.table.values.indices.count { index in
      gathering.table.values[index].kind.isSearched && gathering.table.changes(index)
        && !gathering.table.isSearched(index)
    }
    if unsearched > 0 {
      kept.append(
        "\(Names.count(unsearched, "value")) too short or too plain to look for outside of fields")
    }
    if gathering.unplaced > 0 {
      kept.append(
        "\(gathering.unplaced) PDUs whose bytes are in no packet as they are, but for what was found"
      )
    }
    let kinds = Set(gathering.table.values.map(\.kind))
    if kinds.contains(.word) { kept.append("in texts of programs: " + words(level)) }
    if kinds.contains(.traffic) {
      kept.append("ports, lengths and flags of what was sent over a network")
    }
    if level == .share {
      kept.append("the makers in public addresses, models, versions, UUIDs, data of companies")
    }
    kept.append(
      "times, lengths, handles, and what pairing computes of addresses: nobody can compute it anew")
    return kept
  }

  /// For people.
  public func write(_ name: String, to out: inout TextBuffer) {
    let count =
      entries.map { Names.count($0, "entry", "entries") } ?? Names.count(packets, "packet")
    out.string("\(name): redacted (\(level.rawValue)), \(count)\n")
    if removed.isEmpty { out.string("  removed  nothing was there\n") }
    for (index, one) in removed.enumerated() {
      out.string(index == 0 ? "  removed  " : "           ")
      out.string(
        "\(one.kind): \(Names.count(one.values, "value")) in "
          + "\(Names.count(one.places, "place"))\n")
    }
    for (index, one) in kept.enumerated() {
      out.string(index == 0 ? "  kept     " : "           ")
      out.string("\(one)\n")
    }
    if isOfReport { out.string("  left out all of the bug report but its Bluetooth log\n") }
    if resizedRecords > 0 {
      out.string(
        "  lengths  \(Names.count(resizedRecords, "record")) of the UART "
          + "\(resizedRecords == 1 ? "has another" : "have others"): other bytes need other escapes; "
          + "packets keep theirs\n")
    }
    out.string(
      (entries == nil
        ? "  proof    same packets, fields, times, events and findings (\(findings)); "
        : "  proof    same entries, times and facts; ")
        + "\(Names.count(searchedValues, "removed value")) looked for in every encoding, none found\n"
    )
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
      if isOfReport { json.flag("of_bug_report", true) }
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
