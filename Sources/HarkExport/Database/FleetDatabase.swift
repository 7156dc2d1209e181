import HarkPlatform
import HarkSystem

/// The database that captures are exported to, with one transaction for each.
///
/// The process that writes is alone with it as long as it is open: the index of the log is in its memory, and copies
/// of the process share nothing that could spoil it.
public final class FleetDatabase: ExportDestination {
  private let connection: SQLiteConnection
  private var insertions: [SQLiteStatement] = []
  /// Of `batch` rows, which takes a fourth less than so many statements of one.
  private var batchInsertions: [SQLiteStatement] = []
  private var deletions: [SQLiteStatement] = []
  /// By the key of each capture that was read: the beginning of the hash of its contents.
  private var known: [UInt64: UInt64] = [:]
  private let files: [String]
  private let reserve: DiskReserve?

  /// Of the files that SQLite writes beside a database.
  private static let endings = ["-wal", "-journal", "-shm"]

  /// Rows of a statement.
  private static let batch = 32

  /// Opens a database, or makes one for its owner alone.
  public init(
    _ path: String, _ options: ExportOptions, version: String
  ) throws(FleetProblem) {
    let mask = umask(0o077)
    defer { umask(mask) }
    files = [path, path + "-wal"]
    do {
      try UpdatedFile.prepare(path)
      // SQLite would write to a log that another user made beforehand, and take what is in it for its own.
      for ending in Self.endings { try UpdatedFile.expectOwn(path + ending) }
    } catch {
      throw FleetProblem("\(error)")
    }
    connection = try SQLiteConnection(path, .writing)
    reserve = DiskReserve(in: FileTarget.folder(of: path))
    // Nothing is looked at before this: the first to open it is alone with it.
    try connection.run("PRAGMA locking_mode = EXCLUSIVE")
    // The next statement would change a database of another program.
    try connection.run("BEGIN IMMEDIATE")
    _ = try isNew()
    try connection.run("COMMIT")
    try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    // What one capture adds to is a few pages of each index. A larger cache would cost more than it saves: its pages
    // are copied for each process that reads a capture.
    try connection.run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192")
    try prepare(options, version)
    // Now the log is open. Nothing of a capture is in it yet.
    do {
      try UpdatedFile.expectOwn(path + "-wal")
    } catch {
      throw FleetProblem("\(error)")
    }
    insertions = try ExportTable.allCases.map { table throws(FleetProblem) in
      try connection.prepare(FleetSchema.insertion(table, rows: 1))
    }
    batchInsertions = try ExportTable.allCases.map { table throws(FleetProblem) in
      try connection.prepare(FleetSchema.insertion(table, rows: Self.batch))
    }
    deletions = try ExportTable.allCases.map { table throws(FleetProblem) in
      try connection.prepare("DELETE FROM \(table.name) WHERE capture = ?")
    }
    try readKnown()
  }

  /// The files that are written.
  public var writtenFiles: [String] { files }

  private func prepare(_ options: ExportOptions, _ version: String) throws(FleetProblem) {
    try connection.run("BEGIN IMMEDIATE")
    defer { if connection.isInTransaction { try? connection.run("ROLLBACK") } }
    if try isNew() {
      for statement in FleetSchema.statements { try connection.run(statement) }
      let insertion = try connection.prepare("INSERT INTO meta VALUES (?, ?)")
      for (key, value) in options.meta(version: version) {
        insertion.bind(1, key)
        insertion.bind(2, value)
        _ = try insertion.step()
        insertion.reset()
      }
    } else {
      try expectSame(options, version)
      try addColumns()
    }
    try connection.run("COMMIT")
  }

  /// Adds the columns that an earlier version of hark did not have yet: they are the last ones of their table.
  private func addColumns() throws(FleetProblem) {
    var isOld = false
    for table in ExportTable.allCases {
      let query = try connection.prepare("SELECT name FROM pragma_table_info('\(table.name)')")
      var known: Set<String> = []
      while try query.step() { known.insert(query.text(0) ?? "") }
      query.reset()
      for column in table.columns where !known.contains(column.name) {
        isOld = true
        try connection.run(FleetSchema.addition(of: column, to: table))
      }
    }
    guard isOld else { return }
    for statement in FleetSchema.renewedViews { try connection.run(statement) }
  }

  /// Whether nothing is in the database yet.
  /// - Throws: If it is not one that this version of hark writes.
  private func isNew() throws(FleetProblem) -> Bool {
    let user = try connection.number("PRAGMA user_version")
    let application = try connection.number("PRAGMA application_id")
    if application == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 {
      return true
    }
    try Self.expect(application, user, connection.path)
    return false
  }

  static func expect(
    _ application: Int64, _ user: Int64, _ path: String
  ) throws(FleetProblem) {
    guard application == FleetSchema.application else {
      throw FleetProblem("\(path): not a database of hark export")
    }
    guard user == FleetSchema.version else {
      throw FleetProblem(
        "\(path): version \(user) of the tables, and this version of hark reads version "
          + "\(FleetSchema.version); export to a new file")
    }
  }

  /// Rows of different options in one table would mislead.
  private func expectSame(
    _ options: ExportOptions, _ version: String
  ) throws(FleetProblem) {
    for (key, value) in options.meta(version: version) where key != "hark" {
      let query = try connection.prepare("SELECT value FROM meta WHERE key = ?")
      query.bind(1, key)
      let found = try query.step() ? query.text(0) : nil
      guard found == value else { throw Self.otherOptions(connection.path, key, found) }
    }
  }

  static func otherOptions(_ path: String, _ key: String, _ found: String?) -> FleetProblem {
    let option =
      switch key {
      case "redaction": found == "none" ? "without --redact" : "with --redact \(found ?? "?")"
      case "with_text": found == "1" ? "with --with-text" : "without --with-text"
      default: found == "1" ? "with --packets" : "without --packets"
      }
    return FleetProblem(
      "\(path): exported \(option); use the same options, or another output")
  }

  private func readKnown() throws(FleetProblem) {
    let query = try connection.prepare(
      "SELECT capture, content FROM capture WHERE content IS NOT NULL")
    while try query.step() {
      guard let key = query.text(0).flatMap(CaptureKey.number),
        let content = query.text(1).flatMap(CaptureKey.number)
      else { continue }
      known[key] = content
    }
  }

  public func exported() throws -> [ExportedCapture] {
    let query = try connection.prepare(
      "SELECT path, name, content, keys FROM capture WHERE content IS NOT NULL ORDER BY capture")
    var captures: [ExportedCapture] = []
    while try query.step() {
      guard let content = query.text(2) else { continue }
      captures.append(
        ExportedCapture(
          path: query.text(0), name: query.text(1) ?? "", content: content, keys: query.text(3)))
    }
    return captures
  }

  // MARK: Writing

  public func has(_ key: String, content: String) -> Bool {
    guard let key = CaptureKey.number(key) else { return false }
    return known[key] != nil && known[key] == CaptureKey.number(content)
  }

  public func begin(_ key: String) throws(FleetProblem) {
    try connection.run("BEGIN IMMEDIATE")
    for deletion in deletions {
      deletion.bind(1, key)
      _ = try deletion.step()
      deletion.reset()
    }
  }

  public func take(_ frame: ExportFrame) throws {
    guard case .rows(let rows) = frame else { return }
    var values = [[RowBytes.Value]](repeating: [], count: ExportTable.allCases.count)
    try RowBytes.forEach(rows) { table, row in values[Int(table.rawValue)] += row }
    for table in ExportTable.allCases where !values[Int(table.rawValue)].isEmpty {
      try insert(values[Int(table.rawValue)], rows, into: table)
    }
  }

  /// - Parameters:
  ///   - values: Of rows, one row after the other.
  ///   - bytes: Has the texts of them.
  private func insert(
    _ values: [RowBytes.Value], _ bytes: [UInt8], into table: ExportTable
  ) throws {
    let columns = table.columns.count
    try unsafe bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      while place < values.count {
        let isBatch = values.count - place >= Self.batch * columns
        let insertion = (isBatch ? batchInsertions : insertions)[Int(table.rawValue)]
        let count = isBatch ? Self.batch * columns : columns
        for index in 0..<count {
          unsafe Self.bind(values[place + index], bytes, at: Int32(index + 1), of: insertion)
        }
        _ = try insertion.step()
        insertion.reset()
        place += count
      }
    }
  }

  private static func bind(
    _ value: RowBytes.Value, _ bytes: UnsafeBufferPointer<UInt8>, at index: Int32,
    of insertion: SQLiteStatement
  ) {
    switch value {
    case .null: insertion.bind(index, nil)
    case .integer(let number): insertion.bind(index, number)
    case .text(let range):
      let start = unsafe UnsafeRawPointer(bytes.baseAddress).map {
        unsafe ($0 + range.lowerBound).assumingMemoryBound(to: CChar.self)
      }
      unsafe insertion.bind(index, at: start, count: range.count)
    }
  }

  public func commit() throws(FleetProblem) { try connection.run("COMMIT") }

  public func discard() {
    // A full disk has ended the transaction already.
    if connection.isInTransaction { try? connection.run("ROLLBACK") }
  }

  /// In a copy of this process: gives up the files, which the copy is not to write.
  public func closeInCopy() {
    for file in files {
      var wanted = stat()
      guard unsafe stat(file, &wanted) == 0 else { continue }
      for descriptor in 3..<Int32(256) {
        var found = stat()
        if unsafe fstat(descriptor, &found) == 0, found.st_ino == wanted.st_ino,
          found.st_dev == wanted.st_dev
        {
          close(descriptor)
        }
      }
    }
  }
}
