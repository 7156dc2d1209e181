import HarkCore
import HarkSession

/// Everything that is known about the app's side beside one capture, on its way into the capture's events.
public struct AppSide: AppReporting {
  public private(set) var logs: [AppLog]
  /// One for each log.
  private var stretches: [PiecewiseClockMap]
  public let declaration: AppDeclaration?
  /// In the order of the capture's clock.
  private var events: [(time: Timestamp, event: AppEvent)] = []
  private var next = 0
  /// Entries without a time: they follow everything else.
  private var undated: [AppEvent] = []
  private var isBegun = false

  /// What lies further from the capture, in nanoseconds, is of another day.
  static let margin: Int64 = 600_000_000_000

  /// - Parameters:
  ///   - offset: What the times of all logs are after, in nanoseconds, if the user says so.
  ///   - landmarks: Of the capture; nil if it can be read once only.
  public init(
    _ logs: [AppLog], _ declaration: AppDeclaration?, offset: Int64?, landmarks: Landmarks?
  ) {
    self.logs = logs
    self.declaration = declaration
    var stretches = logs.map { (log: AppLog) -> PiecewiseClockMap in
      if let offset { return PiecewiseClockMap(AppClock(.given, offset: offset)) }
      guard let landmarks else { return PiecewiseClockMap(AppClock(.unread)) }
      var stretches = PiecewiseClockMap(log.entries, landmarks.all)
      if stretches.clocks[0].basis == .none, let span = landmarks.span {
        stretches.clocks[0] = AppClock.none(log.entries.map(\.time), span)
      }
      // A log that says what its clock is ahead of UTC is not the one that shows local time.
      if !log.hasZone {
        for index in stretches.clocks.indices {
          guard let zone = stretches.clocks[index].zone else { continue }
          (stretches.clocks[index].zone, stretches.clocks[index].isZoneOfLog) = (-zone, true)
        }
      }
      return stretches
    }
    Self.dropDisputedZones(&stretches, haveZones: logs.map(\.hasZone))
    for (index, log) in logs.enumerated() {
      let times = log.bounds.map { bound in
        stretches[index].clocks[stretches[index].index(of: bound.line)].captureTime(bound.time)
      }
      for part in stretches[index].clocks.indices {
        stretches[index].clocks[part].kept = log.entries.count
        stretches[index].clocks[part].lineCount = log.counts.lines
        stretches[index].clocks[part].damagedCount = log.counts.damaged
        guard let first = times.min(), let last = times.max() else { continue }
        stretches[index].clocks[part].covers = first...last
      }
    }
    var all: [LogDeduplication.Entry] = []
    for (index, log) in logs.enumerated() {
      for entry in log.entries {
        let part = stretches[index].index(of: entry.event.origin.line)
        let time = stretches[index].clocks[part].captureTime(entry.time)
        if let first = landmarks?.first, let last = landmarks?.last,
          first.since(time) > Self.margin || time.since(last) > Self.margin
        {
          stretches[index].clocks[part].outside += 1
        } else {
          all.append((time, index, entry.event))
        }
      }
    }
    self.stretches = stretches
    let ordered = all.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    events = LogDeduplication.entries(ordered).map { ($0.time, $0.event) }
  }

  /// A clock that was set to another hour looks like local time. The capture does not show local time if another log, or
  /// another part of the log, agrees with it; a log does not if a part of it agrees with the capture.
  static func dropDisputedZones(_ stretches: inout [PiecewiseClockMap], haveZones: [Bool]) {
    let agree = stretches.map { $0.clocks.contains { $0.basis == .matches && $0.zone == nil } }
    let isUTC = zip(agree, haveZones).contains { $0 && $1 }
    for index in stretches.indices where agree[index] || (haveZones[index] && isUTC) {
      for part in stretches[index].clocks.indices { stretches[index].clocks[part].zone = nil }
    }
  }

  /// Adds messages of the internet transport, whose times are taken as they are.
  public mutating func add(_ messages: [InternetPayloads.Message]) {
    let dated = messages.compactMap { message in message.time.map { ($0, message.event) } }
    events = (events.map { ($0.time, $0.event) } + dated).enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }.map { (time: $0.element.0, event: $0.element.1) }
    undated += messages.filter { $0.time == nil }.map(\.event)
  }

  /// What CoreBluetooth calls devices goes to the session before its first record.
  public func introduce(to session: inout Session) {
    if declaration != nil { session.gatherAdvertisers() }
    for log in logs {
      for known in log.identifiers {
        session.note(identifier: known.identifier, of: known.address)
      }
    }
  }

  /// Reports what happened before the record that comes next.
  /// - Parameter time: Of that record; nil after the last.
  public mutating func report(before time: Timestamp?, _ session: inout Session) {
    let end = time ?? session.counts.lastTime ?? Timestamp(nanoseconds: 0)
    if !isBegun {
      isBegun = true
      let first = events.first.map { min($0.time, end) } ?? end
      for event in headers { session.report(event, at: first, before: end) }
    }
    while next < events.count, time.map({ events[next].time <= $0 }) ?? true {
      session.report(events[next].event, at: events[next].time, before: end)
      next += 1
    }
    guard time == nil else { return }
    let last = max(end, session.counts.lastTime ?? end, events.last?.time ?? end)
    for event in undated { session.report(event, at: last, before: last) }
    undated = []
  }

  /// What precedes all: how the clocks compare, and what the app declares.
  private var headers: [AppEvent] {
    var events: [AppEvent] = []
    for (log, clock) in zip(logs, stretches).flatMap({ log, all in all.clocks.map { (log, $0) } }) {
      var event = AppEvent(.clock, AppEvent.Origin(file: log.name, line: 0))
      event.clock = clock
      event.text = log.summary
      event.isCertain = true
      events.append(event)
    }
    if let declaration {
      var event = AppEvent(.declaration, AppEvent.Origin(file: "Info.plist", line: 0))
      event.declaration = declaration
      event.isCertain = true
      events.append(event)
    }
    return events
  }
}
