/// The database that captures are exported to: what it is made with. docs/fleet.md describes it.
enum FleetSchema {
  /// Changes where a column or table is removed, or means something else.
  static let version = 1
  /// What SQLite's header says about whose file it is: `hark`.
  static let application = 0x6861_726B

  static var statements: [String] {
    ["CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"]
      + ExportTable.allCases.map(table) + indexes + views
      + ["PRAGMA user_version = \(version)", "PRAGMA application_id = \(application)"]
  }

  static func addition(of column: ExportTable.Column, to table: ExportTable) -> String {
    "ALTER TABLE \(table.name) ADD COLUMN \(definition(column))"
  }

  /// Replaces the views; those of the user stay.
  static var renewedViews: [String] {
    views.flatMap { view -> [String] in
      // CREATE VIEW name AS
      let words = view.split(separator: " ", maxSplits: 3)
      return ["DROP VIEW IF EXISTS \(words[2])", view]
    }
  }

  private static func definition(_ column: ExportTable.Column) -> String {
    "\(column.name) \(column.kind.rawValue.uppercased())"
  }

  private static func table(_ table: ExportTable) -> String {
    let columns = table.columns.map(definition)
    let key = table == .capture ? "capture" : "capture, \(table.columns[1].name)"
    return
      "CREATE TABLE \(table.name) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(key)))"
  }

  /// A statement that adds `rows` rows. Of several, SQLite would keep a copy of all pages that it changes, to undo it
  /// alone: it need not, as what fails ends the transaction of the whole capture.
  static func insertion(_ table: ExportTable, rows: Int) -> String {
    let row = "(" + table.columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let all = Array(repeating: row, count: rows).joined(separator: ", ")
    return "INSERT OR FAIL INTO \(table.name) VALUES \(all)"
  }

  private static let indexes = [
    "CREATE INDEX capture_day ON capture (day)",
    "CREATE INDEX device_address ON device (address)",
    "CREATE INDEX event_kind ON event (kind)",
    "CREATE INDEX finding_rule_index ON finding (rule)",
    "CREATE INDEX attribute_uuid ON attribute (uuid)",
  ]

  private static let views = [
    // The captures that say least: what could not be read, and what is cut or damaged.
    """
    CREATE VIEW capture_problem AS
    SELECT capture, path, name, status, error FROM capture WHERE status <> 'complete'
    """,
    // Devices that had a link, once for each identity; those whose address no packet shows, once for each link.
    """
    CREATE VIEW connected_device AS
    SELECT capture, device, address, name, label, manufacturer, model, hardware, firmware, software
    FROM device WHERE connected = 1 AND identity = device
    UNION ALL
    SELECT capture, NULL, NULL, label, label, manufacturer, model, hardware, firmware, software
    FROM link WHERE device IS NULL AND coalesce(label, model, firmware) IS NOT NULL
    """,
    // Findings with whose they are and where: what the other views count.
    """
    CREATE VIEW finding_place AS
    SELECT f.capture, f.finding, f.rule, f.title, f.severity, f.occurrences, d.address,
      coalesce(d.label, l.label) AS label, coalesce(d.model, l.model) AS model,
      coalesce(d.firmware, l.firmware) AS firmware, c.name, c.phone, c.day, f.link
    FROM finding f JOIN capture c USING (capture)
      LEFT JOIN device d ON d.capture = f.capture AND d.device = f.device
      LEFT JOIN link l ON l.capture = f.capture AND l.link = f.link
    """,
    // A device is counted by its address; one that is known by its link alone, by that.
    """
    CREATE VIEW finding_rule AS
    SELECT rule, min(title) AS title,
      CASE max(CASE severity WHEN 'error' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END)
        WHEN 2 THEN 'error' WHEN 1 THEN 'warning' ELSE 'info' END AS severity,
      count(DISTINCT capture) AS captures,
      count(DISTINCT coalesce(address, capture || ' ' || link)) AS devices,
      count(DISTINCT firmware) AS firmware_versions, sum(occurrences) AS occurrences,
      min(day) AS first_day, max(day) AS last_day
    FROM finding_place GROUP BY rule
    """,
    // How many of the captures with a firmware show a finding.
    """
    CREATE VIEW finding_firmware AS
    SELECT p.rule, p.model, p.firmware, count(DISTINCT p.capture) AS captures, a.captures AS of_captures
    FROM finding_place p
    JOIN (SELECT model, firmware, count(DISTINCT capture) AS captures FROM connected_device
      GROUP BY model, firmware) a ON a.model IS p.model AND a.firmware IS p.firmware
    GROUP BY p.rule, p.model, p.firmware, a.captures
    """,
    """
    CREATE VIEW finding_phone AS
    SELECT p.rule, p.phone, count(DISTINCT p.capture) AS captures, a.captures AS of_captures
    FROM finding_place p
    JOIN (SELECT phone, count(*) AS captures FROM capture GROUP BY phone) a ON a.phone IS p.phone
    GROUP BY p.rule, p.phone, a.captures
    """,
    """
    CREATE VIEW finding_day AS
    SELECT p.rule, p.day, count(DISTINCT p.capture) AS captures, a.captures AS of_captures
    FROM finding_place p
    JOIN (SELECT day, count(*) AS captures FROM capture GROUP BY day) a ON a.day IS p.day
    GROUP BY p.rule, p.day, a.captures
    """,
    """
    CREATE VIEW link_end AS
    SELECT l.transport, l.reason, l.reason_name, coalesce(d.model, l.model) AS model,
      coalesce(d.firmware, l.firmware) AS firmware, count(*) AS links,
      count(DISTINCT l.capture) AS captures
    FROM link l LEFT JOIN device d ON d.capture = l.capture AND d.device = l.device
    WHERE l.reason IS NOT NULL
    GROUP BY l.transport, l.reason, l.reason_name, coalesce(d.model, l.model),
      coalesce(d.firmware, l.firmware)
    """,
    // Events as people read them.
    """
    CREATE VIEW timeline AS
    SELECT c.name, e.capture, e.event,
      strftime('%Y-%m-%dT%H:%M:%S', e.time / 1000000000, 'unixepoch') AS moment,
      e.since_start / 1e9 AS seconds, coalesce(d.label, l.label) AS device, e.lane, e.severity,
      e.kind, e.text, e.last_packet
    FROM event e JOIN capture c USING (capture)
      LEFT JOIN device d ON d.capture = e.capture AND d.device = e.device
      LEFT JOIN link l ON l.capture = e.capture AND l.link = e.link
    """,
  ]
}
