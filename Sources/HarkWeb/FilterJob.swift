import Dispatch
import HarkFilter
import Synchronization

/// What a search found since it was last asked.
struct FilterHits {
  /// The numbers of the events or packets that match, from 0.
  var matches: [UInt32] = []
  /// The number of events or packets that were checked so far.
  var looked = 0
  /// Whether the matches replace all earlier ones.
  var isAnew = false
  /// Whether the capture has ended and everything was checked.
  var isOver = false
}

/// Checks the events or the packets of a capture against a filter, one step of the input after the other.
protocol FilterSearch: AnyObject {
  /// Processes the next step of the input; false if there is none yet.
  func step(_ hits: inout FilterHits) -> Bool
}

/// Runs a search in the background, as far as the input goes.
final class FilterJob: @unchecked Sendable {
  private struct Found {
    /// The numbers of the events or packets that match, from 0.
    var matches: [UInt32] = []
    var looked = 0
    var isScheduled = false
    /// The filter took too long and checks nothing more.
    var gaveUp = false
    var isOver = false
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
  private let search: any FilterSearch
  private let queue = DispatchQueue(label: "filter")
  private let found = Mutex(Found())

  private let waitLimit: Double

  init(_ search: any FilterSearch, waitLimit: Double = usualWaitLimit) {
    self.search = search
    self.waitLimit = waitLimit
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
    var hits = FilterHits()
    (hits.looked, hits.isOver) = found.withLock { ($0.looked, $0.isOver) }
    var steps = 0
    let begun = DispatchTime.now().uptimeNanoseconds
    var seconds = 0.0
    while steps < 4_096, seconds < Self.slice {
      defer {
        if steps & 15 == 0 {
          seconds = Double(DispatchTime.now().uptimeNanoseconds - begun) / 1_000_000_000
        }
      }
      guard search.step(&hits) else { break }
      steps += 1
    }
    taken += Double(DispatchTime.now().uptimeNanoseconds - begun) / 1_000_000_000
    packets += steps
    let gaveUp = taken > waitLimit && taken > Self.mostPerPacket * Double(packets)
    return found.withLock { [hits] found in
      if hits.isAnew { found.matches.removeAll() }
      found.matches += hits.matches
      found.looked = hits.looked
      found.gaveUp = gaveUp
      found.isOver = hits.isOver
      return steps > 0 && !found.isCancelled && !gaveUp
    }
  }

  /// The matches so far, the number of checked events or packets, whether the filter gave up, and whether it has checked
  /// a capture that has ended to its end.
  var result: (matches: [UInt32], looked: Int, gaveUp: Bool, isOver: Bool) {
    found.withLock { ($0.matches, $0.looked, $0.gaveUp, $0.isOver) }
  }
}

/// The filters that pages requested last.
final class FilterJobs: Sendable {
  /// Each needs memory for all packets.
  private static let most = 3

  private let start: @Sendable (Filter) -> any FilterSearch
  private let jobs = Mutex<[(text: String, job: FilterJob)]>([])

  /// - Parameter start: Creates the search of a filter.
  init(_ start: @escaping @Sendable (Filter) -> any FilterSearch) { self.start = start }

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
    let job = FilterJob(start(try Filter(text)))
    jobs.withLock { jobs in
      jobs.append((text, job))
      if jobs.count > Self.most { jobs.removeFirst().job.cancel() }
    }
    job.advance()
    return job
  }
}
