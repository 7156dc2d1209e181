import HarkCore
import HarkProfile
import HarkSession

/// The unified log of Apple's systems as `log show` and `log stream` write it with `--style ndjson`.
struct UnifiedLog: LogFormat {
  static let name = "unified log, NDJSON"

  static func recognises(_ line: [UInt8]) -> Bool {
    guard line.first == UInt8(ascii: "{"), case .object(let entry)? = DataReading.json(line) else {
      return false
    }
    return entry["timestamp"] != nil
      && (entry["eventMessage"] != nil || entry["processImagePath"] != nil)
  }

  init(near: Timestamp) {}

  mutating func read(_ line: [UInt8]) -> LogLine {
    // `log` writes banners between: “Filtering the log data using …”, “Skipping info and debug …”.
    guard line.first == UInt8(ascii: "{") else { return .nothing }
    guard case .object(let entry)? = DataReading.json(line) else { return .damaged }
    // The last line is `{"count":12,"finished":1}`.
    if entry["finished"] != nil { return .nothing }
    guard let text = entry["timestamp"]?.text, let time = LogTime(text.utf8) else {
      return .damaged
    }
    // Activities, signposts and losses say nothing of the app.
    if let type = entry["eventType"]?.text, type != "logEvent" { return .nothing }
    var record = LogRecord(time: time.time, message: entry["eventMessage"]?.text ?? "")
    record.hasZone = time.hasZone
    let image = entry["processImagePath"]?.text
    if let image { record.lies(at: image) }
    record.pid = entry["processID"]?.int
    record.isSent(by: entry["senderImagePath"]?.text)
    record.subsystem = entry["subsystem"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    record.category = entry["category"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    record.level = LogPaths.level(entry["messageType"]?.text)
    return .record(record)
  }
}

/// What logs have in common.
enum LogPaths {
  static func name(_ path: String) -> String {
    path.fileName
  }

  /// What stands after the last dot of a name.
  static func ending(_ path: String) -> String {
    let parts = name(path).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.last.map(String.init) ?? "" : ""
  }

  /// Where the apps of users lie.
  static func isApp(_ path: String) -> Bool {
    path.utf8Contains("/Bundle/Application/") || path.utf8Contains(".appex/")
      || path.utf8Contains("/Applications/")
  }

  /// Where extensions lie, those of the system aside.
  static func isExtension(_ path: String) -> Bool {
    path.utf8Contains(".appex/") && !path.hasPrefix("/System/")
  }

  static func level(_ name: String?) -> AppEvent.Level {
    switch name?.lowercased() {
    case "debug": .debug
    case "info": .info
    case "error": .error
    case "fault", "critical": .fault
    default: .default
    }
  }
}

extension LogRecord {
  /// Takes what the path of the process says about it.
  mutating func lies(at path: String) {
    process = LogPaths.name(path)
    hasPath = true
    (isApp, isExtension) = (LogPaths.isApp(path), LogPaths.isExtension(path))
  }

  /// Takes the path of the library that wrote it; empty or nil if it is unknown.
  mutating func isSent(by path: String?) {
    guard let path, !path.isEmpty else { return }
    library = LogPaths.name(path)
    isOfAppsLibrary = LogPaths.isApp(path) && !path.hasPrefix("/System/")
  }
}

extension StringProtocol {
  /// Whether the letters of `part` are in it; without Foundation, and without looking at characters.
  func utf8Contains(_ part: String) -> Bool { utf8Range(of: part) != nil }

  /// Where `part` is first.
  func utf8Range(of part: String) -> Range<Index>? {
    utf8.range(of: Array(part.utf8))
  }
}

extension Collection<UInt8> {
  /// Where `part` is first; nil also of an empty one.
  func range(of part: [UInt8]) -> Range<Index>? {
    guard let first = part.first else { return nil }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: part) { return found..<index(found, offsetBy: part.count) }
      start = index(after: found)
    }
    return nil
  }
}
