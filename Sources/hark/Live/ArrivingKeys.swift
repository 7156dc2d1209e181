import HarkCrypto
import HarkSession

/// Keys that arrive while a capture is recorded: from a key log, and from key files that change.
struct ArrivingKeys {
  var log: KeyLog?
  var watch: KeyWatch
  /// Keys not yet taken.
  private var waiting: [StoredKey] = []

  init(log: KeyLog?, watch: KeyWatch) { (self.log, self.watch) = (log, watch) }

  /// Whether there is anything to wait for.
  var mayCome: Bool { log != nil || watch.isWatching }

  /// Checks for keys, and returns whether there are any to take.
  /// - Parameter isIdle: Whether there is nothing else to do: otherwise it checks only now and then.
  mutating func look(isIdle: Bool) -> Bool {
    waiting += (log?.take(isIdle: isIdle) ?? []) + watch.take()
    return !waiting.isEmpty
  }

  /// Returns the new keys, and forgets them.
  mutating func take() -> [StoredKey] {
    defer { waiting = [] }
    return waiting
  }
}
