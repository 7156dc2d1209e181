import HarkCapture
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession
import Synchronization

/// The contents of the page for one capture, while hark reads it and afterwards.
///
/// One thread reads the capture and calls `take`; requests are answered on others.
public final class CapturePage: Sendable {
  /// How far hark has read the capture.
  public enum Phase: Sendable, Equatable {
    /// The part of a file read so far, from 0 to 1.
    case reading(Double)
    case live
    case ended
  }

  struct State {
    var phase = Phase.reading(0)
    var events: EventTable
    var findings = Findings()
    var texts: PackedTexts
    var parties = TimelineActors()
    var axis = TimeAxis()
    var packets = 0
    /// Problems of the capture, as text for people.
    var problem: String?
    /// Increases with every change here.
    var version = 0
    /// Changes when hark has read the capture again with more keys: events then have other numbers.
    var generation = 0
    /// The reasons why events are locked.
    var explanation = Explanation()
    /// The index of the item that explains an event, by the event's number.
    var explained: [Int: Int] = [:]
    /// The files that store `events` and `texts`.
    fileprivate let files: Files
    /// Reused for each event that is written.
    fileprivate var line = TextBuffer()

    fileprivate init(_ files: Files) {
      self.files = files
      events = EventTable(files.events)
      texts = PackedTexts(files.texts)
    }
  }

  /// Temporary files, created in advance because the sandbox forbids it later.
  fileprivate struct Files {
    let events: TemporaryFile
    let texts: TemporaryFile
    let rows: TemporaryFile
    let lines: TemporaryFile

    init(texts: TemporaryFile) throws(CaptureError) {
      self.texts = texts
      events = try TemporaryFile(name: "the page")
      rows = try TemporaryFile(name: "the page")
      lines = try TemporaryFile(name: "the page")
    }

    func clear() { for file in [events, texts, rows, lines] { file.clear() } }
  }

  /// Shows packets and applies filters, with all keys known so far.
  private struct Tools {
    var knowledge: Knowledge
    var filters: FilterJobs
    var packetFilters: FilterJobs
    var packetCache: PacketCache
    var packets: PacketList
    /// Knowledge for every session that reads the log again.
    var spare: Files
  }

  /// The largest number of locked events whose reason is stored.
  private static let mostExplained = 100_000

  /// The name of the capture.
  public let name: String
  /// The page's initial filter.
  public let filter: String?
  /// Stores the session's input, so that the page can show packets and apply filters.
  public let log: SessionLog
  /// Filters of events.
  var filters: FilterJobs { tools.withLock { $0.filters } }
  /// Filters of packets.
  var packetFilters: FilterJobs { tools.withLock { $0.packetFilters } }
  var packetCache: PacketCache { tools.withLock { $0.packetCache } }
  var packets: PacketList { tools.withLock { $0.packets } }
  private let state: Mutex<State>
  private let tools: Mutex<Tools>
  /// Keys pasted on the page, until the capture's reader takes them.
  private let pasted = Mutex<[StoredKey]>([])
  /// The description of the source in files with some of the packets.
  private let origin = Mutex<CaptureInfo?>(nil)

  /// - Parameters:
  ///   - knowledge: The same knowledge as that of the session that reads the capture.
  /// - Throws: `WebError` if there is no room for temporary files.
  public convenience init(name: String, filter: String?, _ knowledge: Knowledge) throws(WebError) {
    let texts: TemporaryFile
    do { texts = try TemporaryFile(name: "the page") } catch { throw WebError("\(error)") }
    try self.init(name: name, filter: filter, knowledge, texts: texts)
  }

  /// - Parameter texts: Keeps the JSON of events.
  init(
    name: String, filter: String?, _ knowledge: Knowledge, texts: TemporaryFile
  ) throws(WebError) {
    (self.name, self.filter) = (name, filter)
    do {
      log = try SessionLog()
      let files = try Files(texts: texts)
      state = Mutex(State(files))
      tools = Mutex(
        Tools(
          knowledge: knowledge, filters: Self.filters(log, knowledge),
          packetFilters: Self.packetFilters(log, knowledge),
          packetCache: PacketCache(log, knowledge),
          packets: PacketList(log, knowledge, rows: files.rows, lines: files.lines),
          spare: try Files(texts: try TemporaryFile(name: "the page"))))
    } catch {
      throw WebError("\(error)")
    }
  }

  private static func filters(_ log: SessionLog, _ knowledge: Knowledge) -> FilterJobs {
    FilterJobs { EventSearch($0, log, knowledge) }
  }

  private static func packetFilters(_ log: SessionLog, _ knowledge: Knowledge) -> FilterJobs {
    FilterJobs { PacketSearch($0, log, knowledge) }
  }

  /// Takes the session's current events, the findings of rules about them, and the number of packets.
  public func take(_ session: borrowing Session) {
    state.withLock { state in
      state.version += 1
      Self.take(session, to: &state)
    }
  }

  private static func take(_ session: borrowing Session, to state: inout State) {
    state.packets = session.packets.count
    state.explanation.take(session)
    for event in session.events {
      if let place = state.explanation.place(of: event), state.explained.count < mostExplained {
        state.explained[state.events.count] = place
      }
      append(event, session, to: &state)
      for finding in state.findings.events(after: event, session) {
        append(finding, session, to: &state)
      }
    }
  }

  /// Takes the findings of rules at the end of the capture. Call it once, after the last event.
  public func finish(_ session: borrowing Session) {
    state.withLock { state in
      state.version += 1
      for finding in state.findings.lastEvents(session) {
        Self.append(finding, session, to: &state)
      }
    }
  }

  private static func append(
    _ event: Event, _ session: borrowing Session, to state: inout State
  ) {
    let place = state.axis.place(of: event.time, start: session.counts.firstTime)
    let party = state.parties.count(event, session)
    state.events.append(event, axis: place, party: party)
    state.line.clear()
    TimelineJSON().write(event, session, to: &state.line)
    unsafe state.line.withBytes { unsafe state.texts.append($0) }
  }

  /// Reports how far the capture is read.
  public func enter(_ phase: Phase, problem: String? = nil) {
    state.withLock { state in
      state.phase = phase
      if let problem { state.problem = problem }
      state.version += 1
    }
  }

  /// Takes the capture's description of itself, which in some formats grows while hark reads it.
  public func take(_ info: CaptureInfo) { origin.withLock { $0 = info } }

  var source: CaptureInfo? { origin.withLock { $0 } }

  // MARK: Later keys

  /// Stores keys pasted on the page for the reader of the capture.
  func paste(_ keys: [StoredKey]) { pasted.withLock { $0 += keys } }

  /// Whether pasted keys are waiting to be taken.
  public var hasPasted: Bool { pasted.withLock { !$0.isEmpty } }

  /// Removes and returns the keys pasted on the page since the last call.
  public func takePasted() -> [StoredKey] {
    pasted.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }

  /// Reads all of the log again, as if `keys` had been known from the start, and shows that. Call it on the thread that
  /// reads the capture.
  /// - Returns: The new session, which replaces the previous one; nil if the log is incomplete.
  public func reopen(with keys: [StoredKey]) -> Session? {
    guard log.failure == nil else { return nil }
    let (knowledge, spare, packets) = tools.withLock { tools in
      for key in keys { tools.knowledge.keys.add(key) }
      return (tools.knowledge, tools.spare, tools.packets)
    }
    packets.cancel()
    spare.clear()
    var fresh = State(spare)
    var replay = Replay(log, knowledge)
    while replay.step(
      before: { _, _ in }, after: { _, _, session in Self.take(session, to: &fresh) })
    {}
    if replay.hasEnded {
      for finding in fresh.findings.lastEvents(replay.session) {
        Self.append(finding, replay.session, to: &fresh)
      }
    }
    let old = state.withLock { state in
      let old = state.files
      (fresh.phase, fresh.problem) = (state.phase, state.problem)
      (fresh.version, fresh.generation) = (state.version + 1, state.generation + 1)
      state = fresh
      return old
    }
    tools.withLock { tools in
      tools.filters = Self.filters(log, knowledge)
      tools.packetFilters = Self.packetFilters(log, knowledge)
      tools.packetCache = PacketCache(log, knowledge)
      tools.packets = PacketList(log, knowledge, rows: spare.rows, lines: spare.lines)
      tools.spare = old
    }
    return replay.end()
  }

  /// A number that changes with the contents of the page.
  var version: Int { state.withLock { $0.version } }

  func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result {
    state.withLock { state in body(state) }
  }
}
