import HarkCore
import HarkSession

// The tree for people: columns as wide as the database needs.
extension GATTReport {
  func write(
    _ database: GATTDatabase, _ title: String, _ session: borrowing Session,
    lender: GATTLibrary.Lender?, to out: inout TextBuffer
  ) {
    style.write(.strong, to: &out) { $0.printable(title) }
    style.write(.faint, to: &out) { out in
      out.text("  ")
      out.string(Self.summary(database))
    }
    out.byte(0x0A)
    if let lender, database.showsBorrowed {
      style.write(.warning, to: &out) { out in
        out.printable(
          "  library: from \(lender.source), \(lender.match.words); not in this capture"
        )
      }
      out.byte(0x0A)
    }
    let rows = Self.rows(database, session)
    let names = rows.map { Columns.of($0.name) + 2 * $0.depth }.max() ?? 0
    let uuids = rows.map(\.uuid.utf8.count).max() ?? 0
    let kinds = rows.map(\.kind.utf8.count).max() ?? 0
    let proofs = rows.map(\.proof.utf8.count).max() ?? 0
    var widths = (names: names, uuids: uuids, kinds: kinds)
    if let width = style.width, 15 + names + uuids + kinds + proofs + 6 > width {
      // The front of a long UUID shows more than a name that is cut to nothing.
      widths.uuids = min(uuids, Self.frontOfUUID)
      let room = width - 15 - widths.uuids - kinds - proofs - 6
      widths.names = min(names, max(room, Self.narrowest))
    }
    for row in rows { write(row, widths, to: &out) }
  }

  /// Names are not cut to less.
  private static let narrowest = 16
  private static let frontOfUUID = 10

  private static func summary(_ database: GATTDatabase) -> String {
    if database.isEmpty {
      let areNamed = database.uses.keys.allSatisfy { database.knownType(of: $0) != nil }
      return "used, but its discovery is not in the capture"
        + (areNamed ? "" : ": names are unknown")
    }
    return [
      Names.count(database.services.count, "service"),
      Names.count(database.characteristics.count, "characteristic"),
      Names.count(database.descriptors.count, "descriptor"),
    ].joined(separator: ", ")
  }

  private func write(
    _ row: Row, _ widths: (names: Int, uuids: Int, kinds: Int), to out: inout TextBuffer
  ) {
    var line = TextBuffer()
    Columns.pad("", to: 2 + 2 * row.depth, into: &line)
    style.write(.faint, to: &line) { out in
      Columns.pad(row.handles, to: row.depth == 0 ? 13 : 6, into: &out)
    }
    // Names begin two columns further in with each level; the columns after them are in line.
    let column = 15 + 2 * row.depth
    Columns.pad("", to: column - (row.depth == 0 ? 13 : 6) - 2 * row.depth, into: &line)
    style.write(row.isUndiscovered ? .warning : row.depth == 0 ? .link : nil, to: &line) { out in
      let width = widths.names - 2 * row.depth
      Columns.pad(Columns.cut(Timeline.printable(row.name), to: width), to: width, into: &out)
    }
    line.text("  ")
    Columns.pad(Columns.cut(row.uuid, to: widths.uuids), to: widths.uuids, into: &line)
    line.text("  ")
    style.write(row.depth == 1 ? .data : .faint, to: &line) { out in
      Columns.pad(row.kind, to: widths.kinds, into: &out)
    }
    line.text("  ")
    style.write(.faint, to: &line) { $0.string(row.proof) }
    if row.certainty != .seen, row.depth > 0 || row.certainty == .library {
      if !row.proof.isEmpty { line.byte(0x20) }
      style.write(.warning, to: &line) { $0.string(row.certainty.rawValue) }
    }
    out.append(Self.withoutTrailingBlanks(line.bytes))
    out.byte(0x0A)
    if let use = row.use { write(use, row, indent: 2 + column, to: &out) }
  }

  private static func withoutTrailingBlanks(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var end = bytes.count
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    return bytes[..<end]
  }

  /// How the attribute was used: a line of its own below it, and one for each client with a value of its own.
  private func write(
    _ use: GATTDatabase.Use, _ row: Row, indent: Int, to out: inout TextBuffer
  ) {
    var text = Self.use(use)
    if row.clients.isEmpty {
      text += use.count > 1 ? ", last value " : ": "
      text +=
        use.isSecret
        ? "\(Names.count(use.lastCount, "secret byte"))"
        : AttributeValue(
          use.lastValue, count: use.lastCount, row.type, in: use.lastOpcode, missing: use.lastCut
        ).words.text
    }
    write(text, indent: indent + 2, to: &out)
    for client in row.clients { write(client.words, indent: indent + 4, to: &out) }
  }

  private func write(_ text: String, indent: Int, to out: inout TextBuffer) {
    Columns.pad("", to: indent, into: &out)
    let shown = Timeline.printable(text)
    let width = style.width.map { max(20, $0 - indent) }
    out.string(width.map { Columns.cut(shown, to: $0) } ?? shown)
    out.byte(0x0A)
  }
}
