import HarkCore
import HarkPresentation
import HarkSession

/// The report over many captures for programs. The form is described in docs/reports-json.md.
public struct FleetJSON {
  public init() {}

  public func write(_ report: FleetReport, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("name", report.name)
      json.string("hark", report.version)
      json.string("summary", report.summary)
      for section in report.sections {
        json.objects(section.name, section.rows) { row, json in
          for (column, value) in zip(section.columns, row) {
            if let value, let number = Int64(value), Self.counts.contains(column.description) {
              json.number(column, number)
            } else {
              json.string(column, value)
            }
          }
        }
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  /// Columns that hold numbers; a firmware version that looks like one stays a text.
  private static let counts: Set<String> = [
    "captures", "of_captures", "devices", "firmware_versions", "occurrences", "with_errors",
    "with_warnings", "links",
  ]
}

/// The same as Markdown.
public struct FleetMarkdown {
  public init() {}

  public func write(_ report: FleetReport, to out: inout TextBuffer) {
    out.string("# \(MarkdownText.plain(report.name))\n\n\(MarkdownText.plain(report.summary))\n")
    for section in report.sections where !section.rows.isEmpty {
      out.string("\n## \(section.title)\n\n")
      out.string("| \(section.head.joined(separator: " | ")) |\n")
      out.string("|\(section.head.map { _ in "---|" }.joined())\n")
      for row in section.rows {
        let cells = row.map { MarkdownText.plain($0 ?? "") }
        out.string("| \(cells.joined(separator: " | ")) |\n")
      }
      if section.omitted > 0 {
        out.string("\n\(Names.count(section.omitted, "more row")) not shown.\n")
      }
    }
    out.string("\n---\nCreated by hark \(report.version).\n")
  }
}
