import HarkCore
import HarkSession

/// What a log or journal says about the app's side, in the order of its times.
public struct AppLog: Sendable {
  /// As the user gave it.
  public let name: String
  /// What people call its format.
  public private(set) var format: String
  public private(set) var entries: [Entry] = []
  public private(set) var counts = Counts()
  /// Whether its times say what they are ahead of UTC.
  public private(set) var hasZone = true

  /// The records that bound its time, whoever wrote them: the first and the last one, and those with the earliest
  /// and the latest time.
  private(set) var bounds: [(time: Timestamp, line: Int)] = []

  /// Something that happened, at a time of the log's own clock.
  public struct Entry: Sendable {
    public let time: Timestamp
    public let event: AppEvent
  }

  public struct Counts: Sendable {
    public var lines = 0
    /// Lines that should be entries, and are not, or are cut.
    public var damaged = 0
    /// The first of those, from 1.
    public var firstDamaged: Int?
    /// Entries of others, which are not kept.
    public var foreign = 0
    /// Entries that are not kept as there are too many.
    public var omitted = 0
  }

  /// Entries that are kept, at most.
  static let most = 200_000
  /// Bytes of a message that are kept.
  static let longestText = 1 << 16
  /// Bytes in front of the first line that says what log it is.
  private static let mostHeadBytes = 1 << 23

  /// Reads a file to its end.
  /// - Parameters:
  ///   - own: Names of the user's processes and subsystems.
  ///   - near: A time of the capture: logs as text may leave out the year.
  /// - Throws: `AppLogError` where it cannot be opened, or is no log that hark knows.
  public init(
    path: String, name: String? = nil, own: AppNames = AppNames(),
    near: Timestamp = Timestamp(nanoseconds: 0)
  ) throws(AppLogError) {
    if let archive = Self.archive(path) { throw AppLogError("\(name ?? path): \(archive)") }
    try self.init(name: name ?? path, own, near, try LogLines(path: path))
  }

  /// The same of one in memory.
  package init(
    bytes: [UInt8], name: String, own: AppNames = AppNames(),
    near: Timestamp = Timestamp(nanoseconds: 0)
  ) throws(AppLogError) {
    try self.init(name: name, own, near, LogLines(bytes))
  }

  /// Whether hark reads these bytes as a log.
  package static func recognises(_ bytes: [UInt8]) -> Bool {
    var lines = LogLines(bytes)
    var head: [Line] = []
    return format(&lines, &head) != nil
  }

  private init(
    name: String, _ own: AppNames, _ near: Timestamp, _ lines: consuming LogLines
  ) throws(AppLogError) {
    var head: [Line] = []
    if let log = AppLog(ifKnown: lines, name, own, near, &head) {
      self = log
      return
    }
    if head.isEmpty { throw AppLogError("\(name): the log is empty") }
    if let packing = head.lazy.compactMap({ Self.packing($0.line) }).first {
      throw AppLogError("\(name): \(packing)")
    }
    throw AppLogError(
      "\(name): not a log that hark recognizes; hark reads its own journal, the unified log as NDJSON, "
        + "the syslog of pymobiledevice3 as JSON, and logs as text"
    )
  }

  typealias Line = (line: [UInt8], isWhole: Bool)

  /// Reads lines to their end, once.
  /// - Parameter head: The lines that were read to know what they are.
  /// - Returns: Nil if they are no log that hark knows.
  init?(
    ifKnown lines: consuming LogLines, _ name: String, _ own: AppNames, _ near: Timestamp,
    _ head: inout [Line]
  ) {
    guard let type = Self.format(&lines, &head) else { return nil }
    self.name = name
    format = type.name
    var reader: any LogFormat = type.init(near: near)
    if type == LogText.self { reader = Self.text(&lines, &head, own, near) }
    meaning = Meaning(own: own)
    for (line, isWhole) in head { read(line, isWhole: isWhole, &reader) }
    while let (line, isWhole) = lines.next() { read(line, isWhole: isWhole, &reader) }
    close()
    order()
    remark = remark ?? reader.remark
    isOwnUnknown = own.all.isEmpty && type == LogText.self
  }

  /// Begins one of which no line has come yet.
  init(growing name: String, _ own: AppNames) {
    (self.name, format) = (name, "")
    meaning = Meaning(own: own)
  }

  /// Notes what the lines are.
  mutating func recognise(_ type: any LogFormat.Type) { format = type.name }

  mutating func read(_ line: [UInt8], isWhole: Bool, _ reader: inout any LogFormat) {
    counts.lines += 1
    guard isWhole else { return damaged() }
    switch reader.read(line) {
    case .record(let record):
      bound(record.time)
      take(record)
    case .continuation(let text): extend(text)
    case .nothing:
      isOpen = false
      remark = remark ?? reader.remark
    case .damaged: damaged()
    }
  }

  private mutating func bound(_ time: Timestamp) {
    let bound = (time: time, line: counts.lines)
    guard !bounds.isEmpty else {
      bounds = [bound, bound, bound, bound]
      return
    }
    bounds[1] = bound
    if time < bounds[2].time { bounds[2] = bound }
    if time > bounds[3].time { bounds[3] = bound }
  }

  /// Gives the entries that were kept, and forgets them.
  /// - Parameter isQuiet: Whether nothing came for a moment: the last entry is whole then.
  mutating func takeEntries(isQuiet: Bool) -> [Entry] {
    if isQuiet { close() }
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  /// A reader of text that knows whether the lines have the name of a host. It needs the first lines, and more of them as
  /// long as they do not show it.
  private static func text(
    _ lines: inout LogLines, _ head: inout [Line], _ own: AppNames, _ near: Timestamp
  ) -> LogText {
    var (survey, reader) = (LogText(near: near), LogText(near: near))
    survey.hosts.own = own.all
    for (line, isWhole) in head where isWhole { _ = survey.read(line) }
    var count = 0
    while !survey.hosts.isDecided, count < mostHeadBytes, let (line, isWhole) = lines.next() {
      head.append((line, isWhole))
      count += line.count + 1
      if isWhole { _ = survey.read(line) }
    }
    reader.hosts = survey.hosts
    return reader
  }

  private static func format(
    _ lines: inout LogLines, _ head: inout [Line]
  ) -> (any LogFormat.Type)? {
    var count = 0
    while head.count < LogFormats.mostHead, count < mostHeadBytes {
      guard let (line, isWhole) = lines.next() else { return nil }
      head.append((line, isWhole))
      count += line.count
      guard isWhole else { continue }
      if let format = LogFormats.all.first(where: { $0.recognises(line) }) { return format }
    }
    return nil
  }

  /// How to get a log out of what hark does not read, by its name; nil if that is another file.
  static func archive(_ path: String) -> String? {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard path.hasSuffix(".logarchive") || path.hasSuffix(".tracev3") else { return nil }
    let folder =
      path.utf8Range(of: ".logarchive/").map {
        path[..<path.utf8.index($0.lowerBound, offsetBy: ".logarchive".utf8.count)]
      } ?? (path.hasSuffix(".tracev3") ? "system_logs.logarchive" : path[...])
    return "an Apple log archive; on a Mac, export it with '\(export(folder))'"
  }

  static func export(_ archive: some StringProtocol) -> String {
    let quoted = archive.contains(" ") ? "'\(archive)'" : "\(archive)"
    return "log show --info --style ndjson --archive \(quoted) > log.ndjson"
  }

  /// What keeps a log from being read as text, by its first line; nil if nothing does.
  private static func packing(_ line: [UInt8]) -> String? {
    if line.starts(with: [0x1F, 0x8B]) { return "compressed; decompress it with gunzip first" }
    if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) {
      return "text in UTF-16; convert it with iconv -f UTF-16 -t UTF-8 first"
    }
    if line.starts(with: "[{".utf8) {
      return "one array of JSON, as log show --style json writes it; use --style ndjson instead"
    }
    return nil
  }

  /// The entry that lines may still continue with.
  private var pending: LogRecord?
  private var pendingLine = 0
  private var isOpen = false
  /// Whether lines of the user's app cannot be distinguished from those of others.
  private var isOwnUnknown = false

  /// What its format reports of the log as a whole.
  private var remark: String?

  private mutating func damaged() {
    counts.damaged += 1
    if counts.firstDamaged == nil { counts.firstDamaged = counts.lines }
    isOpen = false
  }

  private mutating func take(_ record: LogRecord) {
    close()
    (pending, pendingLine, isOpen) = (record, counts.lines, true)
  }

  private var meaning: Meaning
  /// The devices that were reported as found.
  private var found: Set<String> = []
  private static let mostFound = 100_000

  private mutating func extend(_ text: String) {
    guard isOpen, let message = pending?.message,
      message.utf8.count + text.utf8.count < Self.longestText
    else { return }
    pending?.message += "\n" + text
  }

  /// Keeps the entry that is whole now.
  private mutating func close() {
    defer { pending = nil }
    guard let record = pending else { return }
    guard var event = meaning.event(record) else {
      counts.foreign += 1
      return
    }
    // Discovery logs a device with each report.
    if event.kind == .deviceFound {
      if found.count >= Self.mostFound { found = [] }
      guard found.insert("\(event[.address] ?? "") \(event[.identifier] ?? "")").inserted else {
        return
      }
    }
    guard entries.count < Self.most else {
      counts.omitted += 1
      return
    }
    if !record.hasZone { hasZone = false }
    event.origin = AppEvent.Origin(file: name, line: pendingLine)
    if event.text.utf8.count > Self.longestText {
      event.text = String(decoding: Array(event.text.utf8.prefix(Self.longestText)), as: UTF8.self)
    }
    event.bodies = Bodies.found(in: event.text)
    entries.append(Entry(time: record.time, event: event))
  }

  /// Threads write their lines in no order; those of a moment stay as they are.
  private mutating func order() {
    let isOrdered = zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time }
    guard !isOrdered else { return }
    entries = entries.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// `unified log, NDJSON: 812 entries kept of 4,001 lines; 1 damaged, line 6`.
  var summary: String {
    var parts = [
      "\(format): \(entries.count) \(entries.count == 1 ? "entry" : "entries") kept of "
        + "\(counts.lines) \(counts.lines == 1 ? "line" : "lines")"
    ]
    if counts.damaged > 0 {
      parts.append("\(counts.damaged) damaged, the first at line \(counts.firstDamaged ?? 0)")
    }
    if counts.omitted > 0 { parts.append("\(counts.omitted) beyond the limit, omitted") }
    if let remark { parts.append(remark) }
    if isOwnUnknown, counts.foreign > 0 {
      parts.append("\(counts.foreign) from programs that --app-info does not name, omitted")
    }
    return parts.joined(separator: "; ")
  }

  /// What CoreBluetooth calls devices.
  public var identifiers: [(address: BluetoothAddress, identifier: String)] {
    var found: [String: BluetoothAddress] = [:]
    for entry in entries {
      guard let identifier = entry.event[.identifier], let address = entry.event.address else {
        continue
      }
      found[identifier.uppercased()] = address
    }
    return found.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }
  }
}
