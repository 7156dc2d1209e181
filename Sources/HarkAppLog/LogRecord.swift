import HarkCore
import HarkSession

/// One entry of a log, whatever its format is.
struct LogRecord: Sendable {
  var time: Timestamp
  /// Whether the log says what its clock is ahead of UTC.
  var hasZone = true
  var process: String?
  /// Whether the process is an app of the user's, or an extension.
  var isApp = false
  /// Whether the format says where the process lies; else `isApp` says nothing.
  var hasPath = false
  /// Whether the process is an extension.
  var isExtension = false
  var pid: Int?
  /// The library that wrote it.
  var library: String?
  /// Whether that lies where apps of users do: a framework of the app, or the library that Xcode builds for debugging.
  var isOfAppsLibrary = false
  var subsystem: String?
  var category: String?
  var level = AppEvent.Level.default
  var message: String
  /// Of a journal, which says what happened.
  var event: AppEvent?

  init(time: Timestamp, message: String) { (self.time, self.message) = (time, message) }
}

/// What a line of a log is.
enum LogLine {
  case record(LogRecord)
  /// Goes on with the message of the line before.
  case continuation(String)
  /// Nothing that happened: a banner, a header, an empty line.
  case nothing
  /// It should be an entry, and is not.
  case damaged
}

/// How a log is written. There is a file for each in this folder, and a line in `LogFormats`.
protocol LogFormat: Sendable {
  /// What people call it.
  static var name: String { get }
  /// Whether a line can only be of this format; lines before it show nothing.
  static func recognises(_ line: [UInt8]) -> Bool
  /// - Parameter near: Where its times have no year: one that is near.
  init(near: Timestamp)
  mutating func read(_ line: [UInt8]) -> LogLine
  /// What is to be known of the whole log; nil if that is nothing.
  var remark: String? { get }
}

extension LogFormat {
  var remark: String? { nil }
}

/// The formats of logs.
enum LogFormats {
  /// The one list, the most special first.
  static let all: [any LogFormat.Type] = [
    Journal.self, UnifiedLog.self, SyslogJSON.self, LogText.self,
  ]

  /// Lines that are looked at to recognise a format.
  static let mostHead = 200
}
