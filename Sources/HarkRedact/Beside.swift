import HarkPlatform
import Synchronization

/// Makes something on a thread of its own, beside what its owner does.
final class Beside<Made: Sendable>: Sendable {
  private let work: Work<Made>
  /// Nil if none could be started.
  private let thread: PlatformThread?
  private let isJoined = Atomic(false)

  init(_ make: @escaping @Sendable () throws -> Made) {
    let work = Work(make)
    self.work = work
    thread = PlatformThread { _ = try? work.value() }
  }

  deinit { join() }

  /// What was made, once it is.
  func value() throws -> Made {
    join()
    return try work.value()
  }

  private func join() {
    guard let thread, !isJoined.exchange(true, ordering: .relaxed) else { return }
    thread.join()
  }
}

private final class Work<Made: Sendable>: Sendable {
  private enum State: Sendable {
    case open(@Sendable () throws -> Made)
    case done(Result<Made, any Error>)
  }

  private let state: Mutex<State>

  init(_ make: @escaping @Sendable () throws -> Made) { state = Mutex(.open(make)) }

  func value() throws -> Made {
    try state.withLock { state in
      switch state {
      case .done(let result): return try result.get()
      case .open(let make):
        let result = Result { try make() }
        // What it was made from is held no longer.
        state = .done(result)
        return try result.get()
      }
    }
  }
}
