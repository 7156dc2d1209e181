import HarkCore
import HarkSession

/// Writes events as the lines of a timeline: time, time since the start of the capture, device, lane,
/// sentence, frames.
///
/// An event with the same text as one of the last few is only counted. The count follows before the
/// next different event, at the time of the last event counted. So each line has the time of
/// an event, and times increase from line to line as they do in the capture.
public struct Timeline: Sendable {
  private let style: Style
  private let layout: Layout
  private var day: Int64?
  private var recent: [Line] = []
  private let isWhole: Bool
  private var background: Background

  /// The columns before the sentence. On narrow terminals, a sentence that does not fit beside
  /// them is printed below.
  struct Layout: Sendable {
    /// An address has 17 characters.
    static let deviceWidth = 17
    /// Time, time since the beginning, device, lane.
    static let head = 12 + 11 + 2 + deviceWidth + 2 + Event.Lane.nameWidth + 2
    let width: Int?
    let isNarrow: Bool

    var textColumn: Int { isNarrow ? 4 : Self.head }
    var textWidth: Int? { width.map { max(20, $0 - textColumn) } }

    init(width: Int?) {
      self.width = width
      isNarrow = (width ?? .max) < 100
    }

    /// Whether a sentence and its frames, together `columns` wide, fit beside the head.
    func fits(_ columns: Int) -> Bool {
      guard let width, isNarrow else { return true }
      return Self.head + columns <= width
    }
  }

  /// The content of a line, before layout.
  package struct Line: Sendable {
    package internal(set) var time: Timestamp
    /// Nanoseconds since the capture began.
    package internal(set) var relative: Int64
    package internal(set) var device: String
    package internal(set) var lane: Event.Lane
    package internal(set) var severity: Event.Severity
    package internal(set) var text: String
    var repetition: EventRepetition
    /// The kind of the event, as the JSON of a timeline calls it.
    package let kind: StaticString
    package internal(set) var frames: Event.Frames
    /// How many more events had the same text.
    var more = 0

    /// The same line with another text.
    package func saying(_ text: String, _ severity: Event.Severity) -> Line {
      var line = self
      (line.text, line.severity) = (text, severity)
      return line
    }

    func says(_ other: Line) -> Bool {
      lane == other.lane && repetition.repeats(other.repetition) && device == other.device
    }

    /// Counts a line with the same text: from here on, this line stands for those that followed it.
    mutating func count(_ line: Line) {
      if more == 0 {
        frames = line.frames
      } else {
        frames.first = min(frames.first, line.frames.first)
        frames.last = max(frames.last, line.frames.last)
        frames.count += line.frames.count
      }
      more += line.repetition.count
      text = line.text
      repetition.last = line.repetition.last
      time = line.time
      relative = line.relative
    }
  }

  /// How many different lines may alternate and still be folded.
  static let mostRecent = 4

  /// - Parameter isWhole: Whether all lanes are shown. Lines that fill a page with little information
  ///   are then reduced: of many notes of a source, the first is printed and the others are counted, and
  ///   channels of SDP show only their requests.
  public init(style: Style = .plain, isWhole: Bool = true) {
    self.style = style
    layout = Layout(width: style.width)
    self.isWhole = isWhole
    background = Background(isWhole: isWhole)
  }

  /// The opening and closing of an SDP channel mean nothing without the requests on it, which have
  /// lines of their own. Refusals are printed.
  private static func isReportedByAnother(_ content: Event.Content) -> Bool {
    switch content {
    case .channel(.opened(let it)): it.channel.psm == 0x0001
    case .channel(.closed(let it)): it.channel.psm == 0x0001
    default: false
    }
  }

  /// Writes the event's line, or counts it.
  public mutating func write(
    _ event: Event, _ session: borrowing Session, to out: inout TextBuffer
  ) {
    var lines: [Line] = []
    fold(event, session, into: &lines)
    for line in lines { write(line, to: &out) }
  }

  /// Like `write`, for callers that lay out the lines themselves.
  package mutating func fold(
    _ event: Event, _ session: borrowing Session, into lines: inout [Line]
  ) {
    if isWhole, Self.isReportedByAnother(event.content) { return }
    let text = EventText.sentence(event, session)
    let line = Line(
      time: event.time,
      relative: session.firstTime.map { event.time.since($0) } ?? 0,
      device: Self.device(of: event, session), lane: event.lane, severity: event.severity,
      text: text, repetition: EventText.repetition(event, session, text),
      kind: event.content.described.kind.name, frames: event.frames)
    if background.isOver(at: line.time) { flushHeld(into: &lines) }
    background.expire(at: line.time)
    switch background.take(event, line) {
    case .counted: return
    case .reported:
      flushHeld(into: &lines)
      recent.removeAll(keepingCapacity: true)
      return lines.append(line)
    case .reportedBeside:
      flushHeld(into: &lines)
      return lines.append(line)
    case .foreign: break
    }
    if let index = recent.firstIndex(where: { $0.says(line) }) {
      return recent[index].count(line)
    }
    let isFolding = recent.contains { $0.more > 0 }
    flushHeld(into: &lines)
    if isFolding || recent.count >= Self.mostRecent { recent.removeAll(keepingCapacity: true) }
    lines.append(line)
    // Each message is printed, even with the same text as the one before; so is each value, if
    // requested.
    switch line.lane {
    case .gatt where !isWhole: recent.removeAll(keepingCapacity: true)
    case .notification, .reply, .keys, .session, .configuration, .app, .note, .finding:
      recent.removeAll(keepingCapacity: true)
    default: recent.append(line)
    }
  }

  /// Writes the counts of everything folded so far; later events are folded as before.
  public mutating func reportCounted(to out: inout TextBuffer) {
    var lines: [Line] = []
    flushHeld(into: &lines)
    for line in lines { write(line, to: &out) }
  }

  /// Writes the counts of everything folded. Call it after the last event.
  public mutating func flush(to out: inout TextBuffer) {
    var lines: [Line] = []
    flush(into: &lines)
    for line in lines { write(line, to: &out) }
  }

  /// Like `flush`, for callers that lay out the lines themselves.
  package mutating func flush(into lines: inout [Line]) {
    flushHeld(into: &lines)
    recent.removeAll(keepingCapacity: true)
    background.expire(at: nil)
  }

  /// Returns everything that was only counted, in order of time: the next line printed happened later.
  private mutating func flushHeld(into all: inout [Line]) {
    var lines = background.takeHeld()
    for index in recent.indices where recent[index].more > 0 {
      var line = recent[index]
      if line.more > 1 {
        line.text = line.repetition.counted(line.more)
      }
      lines.append(line)
      recent[index].more = 0
    }
    all += lines.sorted { ($0.time, $0.frames.last) < ($1.time, $1.frames.last) }
  }

  /// The content of the device column: the peer, or the link's handle if the peer is
  /// unknown, or this host's controller.
  package static func device(of event: Event, _ session: borrowing Session) -> String {
    if let device = event.device { return session.devices[Int(device.index)].label }
    if let link = event.link { return session.label(of: link) }
    // Records of the system as a whole have the index 0xFFFF.
    return event.controller.map { $0 == 0xFFFF ? "" : "hci\($0)" } ?? ""
  }

  // MARK: One line

  private mutating func write(_ line: Line, to out: inout TextBuffer) {
    writeDay(of: line.time, to: &out)
    style.write(.faint, to: &out) { out in
      let start = out.count
      out.timeOfDay(line.time)
      // Milliseconds here; `hark show` and JSON print every digit.
      out.cut(to: start + 12)
      Self.relative(line.relative, to: &out)
    }
    out.text("  ")
    let device = Self.printable(line.device)
    let tail = Device.tail(ofLabel: device)
    let name = Columns.cut(String(device.dropLast(tail.count)), to: Layout.deviceWidth - tail.count)
    Columns.pad(name + tail, to: Layout.deviceWidth, into: &out)
    out.text("  ")
    let start = out.count
    style.write(line.lane.role, to: &out) { $0.string(line.lane.name) }
    let used = style.isColored ? line.lane.role.begin.utf8CodeUnitCount + 4 : 0
    out.pad(to: Event.Lane.nameWidth + used, from: start)
    out.text("  ")
    writeText(line, to: &out)
    out.byte(0x0A)
  }

  /// `  +41.938`, right-aligned in 11 columns, of which the first stays blank.
  static func relative(_ nanoseconds: Int64, to out: inout TextBuffer) {
    var text = TextBuffer()
    if nanoseconds >= 0 { text.byte(UInt8(ascii: "+")) }
    // Only a clock that is set during the capture exceeds eleven days: its seconds mean nothing.
    let days = nanoseconds / 86_400_000_000_000
    if days.magnitude < 11 {
      text.seconds(nanoseconds, decimals: nanoseconds.magnitude < 100_000_000_000_000 ? 3 : 2)
    } else {
      text.string("\(days) d")
    }
    for _ in text.count..<max(text.count, 11) { out.byte(0x20) }
    out.append(text.bytes)
  }

  private mutating func writeDay(of time: Timestamp, to out: inout TextBuffer) {
    let day = (time.nanoseconds / 1_000_000_000 - (time.nanoseconds < 0 ? 86_399 : 0)) / 86_400
    guard day != self.day else { return }
    self.day = day
    style.write(.strong, to: &out) { out in
      guard time.isDated else {
        out.text("clock not set")
        if day > 0 { out.string(", day \(day + 1) of it") }
        return
      }
      let start = out.count
      out.dateTime(time)
      out.cut(to: start + 10)
    }
    out.byte(0x0A)
  }

  private func writeText(_ line: Line, to out: inout TextBuffer) {
    let text = Self.printable(line.text)
    let frames = Self.frames(line.frames)
    var lines = [text]
    if !layout.isNarrow {
      lines = layout.textWidth.map { Columns.lines(of: text, width: $0) } ?? lines
    } else if let width = layout.textWidth,
      !layout.fits(Columns.of(text) + 2 + Columns.of(frames))
    {
      lines = Columns.lines(of: text, width: width)
      while out.last == 0x20 { out.cut(to: out.count - 1) }
      indent(to: &out)
    }
    let role = Self.role(of: line)
    for (index, part) in lines.enumerated() {
      if index > 0 { indent(to: &out) }
      style.write(role, to: &out) { $0.string(part) }
    }
    guard !frames.isEmpty else { return }
    if let width = layout.textWidth, Columns.of(lines.last ?? "") + 2 + Columns.of(frames) > width {
      indent(to: &out)
    } else {
      out.text("  ")
    }
    style.write(.faint, to: &out) { $0.string(frames) }
  }

  private func indent(to out: inout TextBuffer) {
    out.byte(0x0A)
    for _ in 0..<layout.textColumn { out.byte(0x20) }
  }

  private static func role(of line: Line) -> Style.Role? {
    switch line.severity {
    case .error: .error
    case .warning: .warning
    case .info:
      switch line.lane {
      case .notification, .reply: .strong
      case .host, .note: .faint
      default: nil
      }
    }
  }

  /// `#12`, or `#12–15 (4 packets)`; empty if no packet shows the event.
  package static func frames(_ frames: Event.Frames) -> String {
    if frames.count == 0 { return "" }
    return frames.count == 1
      ? "#\(frames.last.number)"
      : "\(Names.packets(frames.first, frames.last)) (\(frames.count) packets)"
  }

  package static func printable(_ text: String) -> String {
    var out = TextBuffer()
    out.printable(text)
    return out.string
  }
}
