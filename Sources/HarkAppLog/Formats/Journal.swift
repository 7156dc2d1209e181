import HarkCore
import HarkProfile
import HarkSession

/// hark's own journal, which an app writes with `HarkJournal.swift`: JSON objects, one on a line. The
/// form is described in docs/app-journal.md.
struct Journal: LogFormat {
  static let name = "hark journal"

  /// What the header said, which goes for each line.
  private var process: String?
  private var pid: Int?
  /// The version of the journals that this reads.
  private static let version = 1
  private(set) var remark: String?
  private var defaults: [(fact: AppEvent.Fact, value: String)] = []

  static func recognises(_ line: [UInt8]) -> Bool {
    Self.object(line)?["journal"]?.text == "hark"
  }

  init(near: Timestamp) {}

  mutating func read(_ line: [UInt8]) -> LogLine {
    if line.isEmpty { return .nothing }
    guard let object = Self.object(line) else { return .damaged }
    if object["journal"] != nil {
      (process, pid) = (object["process"]?.text, object["pid"]?.int)
      if let version = object["version"]?.int, version > Self.version {
        remark =
          "journal version \(version): hark reads it as version \(Self.version), without what is new in it"
      }
      // The version of a header is the journal's own.
      defaults = Self.facts(object).filter { $0.fact != .version }
      return .nothing
    }
    guard var record = Self.record(object) else { return .damaged }
    record.process = record.process ?? process
    record.pid = record.pid ?? pid
    for (fact, value) in defaults where record.event?[fact] == nil { record.event?[fact] = value }
    let point = record.event?[.extensionPoint]
    record.event?.isExtension = point != nil
    // Extensions name their point in the header.
    record.event?.isContainerApp = point == nil
    return .record(record)
  }

  private static func object(_ line: [UInt8]) -> ProfileValue.Members? {
    guard line.first(where: { $0 != 0x20 }) == UInt8(ascii: "{"),
      case .object(let members)? = DataReading.json(line)
    else { return nil }
    return members
  }

  /// The entry that an object is; nil if it has no time or names no event.
  private static func record(_ object: ProfileValue.Members) -> LogRecord? {
    guard let text = object["time"]?.text, let time = LogTime(text.utf8),
      let event = event(object)
    else { return nil }
    var record = LogRecord(time: time.time, message: object["message"]?.text ?? "")
    record.hasZone = time.hasZone
    record.process = object["process"]?.text
    record.pid = object["pid"]?.int
    record.isApp = true
    record.event = event
    return record
  }

  private static func event(_ object: ProfileValue.Members) -> AppEvent? {
    guard let name = object["event"]?.text else { return nil }
    // Journals of a later hark may name more.
    let kind = AppEvent.Kind(rawValue: name) ?? .line
    var event = AppEvent(kind, AppEvent.Origin(file: "", line: 0))
    event.isCertain = true
    event.isExtension = object["extension_point"]?.text != nil
    let message = object["message"]?.text
    // The name of an event that hark does not know is all that says what happened.
    let isUnknown = kind == .line && name != AppEvent.Kind.line.rawValue
    event.text =
      isUnknown ? message.map { "\(name): \($0)" } ?? name : message ?? (kind == .line ? name : "")
    for (fact, value) in facts(object) { event[fact] = value }
    return event
  }

  private static func facts(
    _ object: ProfileValue.Members
  ) -> [(fact: AppEvent.Fact, value: String)] {
    AppEvent.Fact.allCases.compactMap { fact in
      object[fact.rawValue].flatMap(value)
        .flatMap { LogNames.value($0, of: fact) }.map { (fact, $0) }
    }
  }

  private static func value(_ value: ProfileValue) -> String? {
    switch value {
    case .bool(let value): value ? "true" : "false"
    case .array(let items): items.compactMap(\.text).joined(separator: ", ")
    case .null: "nil"
    case .object: nil
    case .float(let value): "\(value)"
    default: value.text
    }
  }

  /// The event that a line of the unified log holds: where an extension can write no file, the journal
  /// goes there.
  static func event(in message: String) -> AppEvent? {
    let mark = "hark-journal "
    guard message.utf8.starts(with: mark.utf8),
      case .object(let members)? = DataReading.json(Array(message.utf8.dropFirst(mark.utf8.count)))
    else { return nil }
    return event(members)
  }
}
