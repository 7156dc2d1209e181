import HarkCore
import HarkSession

/// Events in several logs are reported once: a journal goes to its file and to the unified log, and logs that
/// were taken one after the other overlap.
enum LogDeduplication {
  typealias Entry = (time: Timestamp, log: Int, event: AppEvent)

  /// What logs differ by after their clocks were brought to the capture's, in nanoseconds.
  private static let margin: Int64 = 1_000_000_000
  /// Entries before one that are looked at.
  private static let most = 256

  /// - Parameter entries: In the order of their times.
  static func entries(_ entries: [Entry]) -> [Entry] {
    guard Set(entries.map(\.log)).count > 1 else { return entries }
    var kept: [Entry] = []
    // The logs with the kept entries.
    var reporters: [Set<Int>] = []
    for entry in entries {
      let same = kept.indices.suffix(most).last { index in
        entry.time.since(kept[index].time) <= margin && !reporters[index].contains(entry.log)
          && isSame(kept[index].event, entry.event)
      }
      guard let same else {
        kept.append(entry)
        reporters.append([entry.log])
        continue
      }
      reporters[same].insert(entry.log)
      // What the app says itself goes before what hark reads from words.
      if entry.event.isCertain, !kept[same].event.isCertain { kept[same].event = entry.event }
    }
    return kept
  }

  private static func isSame(_ a: AppEvent, _ b: AppEvent) -> Bool {
    guard a.kind == b.kind, isCompatible(a.pid, b.pid), isCompatible(a.process, b.process) else {
      return false
    }
    if a.kind == .line || a.process == nil || b.process == nil { return a.text == b.text }
    return a.facts.allSatisfy { fact, value in
      switch fact {
      // A line is its own error, and the header of a journal says the others.
      case .error, .bundle, .extensionPoint, .result: true
      default: isCompatible(value.uppercased(), b[fact]?.uppercased())
      }
    }
  }

  private static func isCompatible<Value: Equatable>(_ a: Value?, _ b: Value?) -> Bool {
    a == nil || b == nil || a == b
  }
}
