import HarkCore
import HarkPlatform

/// A database that captures were exported to, for those who ask it something.
public final class FleetReader {
  private let connection: SQLiteConnection
  /// Its file name.
  public let name: String

  /// The first bytes of every database of SQLite.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether a file is a database, made by any program.
  public static func isDatabase(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: magic.count)
    return unsafe read(descriptor, &bytes, bytes.count) == bytes.count && bytes == magic
  }

  /// Whether what an export that was ended has written last is in a file beside the database.
  public static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path + "-wal", &status) == 0 && status.st_size > 0
  }

  public init(_ path: String) throws(FleetProblem) {
    name = path.fileName
    let hasLog = Self.hasLog(path)
    connection = try SQLiteConnection(path, hasLog ? .reading : .readingOnly)
    if hasLog { try connection.run("PRAGMA locking_mode = EXCLUSIVE") }
    try connection.run("PRAGMA temp_store = MEMORY")
    try FleetDatabase.expect(
      try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version"),
      path)
    try connection.run("PRAGMA query_only = ON")
  }

  /// The rows that a query gives, as texts; null is nil.
  public func rows(_ query: String) throws(FleetProblem) -> [[String?]] {
    let statement = try connection.prepare(query)
    var rows: [[String?]] = []
    while try statement.step() {
      rows.append((0..<statement.columns).map { statement.text($0) })
    }
    return rows
  }
}
