import Glibc

/// A thread with one thing to do.
public final class WorkerThread: Sendable {
  private let thread: pthread_t

  /// Nil if the system refuses to start a thread.
  public init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Body(body))
    guard unsafe pthread_create(&thread, nil, runBody, box.toOpaque()) == 0 else {
      unsafe box.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until the thread has ended. Each thread is to be joined or detached once.
  public func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself.
  public func detach() { pthread_detach(thread) }

  /// Sends a signal to the thread: a system call in which it waits then returns with `EINTR`.
  public func signal(_ number: Int32) { pthread_kill(thread, number) }

  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  unsafe Unmanaged<WorkerThread.Body>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}

/// A lock, and a way to wait for what others change while they hold it.
@safe public final class ThreadLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  public init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  public func hold<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits until `wakeAll` is called, or for no reason. The lock must be held; it is free meanwhile.
  public func wait() { unsafe pthread_cond_wait(changed, mutex) }

  /// Wakes all threads that wait.
  public func wakeAll() { unsafe pthread_cond_broadcast(changed) }
}
