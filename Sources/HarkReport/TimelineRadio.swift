import HarkCore
import HarkSession

extension Timeline {
  /// Scanning and advertising, which phones do all the time, a start after a stop. The first start
  /// and the first stop of each are told. What follows is counted together and told in one line,
  /// before the next line that says something else, or after ten minutes.
  struct Radio: Sendable {
    private enum Act: Sendable {
      case scanStart, scanStop, advertisingStart, advertisingStop
    }

    /// What one controller did since it was last told.
    private struct Period: Sendable {
      let device: String
      var line: Line
      /// When the first that is counted happened; nil where nothing is.
      var began: Timestamp?
      var told: Set<Act> = []
      var counts: [Act: Int] = [:]
      var devices = 0
      var reports = 0
      var sets: Set<UInt8> = []
    }

    /// In nanoseconds.
    private static let longest: Int64 = 600_000_000_000
    private static let most = 32
    private var periods: [Period] = []

    /// Whether the event is told, or counted; nil if it is neither scanning nor advertising.
    mutating func tells(_ content: Event.Content, _ line: Line) -> Bool? {
      guard let act = Self.act(content) else { return nil }
      let place = periods.firstIndex { $0.device == line.device }
      guard let index = place ?? begin(line) else { return true }
      let isStart = act == .scanStart || act == .advertisingStart
      if isStart || periods[index].began == nil, periods[index].told.insert(act).inserted {
        return true
      }
      periods[index].began = periods[index].began ?? line.time
      periods[index].line.count(line)
      periods[index].counts[act, default: 0] += 1
      switch content {
      case .scanStopped(let devices, let reports):
        periods[index].devices += devices
        periods[index].reports += reports
      case .advertisingStarted(let sets, _), .advertisingStopped(let sets):
        periods[index].sets.formUnion(sets)
      default: break
      }
      return false
    }

    private mutating func begin(_ line: Line) -> Int? {
      guard periods.count < Self.most else { return nil }
      periods.append(Period(device: line.device, line: line))
      return periods.count - 1
    }

    private static func act(_ content: Event.Content) -> Act? {
      switch content {
      case .scanStarted: .scanStart
      case .scanStopped: .scanStop
      case .advertisingStarted: .advertisingStart
      case .advertisingStopped: .advertisingStop
      default: nil
      }
    }

    /// Whether what is counted should be told at `time`.
    func isOver(at time: Timestamp) -> Bool {
      periods.contains { $0.began.map { time.since($0) > Self.longest } ?? false }
    }

    /// The lines of all that was counted, which begins anew.
    mutating func takeHeld() -> [Line] {
      var lines: [Line] = []
      for index in periods.indices where periods[index].began != nil {
        var line = periods[index].line
        if line.more > 1 { line.text = Self.text(periods[index]) }
        lines.append(line)
        let told = periods[index].told
        periods[index] = Period(device: line.device, line: line, told: told)
        periods[index].line.more = 0
      }
      return lines
    }

    private static func text(_ period: Period) -> String {
      var parts: [String] = []
      let (scans, ends) = (period.counts[.scanStart] ?? 0, period.counts[.scanStop] ?? 0)
      if scans + ends > 0 {
        let heard = ends > 0 ? ": " + EventText.heard(period.devices, period.reports) : ""
        parts.append(went("scanning", starts: scans) + heard)
      }
      let starts = period.counts[.advertisingStart] ?? 0
      if starts + (period.counts[.advertisingStop] ?? 0) > 0 {
        parts.append(
          went("advertising\(EventText.advertisingSets(period.sets.sorted()))", starts: starts))
      }
      return parts.joined(separator: "; ")
    }

    private static func went(_ what: String, starts: Int) -> String {
      starts > 0 ? "\(what) went on, \(Names.count(starts, "more start"))" : "\(what) stopped"
    }
  }
}
