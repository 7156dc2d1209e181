import CSQLite

/// Why a database cannot be read or written, in one sentence.
public struct FleetProblem: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// An open database. It is not used by several threads.
@safe final class SQLiteConnection {
  enum Access {
    case reading
    /// As a file that does not change: SQLite writes nothing beside it.
    case readingOnly
    case writing

    fileprivate var flags: Int32 {
      switch self {
      case .reading: SQLITE_OPEN_READWRITE
      case .readingOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  let path: String
  // Only this class uses it, until it is gone.
  private var database: OpaquePointer?

  init(_ path: String, _ access: Access) throws(FleetProblem) {
    self.path = path
    // A path is never taken for one of SQLite's special names.
    let name = path.hasPrefix("/") ? path : "./" + path
    let isURI = if case .readingOnly = access { true } else { false }
    let code = unsafe sqlite3_open_v2(
      isURI ? Self.uri(name) : name, &database, access.flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw problem() }
    // Of a database of others: nothing in it may change the process.
    try run("PRAGMA trusted_schema = OFF")
    try run("PRAGMA cell_size_check = ON")
  }

  deinit { _ = unsafe sqlite3_close_v2(database) }

  private static func uri(_ path: String) -> String {
    var text = "file:"
    for byte in path.utf8 {
      let isPlain =
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
        default: false
        }
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + String(UInt16(byte) | 0x100, radix: 16).dropFirst()
      }
    }
    return text + "?immutable=1"
  }

  /// What is wrong, after a call that failed.
  func problem() -> FleetProblem {
    let code = unsafe sqlite3_extended_errcode(database)
    let text = unsafe database == nil ? "out of memory" : String(cString: sqlite3_errmsg(database))
    switch code & 0xFF {
    case SQLITE_FULL: return FleetProblem("\(path): cannot write: the disk is full")
    case SQLITE_NOTADB: return FleetProblem("\(path): not a database of hark export")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return FleetProblem("\(path): another program is using this database")
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM:
      return FleetProblem("\(path): cannot be read or written: \(text)")
    default: return FleetProblem("\(path): \(text)")
    }
  }

  func run(_ statements: String) throws(FleetProblem) {
    guard unsafe sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK else {
      throw problem()
    }
  }

  func prepare(_ statement: String) throws(FleetProblem) -> SQLiteStatement {
    var prepared: OpaquePointer?
    guard
      unsafe sqlite3_prepare_v3(
        database, statement, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK
    else { throw problem() }
    return unsafe SQLiteStatement(prepared, of: self)
  }

  /// The number that a query gives; 0 for none.
  func number(_ query: String) throws(FleetProblem) -> Int64 {
    let statement = try prepare(query)
    return try statement.step() ? statement.integer(0) ?? 0 : 0
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }
}

/// A statement, run any number of times.
@safe final class SQLiteStatement {
  private let statement: OpaquePointer?
  private let connection: SQLiteConnection

  fileprivate init(_ statement: OpaquePointer?, of connection: SQLiteConnection) {
    unsafe self.statement = unsafe statement
    self.connection = connection
  }

  deinit { _ = unsafe sqlite3_finalize(statement) }

  // MARK: Values, from 1

  func bind(_ index: Int32, _ value: Int64?) {
    if let value {
      _ = unsafe sqlite3_bind_int64(statement, index, value)
    } else {
      _ = unsafe sqlite3_bind_null(statement, index)
    }
  }

  func bind(_ index: Int32, _ value: String) {
    // SQLITE_TRANSIENT: SQLite copies it.
    let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    _ = unsafe sqlite3_bind_text(statement, index, value, -1, copying)
  }

  /// - Parameter text: Stays where it is until `reset`.
  func bind(_ index: Int32, at text: UnsafePointer<CChar>?, count: Int) {
    _ = unsafe sqlite3_bind_text64(
      statement, index, text, UInt64(count), nil, UInt8(SQLITE_UTF8))
  }

  /// Runs it to the next row.
  /// - Returns: Whether there is one.
  func step() throws(FleetProblem) -> Bool {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let problem = connection.problem()
      reset()
      throw problem
    }
  }

  /// Makes it ready to be run again.
  func reset() { _ = unsafe sqlite3_reset(statement) }

  // MARK: Columns, from 0

  var columns: Int { Int(unsafe sqlite3_column_count(statement)) }

  func name(_ column: Int) -> String {
    unsafe sqlite3_column_name(statement, Int32(column)).map { unsafe String(cString: $0) } ?? ""
  }

  func integer(_ column: Int) -> Int64? {
    unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
      ? nil : sqlite3_column_int64(statement, Int32(column))
  }

  /// Whatever a hostile database has there, as text.
  func text(_ column: Int) -> String? {
    guard let start = unsafe sqlite3_column_text(statement, Int32(column)) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
