import HarkCore
import HarkSession

extension Timeline {
  /// Folds what hosts do all the time whatever else happens: scanning, advertising, attempts and
  /// commands that fail again and again. The first of a kind is told; what follows within a minute
  /// is one line at the end of that minute.
  struct Background: Sendable {
    private struct Run: Sendable {
      var key: String
      var began: Timestamp
      var line: Line
      var starts = 0
      /// Whether the first end was told as well.
      var hasEnded = false
      var devices = 0
      var reports = 0
    }

    /// In nanoseconds.
    private static let longest: Int64 = 60_000_000_000
    private static let most = 32
    private var runs: [Run] = []

    enum Fate {
      /// It is one of a run that goes on.
      case counted
      /// It is the first of its kind.
      case told
      /// It is not of the kinds that are folded here.
      case foreign
    }

    mutating func take(_ content: Event.Content, _ line: Line) -> Fate {
      guard let key = Self.key(content, line) else { return .foreign }
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

    private static func key(_ content: Event.Content, _ line: Line) -> String? {
      switch content {
      case .scanStarted, .scanStopped: "scanning"
      case .advertisingStarted, .advertisingStopped: "advertising"
      case .linkFailed, .commandFailed: line.text
      default: nil
      }
    }

    /// The lines of the runs that are over at `time`; of all, without one. In order of time.
    mutating func expire(at time: Timestamp?) -> [Line] {
      guard !runs.isEmpty else { return [] }
      let isOver = { (run: Run) in
        time.map { $0.since(run.began) > Self.longest } ?? true
      }
      let lines = runs.filter { isOver($0) && $0.line.more > 0 }.map(Self.told)
      runs.removeAll(where: isOver)
      return lines.sorted { $0.frames.last < $1.frames.last }
    }

    private static func told(_ run: Run) -> Line {
      var line = run.line
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
      default: if line.more > 1 { line.text = "\(line.more) more: \(line.text)" }
      }
      return line
    }
  }
}
