import HarkCore
import HarkPlatform
import HarkSession

/// The app's side as it grows beside a live capture.
public struct LiveAppSide {
  /// Between readings of the logs, in nanoseconds.
  private static let pause: Int64 = 100_000_000
  /// A line waits so long for packets that were there before it: recorders hand them on later.
  private static let waitLimit: Int64 = 500_000_000
  /// Between comparisons of the clocks.
  private static let comparePause: Int64 = 1_000_000_000
  /// Entries of one log that wait for the first packet.
  private static let mostWaiting = 10_000
  /// Entries that a line may repeat.
  private static let mostRecent = 64

  private var logs: [GrowingLog]
  private let declaration: AppDeclaration?
  private var isDeclared = false
  private var wire: [LiveClock.Mark] = []
  private var isNewOnWire = false
  /// What the capture's clock is behind this machine's at least, by packets that were waited for.
  private var captureLag: Int64?
  private var isFresh = false
  private var (nextReading, nextComparison): (Int64, Int64) = (0, 0)
  private var recent: [LogDeduplication.Entry] = []
  /// Is called with all that a session is given, where another one is to be given the same.
  public var onUpdate: (@Sendable (SessionUpdate) -> Void)?

  /// - Parameters:
  ///   - logs: Files, FIFOs, `-` or `unix:PATH`.
  ///   - offset: What the times of all logs are after, in nanoseconds, if the user says so.
  /// - Throws: `AppLogError` where one cannot be opened.
  public init(
    _ logs: [String], _ declaration: AppDeclaration?, offset: Int64?
  ) throws(AppLogError) {
    self.declaration = declaration
    let own = AppNames(declaration)
    var opened: [GrowingLog] = []
    for log in logs { opened.append(try GrowingLog(log, own: own, offset: offset)) }
    self.logs = opened
  }

  /// Whether there is anything to wait for.
  public var isGrowing: Bool { !logs.isEmpty }

  public func introduce(to session: inout Session) {
    if declaration != nil { give(.advertisers, to: &session) }
  }

  /// What is to be said on standard error since the last call.
  public mutating func takeProblems() -> [String] {
    logs.indices.compactMap { index in
      defer { logs[index].problem = nil }
      return logs[index].problem
    }
  }

  /// Takes what the record that was indexed last shows.
  /// - Parameter time: Of that record.
  public mutating func note(_ session: borrowing Session, _ time: Timestamp) {
    if isFresh {
      isFresh = false
      captureLag = min(captureLag ?? .max, Timestamp.now.since(time))
    }
    guard !logs.isEmpty else { return }
    for event in session.events {
      for mark in Landmark.all(in: event, session) {
        if wire.count >= LiveClock.most { wire.removeFirst(LiveClock.most / 2) }
        wire.append((mark, event.time.adding(-event.lag)))
        isNewOnWire = true
      }
    }
  }

  public mutating func report(before time: Timestamp?, _ session: inout Session) {
    declare(before: time ?? session.counts.lastTime, &session)
    let now = Self.monotonic
    if now >= nextReading || time == nil { read(at: now, isLast: time == nil) }
    report(before: time, at: now, isLast: time == nil, &session)
  }

  /// Reports what arrived while no packets arrive: call it repeatedly then.
  public mutating func pause(_ session: inout Session) {
    isFresh = true
    let now = Self.monotonic
    read(at: now, isLast: false)
    guard let last = session.counts.lastTime else { return }
    declare(before: last, &session)
    report(before: last, at: now, isLast: false, &session)
  }

  private mutating func declare(before time: Timestamp?, _ session: inout Session) {
    guard !isDeclared, let time, let declaration else { return }
    isDeclared = true
    var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
    (event.declaration, event.isCertain) = (declaration, true)
    give(.app(event, at: time, before: time), to: &session)
  }

  private mutating func read(at now: Int64, isLast: Bool) {
    nextReading = now + Self.pause
    let time = Timestamp.now
    for index in logs.indices {
      logs[index].read(at: now, time, isLast: isLast)
      let excess = logs[index].waiting.count - Self.mostWaiting
      if excess > 0 { logs[index].waiting.removeFirst(excess) }
    }
    guard now >= nextComparison || isLast else { return }
    nextComparison = now + Self.comparePause
    for index in logs.indices {
      logs[index].clock.compare(wire, isNew: isNewOnWire, captureLag: captureLag)
    }
    isNewOnWire = false
  }

  /// Reports what is due: what happened before a record, and what has waited long enough.
  private mutating func report(
    before time: Timestamp?, at now: Int64, isLast: Bool, _ session: inout Session
  ) {
    guard logs.contains(where: { !$0.waiting.isEmpty }),
      let last = time ?? session.counts.lastTime
    else { return }
    var due: [LogDeduplication.Entry] = []
    for index in logs.indices where !logs[index].waiting.isEmpty {
      let clock = logs[index].clock.clock
      let count = due.count
      var rest: [GrowingLog.Entry] = []
      var outside = 0
      for entry in logs[index].waiting {
        let mapped = clock.captureTime(entry.time)
        guard isLast || mapped <= last || now - entry.arrived >= Self.waitLimit else {
          rest.append(entry)
          continue
        }
        // What lies there is of another day.
        if mapped.since(last).magnitude > AppSide.margin.magnitude {
          outside += 1
        } else {
          due.append((mapped, index, entry.event))
        }
      }
      logs[index].waiting = rest
      if due.count > count || outside > 0 {
        reportClock(of: index, outside: outside, last, &session)
      }
    }
    due = due.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    for entry in unrepeated(due) {
      if let identifier = entry.event[.identifier], let address = entry.event.address {
        give(.identifier(identifier, of: address), to: &session)
      }
      give(.app(entry.event, at: entry.time, before: last), to: &session)
    }
  }

  private mutating func reportClock(
    of index: Int, outside: Int, _ last: Timestamp, _ session: inout Session
  ) {
    guard var clock = logs[index].clock.news() else { return }
    clock.outside = outside
    var event = AppEvent(.clock, AppEvent.Origin(file: logs[index].log.name, line: 0))
    (event.clock, event.isCertain, event.text) = (clock, true, logs[index].log.format)
    give(.app(event, at: last, before: last), to: &session)
  }

  private func give(_ update: SessionUpdate, to session: inout Session) {
    session.take(update)
    onUpdate?(update)
  }

  /// Without entries that another log already has.
  private mutating func unrepeated(
    _ due: [LogDeduplication.Entry]
  ) -> [LogDeduplication.Entry] {
    guard logs.count > 1 else { return due }
    let fresh = Array(LogDeduplication.entries(recent + due).dropFirst(recent.count))
    recent = Array((recent + fresh).suffix(Self.mostRecent))
    return fresh
  }

  private static var monotonic: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
