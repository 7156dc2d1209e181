import Dispatch
import HarkCapture
import HarkCore
import HarkPresentation
import HarkSelection
import HarkSession
import Synchronization

/// The packets of a page, one line each. They are read from the log once the page requests them.
final class PacketList: @unchecked Sendable {
  /// A packet without its line.
  struct Row: AxisRow {
    var axis: Int64
    /// In bytes, as transmitted.
    var size: UInt32
    /// The latency in microseconds if the packet is an answer; otherwise 0.
    var latency: UInt32
    /// The number of its stream plus one; 0 for packets without data.
    var stream: UInt16
    var isReceived: Bool

    static let none = Row(axis: 0, size: 0, latency: 0, stream: 0, isReceived: false)
  }

  /// The stream of data: a channel, or the rest of a link.
  private enum StreamKey: Hashable {
    case channel(ChannelID)
    case link(LinkID, PacketKind)
  }

  struct State {
    var rows: AxisTable<Row>
    var lines: PackedTexts
    /// The names of streams.
    var streams: [String] = []
    fileprivate var isScheduled = false
    fileprivate var isCancelled = false
  }

  /// A hostile capture opens any number of channels: those that come later count for the last.
  private static let mostStreams = 1_000
  private static let slice = 512

  // Only the queue uses these.
  private var replay: Replay
  private var packet = PacketReading()
  private var content = PacketLine()
  private var pen = TextPen(reserving: 1 << 12)
  private var axis = TimeAxis()
  private var places: [StreamKey: UInt16] = [:]
  private var streams: [(key: StreamKey, link: LinkID)] = []
  private var nameChanges = 0
  private var namedStreams = 0
  private let queue = DispatchQueue(label: "packet list")

  private let state: Mutex<State>

  init(_ log: SessionLog, _ knowledge: Knowledge, rows: TemporaryFile, lines: TemporaryFile) {
    replay = Replay(log, knowledge)
    replay.session.keepsFields = true
    state = Mutex(State(rows: AxisTable(rows), lines: PackedTexts(lines)))
  }

  /// Reads the input since the last call.
  func advance() {
    let starts = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled && !state.isCancelled
    }
    if starts { queue.async { self.run() } }
  }

  /// Stops; nothing is written afterwards.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    queue.sync {}
  }

  func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  private func run() {
    while step() {}
    state.withLock { $0.isScheduled = false }
  }

  /// In batches: single packets would take a lock each.
  private func step() -> Bool {
    var rows: [Row] = []
    var lines: [[UInt8]] = []
    var goesOn = true
    while rows.count < Self.slice, goesOn {
      goesOn = replay.step { _, _ in
      } after: { record, bytes, session in
        guard let record else { return }
        packet.read(record, bytes, &session)
        rows.append(row(session))
        lines.append(line(bytes, session, axis: rows[rows.count - 1].axis))
      }
    }
    let names = renamedStreams()
    return state.withLock { state in
      if let names { state.streams = names }
      for row in rows { state.rows.append(row) }
      for line in lines { unsafe line.withUnsafeBytes { unsafe state.lines.append($0) } }
      return goesOn && !state.isCancelled
    }
  }

  private func row(_ session: borrowing Session) -> Row {
    let row = packet.row
    var result = Row.none
    result.axis = axis.place(of: row.time, start: session.firstTime)
    result.size = row.count
    result.isReceived = row.flags.contains(.received)
    if row.related != 0, row.related < packet.number, let asked = session.packets[row.related] {
      let waited = session.elapsed(
        from: asked.time, in: PacketID(row.related), to: row.time, in: PacketID(packet.number))
      if let waited { result.latency = UInt32(clamping: max(1, waited / 1_000)) }
    }
    guard let link = row.link, row.kind.isData else { return result }
    let key = row.channel.map { StreamKey.channel($0) } ?? .link(link, row.kind)
    if let known = places[key] {
      result.stream = known
    } else {
      if streams.count < Self.mostStreams { streams.append((key, link)) }
      result.stream = UInt16(streams.count)
      places[key] = result.stream
    }
    return result
  }

  /// What streams are called, where there are more of them or a device is called something else by now.
  private func renamedStreams() -> [String]? {
    let changes = replay.session.nameChanges
    guard changes != nameChanges || namedStreams != streams.count else { return nil }
    (nameChanges, namedStreams) = (changes, streams.count)
    return streams.map { Self.name($0.key, $0.link, replay.session) }
  }

  private static func name(
    _ key: StreamKey, _ link: LinkID, _ session: borrowing Session
  ) -> String {
    let label = session.label(of: link)
    switch key {
    case .channel(let id):
      let channel = session.channels[Int(id.index)]
      let reader = channel.entry.map { $0.path.description.uppercased() }
      let psm = channel.knownPSM.map { "PSM 0x" + Hex.text([UInt8($0 >> 8), UInt8($0 & 0xFF)]) }
      return [label, reader, psm].compactMap { $0 }.joined(separator: " · ")
    case .link(_, .acl): return label
    case .link(_, let kind): return "\(label) · \(kind.name)"
    }
  }

  private func line(_ bytes: RawSpan, _ session: borrowing Session, axis: Int64) -> [UInt8] {
    let row = packet.row
    pen.clear()
    content.writeContent(packet, bytes, to: &pen)
    let text = unsafe String(decoding: pen.bytes, as: UTF8.self)
    var json = JSONText()
    json.object { json in
      json.number("number", packet.number)
      json.number("axis", axis)
      json.recorded("time", row.time)
      json.seconds("time_relative", session.firstTime.map { row.time.since($0) } ?? 0)
      if let link = row.link { json.string("device", session.label(of: link)) }
      if !row.flags.contains(.directionUnknown) {
        json.string("direction", row.flags.contains(.received) ? "received" : "sent")
      }
      json.string("kind", row.kind.name)
      json.number("length", row.count)
      if row.flags.contains(.malformed) { json.flag("malformed", true) }
      json.string("text", text)
    }
    return json.text.bytes + [0x0A]
  }
}
