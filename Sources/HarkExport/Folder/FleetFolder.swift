import HarkCapture
import HarkCore
import HarkPlatform
import HarkSystem

/// A folder of compressed JSON lines: a file for each table and capture, in folders for each day.
public final class FleetFolder: ExportDestination {
  private let root: String
  /// By the key of each capture: the folder of its day.
  private var days: [UInt64: String] = [:]
  private var key = ""
  private var day: String?
  private var files: [ExportTable: NewFile] = [:]
  /// Folders without files of an export that was killed.
  private var clean: Set<String> = []

  /// What engines call a partition whose value is null.
  private static let noDay = "__HIVE_DEFAULT_PARTITION__"
  private static let ending = ".jsonl.gz"
  private static let longestMeta = 1 << 20

  /// Makes the folder, if it is not there.
  public init(
    _ root: String, _ options: ExportOptions, version: String
  ) throws {
    self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
    try Self.makeFolder(self.root)
    try prepare(options, version)
    let folder = self.root + "/capture"
    for name in Directory.names(in: folder) ?? [] where name.hasPrefix("day=") {
      for file in Directory.names(in: folder + "/" + name) ?? [] where file.hasSuffix(Self.ending) {
        let key = file.dropLast(Self.ending.count)
        if CaptureKey.isKey(key), let number = CaptureKey.number(String(key)) {
          days[number] = name
        }
      }
    }
  }

  private static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    let reason = systemMessage(errno)
    throw FleetProblem("\(path): the folder cannot be created: \(reason)")
  }

  private func prepare(_ options: ExportOptions, _ version: String) throws {
    let path = root + "/meta.json"
    guard unsafe access(path, F_OK) == 0 else {
      let file = try NewFile(try FileTarget(path))
      try Self.write(Self.meta(options, version).bytes, to: file, path)
      return try file.publish()
    }
    let bytes = try WholeFile.read(path, most: Self.longestMeta)
    let root = Self.object(bytes)
    for (key, value) in options.meta(version: version) where key != "hark" {
      let found = root?[key]?.text(in: bytes)
      guard key != "schema_version" || found == value else {
        throw FleetProblem("\(path): another version of the tables; choose another folder")
      }
      guard found == value else { throw FleetDatabase.otherOptions(self.root, key, found) }
    }
    // An earlier version of hark had fewer columns.
    guard case .object? = root?["tables"]?.value, !Self.hasColumns(root?["tables"]) else { return }
    let file = try NewFile(try FileTarget(path))
    try Self.write(Self.meta(options, version).bytes, to: file, path)
    try file.publish()
  }

  private static func hasColumns(_ tables: JSONNode?) -> Bool {
    ExportTable.allCases.allSatisfy { table in
      columns(of: table).allSatisfy { tables?[table.name]?[$0.name] != nil }
    }
  }

  /// The day of a capture is the name of its folder.
  private static func columns(of table: ExportTable) -> [ExportTable.Column] {
    table.columns.filter { table != .capture || $0.name != "day" }
  }

  private static func object(_ bytes: [UInt8]) -> JSONNode? {
    let limits = JSONParser.Limits(levels: 8, values: 1 << 12, takesDuplicates: true)
    return try? JSONParser.read(bytes, in: 0..<bytes.count, limits)
  }

  /// What the tables are, for programs.
  private static func meta(_ options: ExportOptions, _ version: String) -> TextBuffer {
    var out = TextBuffer()
    out.text("{")
    for (key, value) in options.meta(version: version) {
      out.json(key)
      out.text(":")
      out.json(value)
      out.text(",\n")
    }
    out.text("\"tables\":{")
    for (index, table) in ExportTable.allCases.enumerated() {
      out.text(index == 0 ? "\n" : ",\n")
      out.json(table.name)
      out.text(":{")
      for (place, column) in columns(of: table).enumerated() {
        if place > 0 { out.text(",") }
        out.json(column.name)
        out.text(":")
        out.json(column.kind.rawValue)
      }
      out.text("}")
    }
    out.text("}}\n")
    return out
  }

  public func exported() -> [ExportedCapture] {
    days.sorted { $0.key < $1.key }.compactMap { number, day in
      let digits = String(number, radix: 16)
      let key = String(repeating: "0", count: 16 - digits.utf8.count) + digits
      guard let file = try? CaptureBytes(path: path(of: .capture, day, key)) else { return nil }
      let bytes = file.bytes
      guard let row = Self.object(bytes), let content = row["content"]?.text(in: bytes)
      else { return nil }
      return ExportedCapture(
        path: row["path"]?.text(in: bytes), name: row["name"]?.text(in: bytes) ?? "",
        content: content, keys: row["keys"]?.text(in: bytes))
    }
  }

  // MARK: Writing

  public func has(_ key: String, content: String) -> Bool {
    guard let number = CaptureKey.number(key), let day = days[number],
      let file = try? CaptureBytes(path: path(of: .capture, day, key))
    else { return false }
    let bytes = file.bytes
    return Self.object(bytes)?["content"]?.text(in: bytes) == content
  }

  public func begin(_ key: String) {
    self.key = key
    (day, files) = (nil, [:])
  }

  public func take(_ frame: ExportFrame) throws {
    guard case .lines(let table, let day, let packed) = frame else { return }
    let folder = "day=" + (day ?? Self.noDay)
    self.day = folder
    let file: NewFile
    if let known = files[table] {
      file = known
    } else {
      try Self.makeFolder(root + "/" + table.name)
      let place = root + "/" + table.name + "/" + folder
      try Self.makeFolder(place)
      if clean.insert(place).inserted { Self.removeLeftovers(in: place) }
      file = try NewFile(try FileTarget(path(of: table, folder, key)))
      file.lock()
      files[table] = file
    }
    try Self.write(packed, to: file, root)
  }

  /// Removes files that an export which was killed has left: they are not locked any more.
  private static func removeLeftovers(in folder: String) {
    for name in Directory.names(in: folder) ?? [] where NewFile.isTemporary(name) {
      let path = folder + "/" + name
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(path) }
      close(descriptor)
    }
  }

  private static func write(_ bytes: [UInt8], to file: NewFile, _ path: String) throws {
    let (_, failure) = unsafe bytes.withUnsafeBytes {
      unsafe Platform.writeAll($0, to: file.descriptor)
    }
    if let failure { throw FleetProblem("\(path): cannot write: \(systemMessage(failure))") }
  }

  /// Without the row of `capture`, which goes first and comes last, the others count for nothing.
  public func commit() throws {
    let day = self.day ?? "day=" + Self.noDay
    if let number = CaptureKey.number(key) {
      if let old = days[number] {
        for table in ExportTable.allCases
        where old != day || files[table] == nil || table == .capture {
          unsafe unlink(path(of: table, old, key))
        }
      }
      days[number] = day
    }
    for table in ExportTable.allCases.reversed() {
      try files[table]?.publish()
    }
    files = [:]
  }

  public func discard() { files = [:] }

  public func closeInCopy() {}

  private func path(of table: ExportTable, _ day: String, _ key: String) -> String {
    "\(root)/\(table.name)/\(day)/\(key)\(Self.ending)"
  }
}
