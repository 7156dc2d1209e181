import HarkCrypto
import HarkSession

/// Keys that come while a capture is recorded: from a key log, and from key files that change.
struct ArrivingKeys {
  var log: KeyLog?
  var watch: KeyWatch
  /// Those that were not taken yet.
  private var waiting: [StoredKey] = []

  init(log: KeyLog?, watch: KeyWatch) { (self.log, self.watch) = (log, watch) }

  /// Whether there is anything to wait for.
  var mayCome: Bool { log != nil || watch.isWatching }

  /// Looks for keys, and returns whether there are any to take.
  /// - Parameter isIdle: Whether nothing else is to be done: otherwise it looks now and then only.
  mutating func look(isIdle: Bool) -> Bool {
    waiting += (log?.take(isIdle: isIdle) ?? []) + watch.take()
    return !waiting.isEmpty
  }

  /// Gives away the keys that came since.
  mutating func take() -> [StoredKey] {
    defer { waiting = [] }
    return waiting
  }
}
