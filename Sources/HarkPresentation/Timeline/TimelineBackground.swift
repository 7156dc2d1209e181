import HarkCore
import HarkSession

extension Timeline {
  /// Folds what hosts do all the time: scanning and advertising (see `Radio`),
  /// log messages, attempts and commands that fail again and again. The first event of a kind is printed.
  /// Those that follow within a minute are counted, and the count is printed before the next event of another
  /// kind, or at the end of that minute.
  struct Background: Sendable {
    private struct Run: Sendable {
      var key: String
      var began: Timestamp
      var line: Line
      /// The first of the counted events: a few are printed in full.
      var first: [Line] = []

      /// Also if the clock was set back.
      func isOver(at time: Timestamp) -> Bool {
        time.since(began).magnitude > Background.longest
      }
    }

    /// In nanoseconds.
    private static let longest: UInt64 = 60_000_000_000
    private static let most = 32
    /// Too few to fold: recorders introduce themselves with this many.
    private static let fewNotes = 8
    private let isWhole: Bool
    private var runs: [Run] = []
    private var radio = Radio()
    /// Events of links that are printed only once: the Link Layers of a connection send their versions
    /// and features again and again.
    private var reportedOnce: Set<String> = []
    private static let mostReportedOnce = 4_096

    init(isWhole: Bool) { self.isWhole = isWhole }

    enum Fate {
      /// It continues a run.
      case counted
      /// It is the first of its kind.
      case reported
      /// It is printed, and folding of the others continues.
      case reportedBeside
      /// It is not of a kind that is folded here.
      case foreign
    }

    mutating func take(_ event: Event, _ line: Line) -> Fate {
      let content = event.content
      if isReportedAlready(event, line) { return .counted }
      if let isReported = radio.take(content, line) {
        return isReported ? .reportedBeside : .counted
      }
      guard let key = key(content, line) else { return .foreign }
      guard let index = runs.firstIndex(where: { $0.key == key && $0.line.device == line.device })
      else {
        if runs.count < Self.most { runs.append(Run(key: key, began: line.time, line: line)) }
        return content.described.kind.folded == nil ? .reported : .reportedBeside
      }
      runs[index].line.count(line)
      if line.lane == .note, runs[index].first.count <= Self.fewNotes {
        runs[index].first.append(line)
      }
      return .counted
    }

    private mutating func isReportedAlready(_ event: Event, _ line: Line) -> Bool {
      switch event.content {
      case .linkLayer(.features), .linkLayer(.version), .link(.change(.peerVersion)): break
      default: return false
      }
      guard let link = event.link else { return false }
      if reportedOnce.count >= Self.mostReportedOnce { reportedOnce = [] }
      return !reportedOnce.insert("\(link.index) \(line.text)").inserted
    }

    private func key(_ content: Event.Content, _ line: Line) -> String? {
      switch content {
      case .link(.failed), .controller(.commandFailed), .link(.change(.peerInformationFailed)):
        line.text
      // Somebody wrote the comments to be read.
      case .capture(.note(let note)) where isWhole && note.source != "comment":
        line.repetition.subject
      default: content.described.kind.folded == nil ? nil : line.repetition.subject
      }
    }

    /// Whether a run is over at `time`.
    func isOver(at time: Timestamp) -> Bool {
      radio.isOver(at: time) || runs.contains { $0.isOver(at: time) }
    }

    /// Forgets the runs that are over at `time`; all, without one.
    mutating func expire(at time: Timestamp?) {
      if runs.isEmpty { return }
      runs.removeAll { run in time.map { run.isOver(at: $0) } ?? true }
    }

    /// The lines of everything that was counted; counting starts again.
    mutating func takeHeld() -> [Line] {
      var lines = radio.takeHeld()
      for index in runs.indices where runs[index].line.more > 0 {
        let first = runs[index].first
        lines += 1...Self.fewNotes ~= first.count ? first : [Self.reported(runs[index])]
        runs[index].line.more = 0
        runs[index].first.removeAll()
      }
      return lines
    }

    private static func reported(_ run: Run) -> Line {
      var line = run.line
      if line.more == 1 {
        // Beside the printed line, the same words would look like the same event.
        if run.key == line.text { line.text = "once more: \(line.text)" }
        return line
      }
      line.text =
        run.key == line.repetition.subject && line.lane == .link
        ? line.repetition.counted(line.more)
        : line.lane == .note
          ? "\(Names.count(line.more)) more \(line.repetition.subject)"
          : "\(Names.count(line.more)) more times: \(line.text)"
      return line
    }
  }
}
