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
