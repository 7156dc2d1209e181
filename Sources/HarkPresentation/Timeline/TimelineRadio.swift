import HarkCore
import HarkDissection
import HarkSession

extension Timeline {
  /// Folds scanning, inquiry, advertising and cancelled connection attempts, which phones start and stop all the
  /// time. The first of each, and of each advertising set, has a line of its own. Those that
  /// follow are counted together in one line, before the next line about something else, or after
  /// ten minutes.
  struct Radio: Sendable {
    private enum Act: Hashable, Sendable {
      case scanStart, scanStop, advertisingStart, advertisingStop, advertisingEnd,
        advertisingRemoval, inquiryStart, inquiryStop, cancel
    }

    /// What is counted separately: for advertising, each choice of sets.
    private struct Kind: Hashable, Sendable {
      let act: Act
      var sets: [UInt8] = []
    }

    /// What one controller did since the last printed line.
    private struct Period: Sendable {
      let device: String
      var line: Line
      /// When the first counted event happened; nil if none is counted.
      var began: Timestamp?
      var reported: Set<Kind> = []
      var counts: [Act: Int] = [:]
      var devices = 0
      var reports = 0
      var sets: Set<UInt8> = []
    }

    /// In nanoseconds.
    private static let longest: UInt64 = 600_000_000_000
    private static let most = 32
    /// Hostile captures have any number of sets, and of choices of them.
    private static let mostKinds = 256
    private var periods: [Period] = []

    /// Whether the event is printed or counted; nil if it is of another kind.
    mutating func take(_ content: Event.Content, _ line: Line) -> Bool? {
      guard let kind = Self.kind(content) else { return nil }
      let place = periods.firstIndex { $0.device == line.device }
      guard let index = place ?? begin(line) else { return true }
      let isStart = [.scanStart, .advertisingStart, .inquiryStart].contains(kind.act)
      if isStart || periods[index].began == nil, periods[index].reported.count < Self.mostKinds,
        periods[index].reported.insert(kind).inserted
      {
        return true
      }
      if periods[index].began == nil {
        (periods[index].began, periods[index].line) = (line.time, line)
      }
      periods[index].line.count(line)
      periods[index].counts[kind.act, default: 0] += 1
      periods[index].sets.formUnion(kind.sets)
      if case .controller(.discovery(.scanStopped(let scan))) = content {
        periods[index].devices += scan.devices
        periods[index].reports += scan.reports
      }
      return false
    }

    private mutating func begin(_ line: Line) -> Int? {
      guard periods.count < Self.most else { return nil }
      periods.append(Period(device: line.device, line: line))
      return periods.count - 1
    }

    private static func kind(_ content: Event.Content) -> Kind? {
      switch content {
      case .controller(.discovery(let event)): kind(event)
      // The host gave up: a cancelled attempt ends so. 7.8.13
      case .link(.failed(let failed))
      where HCIErrorCode(failed.status) == .unknownConnectionIdentifier:
        Kind(act: .cancel)
      default: nil
      }
    }

    private static func kind(_ event: DiscoveryEvent) -> Kind? {
      switch event {
      case .scanStarted: Kind(act: .scanStart)
      case .scanStopped: Kind(act: .scanStop)
      case .advertisingStarted(let it): Kind(act: .advertisingStart, sets: it.sets)
      case .advertisingStopped(let it): Kind(act: .advertisingStop, sets: it.sets)
      case .advertisingEnded(let it): Kind(act: .advertisingEnd, sets: it.sets)
      case .advertisingRemoved(let it): Kind(act: .advertisingRemoval, sets: it.sets)
      case .inquiryStarted: Kind(act: .inquiryStart)
      case .inquiryEnded(let it): it.status == 0 ? Kind(act: .inquiryStop) : nil
      case .monitored: nil
      }
    }

    /// Whether to print the count at `time`.
    func isOver(at time: Timestamp) -> Bool {
      // Also if the clock was set back.
      periods.contains { $0.began.map { time.since($0).magnitude > Self.longest } ?? false }
    }

    /// The lines of everything that was counted; counting starts again.
    mutating func takeHeld() -> [Line] {
      var lines: [Line] = []
      for index in periods.indices where periods[index].began != nil {
        var line = periods[index].line
        if line.more > 1 { line.text = Self.text(periods[index]) }
        lines.append(line)
        var next = Period(
          device: periods[index].device, line: line, reported: periods[index].reported)
        next.line.more = 0
        periods[index] = next
      }
      return lines
    }

    private static func text(_ period: Period) -> String {
      var parts: [String] = []
      func count(_ act: Act) -> Int { period.counts[act] ?? 0 }
      if count(.scanStart) + count(.scanStop) > 0 {
        parts.append(
          more("scanning", starts: count(.scanStart), stops: count(.scanStop))
            + (count(.scanStop) > 0
              ? ": " + DiscoveryEvent.ScanStopped.heard(period.devices, period.reports) : ""))
      }
      if count(.inquiryStart) + count(.inquiryStop) > 0 {
        parts.append(
          more("inquiry", starts: count(.inquiryStart), stops: count(.inquiryStop)))
      }
      let ends = count(.advertisingEnd)
      if count(.advertisingStart) + count(.advertisingStop) + ends > 0 {
        let advertising = "advertising\(DiscoveryEvent.ofSets(period.sets.sorted()))"
        let others = more(
          advertising, starts: count(.advertisingStart), stops: count(.advertisingStop))
        let isAlone = count(.advertisingStart) + count(.advertisingStop) == 0
        parts.append(
          (isAlone ? advertising : others)
            + (ends == 0
              ? "" : isAlone ? " ended \(Self.more(ends))" : ", ended \(Self.times(ends))"))
      }
      if count(.advertisingRemoval) > 0 {
        parts.append("advertising sets removed \(Self.more(count(.advertisingRemoval)))")
      }
      if count(.cancel) > 0 {
        parts.append("\(Names.count(count(.cancel), "more connection attempt")) cancelled")
      }
      return parts.joined(separator: "; ")
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private static func more(_ count: Int) -> String {
      count == 1 ? "once more" : "\(count) more times"
    }

    /// `scanning started and stopped 4 more times`
    private static func more(_ what: String, starts: Int, stops: Int) -> String {
      if starts == stops { return "\(what) started and stopped \(more(starts))" }
      return what
        + (starts > 0 ? " started \(more(starts))" : "")
        + (starts > 0 && stops > 0 ? "," : "")
        + (stops > 0 ? " stopped \(starts > 0 ? times(stops) : more(stops))" : "")
    }
  }
}
