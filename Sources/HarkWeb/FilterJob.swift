import Dispatch
import HarkCapture
import HarkFilter
import HarkFindings
import HarkPresentation
import HarkSelection
import HarkSession
import Synchronization

/// Finds the events that match a filter, in a separate session that receives the same input as the capture's.
final class FilterJob: @unchecked Sendable {
  private struct Found {
    /// The numbers of the events that match, from 0.
    var matches: [UInt32] = []
    var looked = 0
    var isScheduled = false
    /// The filter took too long and checks no more events.
    var gaveUp = false
    var isCancelled = false
  }

  /// After this time, a filter gives up if it is also slow: a long capture takes long with any filter.
  static let usualWaitLimit = 10.0
  private static let mostPerPacket = 0.000_05
  /// The page shows the matches found by then.
  private static let slice = 0.1

  // Only the queue uses these.
  private var taken = 0.0
  private var packets = 0
  private var replay: Replay
  /// A match is also an event of the page.
  private var findings = Findings()
  private var hasFinished = false
  private var filter: EventFilter
  private var packet = PacketReading()
  private let wanted: [Bool]?
  private let queue = DispatchQueue(label: "filter")
  private let found = Mutex(Found())

  private let waitLimit: Double

  init(
    _ filter: Filter, _ log: SessionLog, _ knowledge: Knowledge, waitLimit: Double = usualWaitLimit
  ) {
    self.waitLimit = waitLimit
    replay = Replay(log, knowledge)
    wanted = filter.asksPackets ? filter.kindsWithFields : nil
    self.filter = EventFilter(filter)
    replay.session.keepsMessages = !filter.paths.isEmpty
  }

  /// Checks the input since the last call.
  func advance() {
    let starts = found.withLock { found in
      guard !found.gaveUp else { return false }
      defer { found.isScheduled = true }
      return !found.isScheduled
    }
    if starts { queue.async { self.run() } }
  }

  func cancel() { found.withLock { $0.isCancelled = true } }

  private func run() {
    while step() {}
    found.withLock { $0.isScheduled = false }
  }

  /// In batches: single packets would take a lock each.
  private func step() -> Bool {
    var matches: [UInt32] = []
    var looked = found.withLock { $0.looked }
    var steps = 0
    let begun = DispatchTime.now().uptimeNanoseconds
    var seconds = 0.0
    while steps < 4_096, seconds < Self.slice {
      defer {
        if steps & 15 == 0 {
          seconds = Double(DispatchTime.now().uptimeNanoseconds - begun) / 1_000_000_000
        }
      }
      let goesOn = replay.step { record, session in
        if let wanted { session.keepsFields = wanted[Int(record.kind.rawValue)] }
      } after: { record, bytes, session in
        if let record { filter.take(record, bytes, &packet, &session) }
        for event in session.events {
          look(at: event, session, &matches, &looked)
          for finding in findings.events(after: event, session) {
            look(at: finding, session, &matches, &looked)
          }
        }
      }
      if replay.hasEnded, !hasFinished {
        hasFinished = true
        for finding in findings.lastEvents(replay.session) {
          look(at: finding, replay.session, &matches, &looked)
        }
      }
      guard goesOn else { break }
      steps += 1
    }
    taken += Double(DispatchTime.now().uptimeNanoseconds - begun) / 1_000_000_000
    packets += steps
    let gaveUp = taken > waitLimit && taken > Self.mostPerPacket * Double(packets)
    return found.withLock { found in
      found.matches += matches
      found.looked = looked
      found.gaveUp = gaveUp
      return steps > 0 && !found.isCancelled && !gaveUp
    }
  }

  private func look(
    at event: Event, _ session: borrowing Session, _ matches: inout [UInt32], _ looked: inout Int
  ) {
    if filter.matches(event, session) { matches.append(UInt32(looked)) }
    looked += 1
  }

  /// The matches so far, the number of checked events, and whether the filter gave up.
  var result: (matches: [UInt32], looked: Int, gaveUp: Bool) {
    found.withLock { ($0.matches, $0.looked, $0.gaveUp) }
  }
}

/// The filters that pages requested last.
final class FilterJobs: Sendable {
  /// Each needs memory for all packets.
  private static let most = 3

  private let log: SessionLog
  private let knowledge: Knowledge
  private let jobs = Mutex<[(text: String, job: FilterJob)]>([])

  init(_ log: SessionLog, _ knowledge: Knowledge) {
    (self.log, self.knowledge) = (log, knowledge)
  }

  /// The job of a filter, which is started if there is none.
  func job(_ text: String) throws(FilterError) -> FilterJob {
    if let known = jobs.withLock({ jobs in
      jobs.firstIndex { $0.text == text }.map { index in
        let entry = jobs.remove(at: index)
        jobs.append(entry)
        return entry.job
      }
    }) {
      known.advance()
      return known
    }
    let job = FilterJob(try Filter(text), log, knowledge)
    jobs.withLock { jobs in
      jobs.append((text, job))
      if jobs.count > Self.most { jobs.removeFirst().job.cancel() }
    }
    job.advance()
    return job
  }
}
