import HarkExport
import HarkPresentation
import HarkSession

/// What a database of many captures says about all of them.
public struct FleetReport: Sendable {
  /// A table of the report.
  struct Section: Sendable {
    let title: String
    /// What JSON calls it, and its columns.
    let name: StaticString
    let columns: [StaticString]
    let head: [String]
    let rows: [[String?]]
    /// How many there are besides.
    let omitted: Int
  }

  let name: String
  let version: String
  let summary: String
  let sections: [Section]
  /// Captures by day, and how many of them have an error.
  let days: [(day: String, captures: Int, errors: Int)]

  /// Rows of a table that are shown.
  private static let most = 500

  /// - Throws: Where the database cannot be read.
  public init(_ reader: FleetReader, version: String) throws(FleetProblem) {
    (name, self.version) = (reader.name, version)
    summary = try Self.summary(reader)
    sections = try Self.queries.map { query throws(FleetProblem) in
      let rows = try reader.rows(query.sql)
      return Section(
        title: query.title, name: query.name, columns: query.columns, head: query.head,
        rows: Array(rows.prefix(Self.most)), omitted: max(0, rows.count - Self.most))
    }
    days = try reader.rows(Self.byDay + " DESC LIMIT 120").reversed().map { row in
      (row[0] ?? "", Self.number(row[1]), Self.number(row[2]))
    }
  }

  private static func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }

  private static func summary(_ reader: FleetReader) throws(FleetProblem) -> String {
    let statuses = try reader.rows(
      "SELECT status, count(*) FROM capture GROUP BY status ORDER BY count(*) DESC, status")
    let totals =
      try reader.rows(
        """
        SELECT (SELECT count(*) FROM capture), (SELECT total(packets) FROM capture),
          (SELECT count(DISTINCT address) FROM connected_device),
          (SELECT count(DISTINCT firmware) FROM connected_device),
          (SELECT min(day) FROM capture), (SELECT max(day) FROM capture),
          (SELECT count(DISTINCT capture) FROM finding WHERE severity = 'error')
        """
      ).first ?? []
    guard totals.count == 7 else { return "" }
    let states = statuses.map { "\(number($0[1])) \($0[0] ?? "unknown")" }
    var text = Names.count(number(totals[0]), "capture")
    if !states.isEmpty { text += " (\(states.joined(separator: ", ")))" }
    let packets = Int(clamping: Int64(exactly: (Double(totals[1] ?? "") ?? 0).rounded()) ?? 0)
    text += " with \(Names.count(packets, "packet"))"
    text += " of \(Names.count(number(totals[2]), "device"))"
    text += " and \(Names.count(number(totals[3]), "firmware version"))"
    if let first = totals[4], let last = totals[5] {
      text += first == last ? ", on \(first)" : ", from \(first) to \(last)"
    }
    return text + "; \(Names.count(number(totals[6]), "capture")) with a finding of severity error"
  }

  private static let byDay = """
    SELECT c.day, count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM finding f
        WHERE f.capture = c.capture AND f.severity = 'error')),
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM finding f
        WHERE f.capture = c.capture AND f.severity = 'warning'))
    FROM capture c WHERE c.day IS NOT NULL GROUP BY c.day ORDER BY c.day
    """

  private static let rank = "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END"

  private typealias Query = (
    title: String, name: StaticString, columns: [StaticString], head: [String], sql: String
  )

  private static let queries: [Query] = [
    (
      "Findings", "findings",
      [
        "rule", "title", "severity", "captures", "devices", "firmware_versions", "occurrences",
        "first_day", "last_day",
      ],
      [
        "Rule", "Finding", "Severity", "Captures", "Devices", "Firmware versions", "Occurrences",
        "First day", "Last day",
      ],
      """
      SELECT rule, title, severity, captures, devices, firmware_versions, occurrences, first_day, last_day
      FROM finding_rule ORDER BY \(rank), captures DESC, rule
      """
    ),
    (
      "By firmware", "findings_by_firmware",
      ["rule", "model", "firmware", "captures", "of_captures"],
      ["Rule", "Model", "Firmware", "Captures", "Of"],
      """
      SELECT rule, model, firmware, captures, of_captures FROM finding_firmware
      WHERE firmware IS NOT NULL ORDER BY rule, captures * 1.0 / of_captures DESC, model, firmware
      """
    ),
    (
      "By phone", "findings_by_phone", ["rule", "phone", "captures", "of_captures"],
      ["Rule", "Phone", "Captures", "Of"],
      """
      SELECT rule, phone, captures, of_captures FROM finding_phone
      WHERE phone IS NOT NULL ORDER BY rule, captures * 1.0 / of_captures DESC, phone
      """
    ),
    (
      "Over time", "days", ["day", "captures", "with_errors", "with_warnings"],
      ["Day", "Captures", "With errors", "With warnings"], byDay
    ),
    (
      "Why links ended", "link_ends",
      ["transport", "reason_name", "firmware", "links", "captures"],
      ["Transport", "Reason", "Firmware", "Links", "Captures"],
      """
      SELECT transport, coalesce(reason_name, reason), firmware, links, captures FROM link_end
      ORDER BY links DESC, transport, 2, firmware
      """
    ),
    (
      "Incomplete captures", "problems", ["name", "status", "error"],
      ["Capture", "Status", "Problem"],
      "SELECT name, status, error FROM capture_problem ORDER BY status, name, capture"
    ),
  ]
}
