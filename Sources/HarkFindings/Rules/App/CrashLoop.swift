import HarkCore
import HarkSession

struct CrashLoop: Rule {
  static let about = RuleDescription(
    id: "app.crash-loop", title: "An extension is launched repeatedly",
    severity: .error, needs: .logs,
    meaning:
      "The extension crashes or is terminated soon after each launch: its sessions and keys "
      + "are lost, and the system stops launching it.",
    source:
      "Apple, ExtensionFoundation: an extension runs in a separate process; XPC: a "
      + "connection is interrupted when the process on the other side ends",
    fix:
      "Look for crash reports and jetsam events of the extension at these times. Check the "
      + "code that runs first after its launch."
  )
  static let wants: Set<Event.Family> = [.app]

  /// So many launches in so short a time.
  private static let launches = 3
  private static let span = Int64.seconds(60)
  private static let oneLaunch = Int64.seconds(5)
  private static let most = 64

  private struct Runs {
    var starts: [Place] = []
    /// Of the extension, if its journal has it.
    var pid: Int?
    /// Whether it ended since the last launch.
    var hasEnded = false
  }

  private var runs: [String: Runs] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard let app = event.app, app.kind == .extensionLaunched || app.kind == .extensionEnded else {
      return
    }
    let who = app[.bundle] ?? app.subject
    if app.kind == .extensionEnded {
      runs[who]?.hasEnded = true
      return
    }
    guard runs[who] != nil || runs.count < Self.most else { return }
    var run = runs[who] ?? Runs()
    // A daemon and the extension itself log one launch, each perhaps in several lines.
    if run.hasEnded {
      run.hasEnded = false
    } else if let last = run.starts.last, event.time.since(last.time) < Self.oneLaunch {
      guard app.isCertain, let pid = app.pid, let before = run.pid, pid != before else { return }
    } else if app.isCertain, let pid = app.pid, pid == run.pid {
      return
    }
    run.pid = app.isCertain ? app.pid : nil
    run.starts = run.starts.filter { event.time.since($0.time) <= Self.span } + [Place(event)]
    if run.starts.count >= Self.launches, let first = run.starts.first {
      report.found(
        first,
        observed: "\(who) was launched \(run.starts.count) times in "
          + "\(public: Names.duration(event.time.since(first.time)))",
        expected: "one launch, and a process that keeps running", confidence: .likely, subject: who)
      run.starts = []
    }
    runs[who] = run
  }
}

extension AppEvent {
  /// Which extension a line is about: a daemon names it after its words.
  fileprivate var subject: String {
    guard !isCertain, !isExtension else { return process ?? origin.file }
    let words = text.split { " :,'\"()[]".contains($0) }
    return words.last { $0.split(separator: ".").count >= 3 }.map(String.init)
      ?? self[.extensionPoint] ?? process ?? origin.file
  }
}
