import HarkCore
import HarkProfile
import HarkSession

/// The log of an iPhone as `pymobiledevice3 syslog live --format json` writes it.
struct SyslogJSON: LogFormat {
  static let name = "pymobiledevice3 syslog, JSON"

  static func recognises(_ line: [UInt8]) -> Bool {
    guard line.first == UInt8(ascii: "{"), case .object(let entry)? = DataReading.json(line) else {
      return false
    }
    return entry["timestamp"] != nil && entry["image_name"] != nil && entry["message"] != nil
  }

  init(near: Timestamp) {}

  mutating func read(_ line: [UInt8]) -> LogLine {
    guard line.first == UInt8(ascii: "{") else { return .nothing }
    guard case .object(let entry)? = DataReading.json(line),
      let text = entry["timestamp"]?.text, let time = LogTime(text.utf8),
      let message = entry["message"]?.text
    else { return .damaged }
    var record = LogRecord(time: time.time, message: message)
    record.hasZone = time.hasZone
    if let path = entry["filename"]?.text { record.lies(at: path) }
    record.pid = entry["pid"]?.int
    record.isSent(by: entry["image_name"]?.text)
    if case .object(let label)? = entry["label"] {
      record.subsystem = label["subsystem"]?.text
      record.category = label["category"]?.text
    }
    record.level = LogPaths.level(entry["level"]?.text)
    return .record(record)
  }
}
