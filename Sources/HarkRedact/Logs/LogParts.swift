import HarkAppLog

/// The parts of a log in which people's texts may stand.
struct LogParts {
  enum Kind: Equatable {
    /// What a program says; with the words, in lower case, that stand in each line of its kind.
    case text(constant: Set<String>)
    /// What stands before that on a line; with the words that say what the line is.
    case head([String])
    /// Where a program lies.
    case path
    /// What a device is called.
    case name
  }

  /// Calls `body` with each part of `file`.
  static func forEach(
    in file: [UInt8], _ level: RedactionLevel, _ body: (LogView, Kind) -> Void
  ) {
    var start = 0
    while start < file.count {
      let end = file[start...].firstIndex(of: 0x0A) ?? file.count
      line(start..<end, of: file, level, body)
      start = end + 1
    }
  }

  private static func line(
    _ range: Range<Int>, of file: [UInt8], _ level: RedactionLevel,
    _ body: (LogView, Kind) -> Void
  ) {
    let line = file[range]
    if AppLog.isObject(Array(line)) {
      return object(LogView(range, of: file), level, body)
    }
    guard let head = AppLog.head(of: Array(line)) else {
      return text(LogView(range, of: file), [], level, body)
    }
    let (time, message) = (range.lowerBound + head.time, range.lowerBound + head.message)
    body(LogView(time..<message, of: file), .head(head.words))
    text(LogView(message..<range.upperBound, of: file), [], level, body)
  }

  private static func object(
    _ view: LogView, _ level: RedactionLevel, _ body: (LogView, Kind) -> Void
  ) {
    let strings = view.strings
    let format = strings.first { $0.member == "formatString" && level == .share }
    let constant = format.map { LogVocabulary.constants(ofFormat: $0.text.bytes) } ?? []
    for (member, value) in strings {
      switch member {
      case "name": body(value, .name)
      case _ where paths.contains(member): body(value, .path)
      case "formatString" where level == .share: continue
      case _ where kept.contains(member): continue
      default: text(value, constant, level, body)
      }
    }
  }

  /// A message; hark's journal may stand in it.
  private static func text(
    _ view: LogView, _ constant: Set<String>, _ level: RedactionLevel,
    _ body: (LogView, Kind) -> Void
  ) {
    let mark = Array("hark-journal {".utf8)
    guard view.bytes.starts(with: mark) else { return body(view, .text(constant: constant)) }
    object(view.dropFirst(mark.count - 1), level, body)
  }

  private static let paths: Set<String> = [
    "processImagePath", "senderImagePath", "imagePath", "image_name", "filename",
  ]
  /// Members whose values hark reads, and that say nothing of anybody.
  private static let kept: Set<String> = [
    "timestamp", "time", "timezoneName", "eventType", "messageType", "level", "subsystem",
    "category",
    "event", "journal", "process", "bundle", "extension_point", "entitlement", "service",
    "transport",
    "key_type", "cipher_suite", "version", "size", "direction", "ea_protocol", "state", "result",
    "capabilities", "placement", "decision", "session",
  ]
}
