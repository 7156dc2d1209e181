import HarkCore
import HarkSession

/// Logs as text: `log show` with its default, compact and syslog styles, idevicesyslog,
/// pymobiledevice3, Xcode's console, and what Console copies. They begin with a time; what is between it and the message is distinguished by
/// its marks.
struct LogText: LogFormat {
  static let name = "log, text"

  private let near: Timestamp
  /// The latest entry; nil before the first.
  private var last: LogRecord?
  /// The user's processes, and what the lines show of the name of a host in front of the names of processes.
  var hosts = LogHosts()

  static func recognises(_ line: [UInt8]) -> Bool {
    var format = LogText(near: Timestamp(nanoseconds: 0))
    if case .record = format.read(line) { return true } else { return false }
  }

  init(near: Timestamp) { self.near = near }

  var remark: String? {
    hosts.isGuess
      ? "no line shows whether the name of a host precedes the names of processes: hark treats the first word as a host's name"
      : nil
  }

  mutating func read(_ line: [UInt8]) -> LogLine {
    if let record = console(line) {
      last = record
      return .record(record)
    }
    if Self.isFooter(line) || Self.isState(line) { return .nothing }
    if let record = termination(line) { return .record(record) }
    guard let time = LogTime(line, near: near) else {
      return last != nil && !line.isEmpty
        ? .continuation(String(decoding: line, as: UTF8.self)) : .nothing
    }
    var rest = String(decoding: line.dropFirst(time.count), as: UTF8.self)[...]
    rest = rest.drop { $0 == " " || $0 == "\t" }
    var record = LogRecord(time: time.time, message: "")
    (record.hasZone, record.hasPath) = (time.hasZone, false)
    guard
      columns(&rest, &record) || compact(&rest, &record) || xcode(&rest, &record)
        || syslog(&rest, &record)
    else {
      return .damaged
    }
    library(&rest, &record)
    record.message = String(rest)
    last = record
    return .record(record)
  }

  /// What `log show` counts after its last entry: a rule, `Log      - Default: …`, `Activity - …`.
  private static func isFooter(_ line: [UInt8]) -> Bool {
    line.count >= 40 && line.allSatisfy { $0 == UInt8(ascii: "-") }
      || line.starts(with: "Log      - Default:".utf8)
      || line.starts(with: "Activity - Create:".utf8)
  }

  /// Messages of idevicesyslog and devicectl about themselves, which may also stand between entries.
  private static func isState(_ line: [UInt8]) -> Bool {
    ["[connected]", "[disconnected]"].contains { line.elementsEqual($0.utf8) }
      || [
        "[connected:", "[disconnected:", "Launched application with ",
        "Waiting for the application to terminate",
      ].contains { line.starts(with: $0.utf8) }
  }

  /// `App terminated due to signal 9.`: devicectl's last line has no time, and concerns the app whose lines
  /// precede it.
  private func termination(_ line: [UInt8]) -> LogRecord? {
    guard line.starts(with: "App terminated due to signal ".utf8), var record = last, record.isApp
    else { return nil }
    record.message = String(decoding: line, as: UTF8.self)
    return record
  }

  /// What Console copies: `default⇥2024-08-05 13:28:53.664196 -0500⇥bluetoothd⇥…`; of today the date is missing.
  private func console(_ line: [UInt8]) -> LogRecord? {
    let parts = line.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
    let levels = ["default", "info", "debug", "error", "fault"]
    guard parts.count == 4, levels.contains(where: { parts[0].elementsEqual($0.utf8) }),
      let time = LogTime(parts[1]) ?? LogTime(ofDay: parts[1], near: near)
    else { return nil }
    var record = LogRecord(time: time.time, message: String(decoding: parts[3], as: UTF8.self))
    (record.hasZone, record.hasPath) = (time.hasZone, false)
    record.level = LogPaths.level(String(decoding: parts[0], as: UTF8.self))
    record.process = String(decoding: parts[2], as: UTF8.self)
    return record
  }

  /// `0x4a7f     Default     0x0                  365    0    bluetoothd: …`
  private func columns(_ rest: inout Substring, _ record: inout LogRecord) -> Bool {
    let parts = rest.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard parts.count == 6, parts[0].hasPrefix("0x"), parts[2].hasPrefix("0x"),
      let pid = Int(parts[3])
    else { return false }
    let last = parts[5].drop { $0 == " " }
    guard let colon = last.utf8Range(of: ": ") else { return false }
    record.level = LogPaths.level(String(parts[1]))
    record.pid = pid
    record.process = String(last[..<colon.lowerBound])
    rest = last[colon.upperBound...]
    return true
  }

  /// `Df bluetoothd[365:4a7f] …`
  private func compact(_ rest: inout Substring, _ record: inout LogRecord) -> Bool {
    let levels: [Substring: AppEvent.Level] = [
      "Db": .debug, "I": .info, "Df": .default, "E": .error, "F": .fault, "A": .default,
    ]
    let parts = rest.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let level = levels[parts[0]] else { return false }
    let behind = parts[1].drop { $0 == " " }
    guard let open = behind.firstIndex(of: "["), let close = behind[open...].firstIndex(of: "]"),
      let pid = Int(behind[behind.index(after: open)..<close].prefix { $0 != ":" })
    else { return false }
    (record.level, record.pid) = (level, pid)
    record.process = String(behind[..<open])
    rest = behind[behind.index(after: close)...].drop { $0 == " " }
    return true
  }

  /// `Acme[731:19071] [category] …`, as Xcode's console and `devicectl --console` show the app that they
  /// started: all of it is the user's.
  private func xcode(_ rest: inout Substring, _ record: inout LogRecord) -> Bool {
    guard let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]"),
      rest[close...].hasPrefix("] "), open > rest.startIndex, rest[..<open].utf8.count <= 64
    else { return false }
    let numbers = rest[rest.index(after: open)..<close].split(separator: ":")
    guard numbers.count == 2, let pid = Int(numbers[0]),
      numbers[1].allSatisfy(\.isHexDigit)
    else { return false }
    let process = String(rest[..<open])
    (record.pid, record.process, record.library) = (pid, process, process)
    record.isApp = true
    rest = rest[close...].dropFirst(2)
    return true
  }

  /// `iPhone bluetoothd(CoreUtils)[365] <Notice>: …`, `localhost bluetoothd[365]: …`,
  /// `bluetoothd{CoreUtils}[365] <NOTICE>: …`; the host's name may be missing.
  private mutating func syslog(_ rest: inout Substring, _ record: inout LogRecord) -> Bool {
    guard let colon = rest.utf8Range(of: ": ") ?? Self.end(rest) else { return false }
    var head = rest[..<colon.lowerBound]
    if let level = head.firstIndex(of: "<"), head.last == ">" {
      record.level = LogPaths.level(String(head[head.index(after: level)...].dropLast()))
      head = Self.trimmed(head[..<level])
    }
    guard head.last == "]", let open = head.lastIndex(of: "["),
      let pid = Int(head[head.index(after: open)...].dropLast().prefix { $0 != ":" })
    else { return false }
    record.pid = pid
    var name = Self.trimmed(head[..<open])
    let isInBraces = name.last == "}"
    if let last = name.last, last == ")" || last == "}",
      let start = name.lastIndex(of: last == ")" ? "(" : "{")
    {
      record.library = String(name[name.index(after: start)...].dropLast())
      name = Self.trimmed(name[..<start])
    }
    record.process = String(process(name, record.library, isInBraces: isInBraces))
    rest = rest[colon.upperBound...]
    return true
  }

  /// The name of the process, which may have blanks, without the name of the host in front of it. pymobiledevice3, which
  /// writes the library in braces, never writes a host.
  private mutating func process(
    _ name: Substring, _ library: String?, isInBraces: Bool
  ) -> Substring {
    if isInBraces { return name }
    hosts.take(name, library)
    return hosts.process(in: name, library)
  }

  private static func end(_ text: Substring) -> Range<Substring.Index>? {
    text.last == ":" ? text.index(before: text.endIndex)..<text.endIndex : nil
  }

  static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  /// `(CoreUtils) [com.apple.bluetooth:CBDaemon] …`, each of which may be missing. What is in
  /// brackets after the message is left there.
  private func library(_ rest: inout Substring, _ record: inout LogRecord) {
    if rest.first == "(", let close = rest.firstIndex(of: ")"),
      rest[close...].utf8.dropFirst().first == 0x20, rest[..<close].utf8.count < 80
    {
      record.library = String(rest[..<close].dropFirst())
      rest = rest[close...].dropFirst().drop { $0 == " " }
    }
    if rest.first == "[", let close = rest.firstIndex(of: "]") {
      let label = rest[..<close].dropFirst()
      // RunningBoard's `[xpcservice<com.acme.transport>:731] …` is a part of the message.
      if let colon = label.firstIndex(of: ":"), label.utf8.count < 200, !label.contains(" "),
        !label.contains("<"), !label[colon...].dropFirst().allSatisfy(\.isNumber)
      {
        record.subsystem = String(label[..<colon])
        record.category = String(label[label.index(after: colon)...])
        rest = rest[close...].dropFirst().drop { $0 == " " }
      }
    }
  }
}
