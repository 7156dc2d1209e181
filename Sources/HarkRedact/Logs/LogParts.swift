import HarkAppLog
import HarkSession

/// The parts of a log in which people's texts may stand.
struct LogParts {
  enum Kind: Equatable {
    /// What a program says; with the words, in lower case, that stand in each line of its kind.
    case text(constant: Set<String>)
    /// What precedes that on a line; with the words that say what the line is.
    case head([String])
    /// Where a program lies.
    case path
    /// What a device is called.
    case name
    /// What a program, a member of an object, or one of a few states is called: known words stay.
    case label
    /// What the kernel calls a program that wrote lines, too, maybe cut short; with its whole name.
    case process(String)
    /// A number of an object.
    case number
    /// Numbers of an array.
    case numbers
    /// One of several strings of an array that are octets or words of memory.
    case octets
  }

  /// Calls `body` with each part of `file`.
  static func forEach(
    in file: [UInt8], _ level: RedactionLevel, _ body: (LogView, Kind) -> Void
  ) {
    var start = 0
    var processes: Set<String> = []
    while start < file.count {
      let end = file[start...].firstIndex(of: 0x0A) ?? file.count
      line(start..<end, of: file, level, &processes, body)
      start = end + 1
    }
  }

  private static func line(
    _ range: Range<Int>, of file: [UInt8], _ level: RedactionLevel,
    _ processes: inout Set<String>, _ body: (LogView, Kind) -> Void
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
    if let process = head.process, processes.count < mostProcesses { processes.insert(process) }
    if head.process == "kernel",
      let (place, name) = killed(message..<range.upperBound, of: file, processes)
    {
      text(LogView(message..<place.lowerBound, of: file), [], level, body)
      body(LogView(place, of: file), .process(name))
      return text(LogView(place.upperBound..<range.upperBound, of: file), [], level, body)
    }
    text(LogView(message..<range.upperBound, of: file), [], level, body)
  }

  private static let mostProcesses = 1_024
  /// The kernel cuts the names of processes after 16 letters, or 32.
  private static let shortestCut = 15

  /// The name in `memorystatus: killing_specific_process pid 731 [AcmeTransport] (…`, if that process wrote lines.
  private static func killed(
    _ range: Range<Int>, of file: [UInt8], _ processes: Set<String>
  ) -> (place: Range<Int>, name: String)? {
    guard let mark = file[range].firstRange(of: Array("memorystatus: ".utf8)),
      let label = file[mark.upperBound..<range.upperBound].firstRange(of: Array(" pid ".utf8)),
      let open = file[label.upperBound..<range.upperBound].firstIndex(of: UInt8(ascii: "[")),
      let close = file[open..<range.upperBound].firstIndex(of: UInt8(ascii: "]")),
      close > open + 1
    else { return nil }
    let place = (open + 1)..<close
    let name = String(decoding: file[place], as: UTF8.self)
    if processes.contains(name) { return (place, name) }
    guard place.count >= shortestCut,
      let whole = processes.filter({ $0.hasPrefix(name) }).min()
    else { return nil }
    return (place, whole)
  }

  private static func object(
    _ view: LogView, _ level: RedactionLevel, _ body: (LogView, Kind) -> Void
  ) {
    let strings = view.strings
    let format = strings.first { $0.member == "formatString" && level == .share }
    let constant = format.map { LogVocabulary.constants(ofFormat: $0.text.bytes) } ?? []
    for member in view.members
    where !members.contains(String(decoding: member.bytes, as: UTF8.self)) {
      body(member, .label)
    }
    for (member, value) in view.numbers where !numbers.contains(member) { body(value, .number) }
    for list in view.lists { body(list, .numbers) }
    let octets = octets(in: strings)
    for (index, (member, value)) in strings.enumerated() {
      switch member {
      case _ where octets.contains(index): body(value, .octets)
      case "name": body(value, .name)
      case "timestamp", "time":
        if level == .strict, !isTime(value.bytes) { body(value, .label) }
      case _ where paths.contains(member): body(value, .path)
      case "formatString" where level == .share: continue
      case _ where kept.contains(member):
        if level == .strict { body(value, .label) }
      default: text(value, constant, level, body)
      }
    }
  }

  /// So many strings of an array spell something.
  private static let shortestList = 3

  /// Which strings are octets or words in hexadecimal digits, in a row of a member: `["0x0011", "0x2233", "0x4455"]`
  private static func octets(in strings: [(member: String, text: LogView)]) -> Set<Int> {
    var octets: Set<Int> = []
    var start = 0
    for end in 0...strings.count {
      let goesOn =
        end < strings.count && LogVocabulary.isOctets(strings[end].text.bytes[...])
        && (end == start || strings[end].member == strings[start].member)
      if goesOn { continue }
      if end - start >= shortestList { octets.formUnion(start..<end) }
      let isFirst = end < strings.count && LogVocabulary.isOctets(strings[end].text.bytes[...])
      start = isFirst ? end : end + 1
    }
    return octets
  }

  /// `2026-11-20 17:41:00.045117+0100`
  private static func isTime(_ text: [UInt8]) -> Bool {
    let pattern = Array("0000-00-00 00:00:00".utf8)
    guard pattern.count...35 ~= text.count else { return false }
    let isWhole = zip(pattern, text).allSatisfy { form, byte in
      switch form {
      case UInt8(ascii: "0"): 0x30...0x39 ~= byte
      case UInt8(ascii: " "): byte == form || byte == UInt8(ascii: "T")
      default: byte == form
      }
    }
    return isWhole
      && text[pattern.count...].allSatisfy { 0x30...0x39 ~= $0 || "+-:.,Z ".utf8.contains($0) }
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
  /// What members are called that hark reads.
  private static let members = Set(
    ["timestamp", "time", "name", "message", "eventMessage", "formatString", "label", "error"]
      + AppEvent.Fact.allCases.map(\.rawValue)
  ).union(paths).union(kept).union(numbers)
  /// Members with numbers of the system's own.
  private static let numbers: Set<String> = [
    "processID", "pid", "threadID", "thread_id", "procid", "size", "version", "level", "journal",
    "count", "finished",
  ]
  /// Members whose values hark reads, and that reveal nothing about anyone.
  private static let kept: Set<String> = [
    "timezoneName", "eventType", "messageType", "level", "subsystem", "category", "event",
    "journal", "process", "bundle", "extension_point", "entitlement", "service",
    "transport",
    "key_type", "cipher_suite", "version", "size", "direction", "ea_protocol", "state", "result",
    "capabilities", "placement", "decision", "session",
  ]
}
