import HarkCore
import HarkSession

extension Timeline {
  /// Folds what hosts do all the time whatever else happens: scanning, advertising, writing logs,
  /// attempts and commands that fail again and again. The first of a kind is told; what follows within a minute
  /// is counted, and told before the next thing of another kind, or at the end of that minute.
  struct Background: Sendable {
    private struct Run: Sendable {
      var key: String
      var began: Timestamp
      var line: Line
      /// The first of what was counted: a few are told in full.
      var first: [Line] = []
      var starts = 0
      /// Whether the first end was told as well.
      var hasEnded = false
      var devices = 0
      var reports = 0
    }

    /// In nanoseconds.
    private static let longest: Int64 = 60_000_000_000
    private static let most = 32
    /// Not worth folding: recorders introduce themselves with so many.
    private static let fewNotes = 8
    private let isWhole: Bool
    private var runs: [Run] = []

    init(isWhole: Bool) { self.isWhole = isWhole }

    enum Fate {
      /// It is one of a run that goes on.
      case counted
      /// It is the first of its kind.
      case told
      /// It is not of the kinds that are folded here.
      case foreign
    }

    mutating func take(_ content: Event.Content, _ line: Line) -> Fate {
      guard let key = key(content, line) else { return .foreign }
      guard let index = runs.firstIndex(where: { $0.key == key && $0.line.device == line.device })
      else {
        if runs.count < Self.most { runs.append(Run(key: key, began: line.time, line: line)) }
        return .told
      }
      if Self.isEnd(content), !runs[index].hasEnded, runs[index].line.more == 0 {
        runs[index].hasEnded = true
        return .told
      }
      runs[index].line.count(line)
      if line.lane == .note, runs[index].first.count <= Self.fewNotes {
        runs[index].first.append(line)
      }
      switch content {
      case .scanStopped(let devices, let reports):
        runs[index].devices += devices
        runs[index].reports += reports
      case .scanStarted, .advertisingStarted: runs[index].starts += 1
      default: break
      }
      return .counted
    }

    private static func isEnd(_ content: Event.Content) -> Bool {
      switch content {
      case .scanStopped, .advertisingStopped: true
      default: false
      }
    }

    private func key(_ content: Event.Content, _ line: Line) -> String? {
      switch content {
      case .scanStarted, .scanStopped: "scanning"
      case .advertisingStarted, .advertisingStopped: "advertising"
      case .linkFailed, .commandFailed: line.text
      // Comments are what somebody wanted to be read.
      case .note(let source, _) where isWhole && source != "comment": line.repetition.subject
      default: nil
      }
    }

    /// Whether a run is over at `time`.
    func isOver(at time: Timestamp) -> Bool {
      runs.contains { time.since($0.began) > Self.longest }
    }

    /// Forgets the runs that are over at `time`; all, without one.
    mutating func expire(at time: Timestamp?) {
      if runs.isEmpty { return }
      runs.removeAll { run in time.map { $0.since(run.began) > Self.longest } ?? true }
    }

    /// The lines of all that was counted, which begins anew.
    mutating func takeHeld() -> [Line] {
      var lines: [Line] = []
      for index in runs.indices where runs[index].line.more > 0 {
        let first = runs[index].first
        lines += 1...Self.fewNotes ~= first.count ? first : [Self.told(runs[index])]
        runs[index].line.more = 0
        runs[index].first.removeAll()
        (runs[index].starts, runs[index].devices, runs[index].reports) = (0, 0, 0)
      }
      return lines
    }

    private static func told(_ run: Run) -> Line {
      var line = run.line
      if line.more == 1 { return line }
      switch run.key {
      case "scanning" where run.starts > 0:
        line.text =
          "scanning went on, \(Names.count(run.starts, "more start")): "
          + "\(Names.count(run.devices, "new device")) "
          + "in \(Names.count(run.reports, "report"))"
      case "scanning":
        line.text =
          "scanning stopped: \(Names.count(run.devices, "new device")) "
          + "in \(Names.count(run.reports, "report"))"
      case "advertising" where run.starts > 0:
        line.text = "advertising went on, \(Names.count(run.starts, "more start"))"
      case "advertising": line.text = "advertising stopped"
      case _ where line.lane == .note:
        line.text = "\(Names.count(line.more)) more \(line.repetition.subject)"
      default: line.text = "\(line.more) more: \(line.text)"
      }
      return line
    }
  }
}
