import HarkCapture
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession
import Synchronization

/// What a page shows of one capture, while it is read and afterwards.
///
/// One thread reads the capture and calls `take`; requests are answered on others.
public final class CapturePage: Sendable {
  /// How far the capture is read.
  public enum Phase: Sendable, Equatable {
    /// Of a file: which part of it, from 0 to 1.
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
    /// What is wrong with the capture, for people.
    var problem: String?
    /// Changes whenever anything here does.
    var version = 0
    /// In use while an event is written.
    fileprivate var line = TextBuffer()

    fileprivate init(texts file: TemporaryFile) throws(CaptureError) {
      events = EventTable(try TemporaryFile(name: "the page"))
      texts = PackedTexts(file)
    }
  }

  /// What the capture is called.
  public let name: String
  /// The filter that the page begins with.
  public let filter: String?
  /// Keep what the session is given here, so that packets can be shown and filters be applied.
  public let log: SessionLog
  let filters: FilterJobs
  let desk: PacketCache
  private let state: Mutex<State>

  /// - Parameters:
  ///   - knowledge: What the session that reads the capture knows as well.
  /// - Throws: `WebError` where there is no room for temporary files.
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
      state = Mutex(try State(texts: texts))
    } catch {
      throw WebError("\(error)")
    }
    filters = FilterJobs(log, knowledge)
    desk = PacketCache(log, knowledge)
  }

  /// Takes the events that are there, what rules find in them, and how many packets there are.
  public func take(_ session: borrowing Session) {
    state.withLock { state in
      state.packets = session.packets.count
      state.version += 1
      for event in session.events {
        Self.append(event, session, to: &state)
        for finding in state.findings.events(behind: event, session) {
          Self.append(finding, session, to: &state)
        }
      }
    }
  }

  /// Takes what rules find now that the capture has ended. Call it once, behind its last event.
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

  /// Tells how far the capture is read.
  public func enter(_ phase: Phase, problem: String? = nil) {
    state.withLock { state in
      state.phase = phase
      if let problem { state.problem = problem }
      state.version += 1
    }
  }

  /// A number that changes whenever what the page shows does.
  var version: Int { state.withLock { $0.version } }

  func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result {
    state.withLock { state in body(state) }
  }
}
