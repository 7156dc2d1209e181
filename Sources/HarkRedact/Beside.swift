import Glibc
import Synchronization

/// Makes something on a thread of its own, beside what its owner does.
final class Beside<Made: Sendable>: Sendable {
  private let work: Work<Made>
  /// Nil where none could be started.
  private let thread: pthread_t?
  private let isJoined = Atomic(false)

  init(_ make: @escaping @Sendable () throws -> Made) {
    work = Work(make)
    var thread = pthread_t()
    let argument = unsafe Unmanaged<AnyWork>.passRetained(work)
    let code = unsafe pthread_create(&thread, nil, runWork, argument.toOpaque())
    if code != 0 { unsafe argument.release() }
    self.thread = code == 0 ? thread : nil
  }

  deinit { join() }

  /// What was made, once it is.
  func value() throws -> Made {
    join()
    return try work.value()
  }

  private func join() {
    guard let thread, !isJoined.exchange(true, ordering: .relaxed) else { return }
    pthread_join(thread, nil)
  }
}

private class AnyWork: @unchecked Sendable {
  func run() {}
}

private final class Work<Made: Sendable>: AnyWork, @unchecked Sendable {
  private enum State: Sendable {
    case open(@Sendable () throws -> Made)
    case done(Result<Made, any Error>)
  }

  private let state: Mutex<State>

  init(_ make: @escaping @Sendable () throws -> Made) { state = Mutex(.open(make)) }

  override func run() { _ = try? value() }

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

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  unsafe Unmanaged<AnyWork>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
