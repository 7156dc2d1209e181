import HarkCrypto
import HarkSession

/// Keys that come while a capture is recorded: from a key log, and from key files that change.
struct ArrivingKeys {
  var log: KeyLog?
  var watch: KeyWatch

  /// Whether there is anything to wait for.
  var mayCome: Bool { log != nil || watch.isWatching }

  /// Gives the session the keys that came since.
  /// - Parameter isIdle: Whether nothing else is to be done: otherwise it looks now and then only.
  mutating func give(to session: inout Session, isIdle: Bool) {
    let keys = (log?.take(isIdle: isIdle) ?? []) + watch.take()
    if !keys.isEmpty { session.take(.keys(keys)) }
  }
}
