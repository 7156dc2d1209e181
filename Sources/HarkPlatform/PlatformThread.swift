/// A thread that runs one closure.
public struct PlatformThread: @unchecked Sendable {
  private let thread: pthread_t
  nonisolated(unsafe) private static var isRefused = false

  /// Starts no more threads in this process, a copy of another one. The Swift runtime remembers the number of each
  /// thread for its locks, and the first thread of a copy has another number than its original: a lock that a second
  /// thread waits for would never be released.
  public static func refuse() { unsafe isRefused = true }

  /// Starts it; nil if the system has no room for another one, or threads are refused.
  public init?(_ work: @escaping @Sendable () -> Void) {
    guard unsafe !Self.isRefused else { return nil }
    let argument = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
    #if canImport(Darwin)
      var started: pthread_t?
    #else
      var started = pthread_t()
    #endif
    let code = unsafe pthread_create(&started, nil, { unsafe runWork($0) }, argument)
    let thread: pthread_t? = started
    guard code == 0, let thread else {
      unsafe Unmanaged<Work>.fromOpaque(argument).release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for its end. Call this or `detach`, once.
  public func join() { pthread_join(thread, nil) }

  /// Lets it end by itself.
  public func detach() { pthread_detach(thread) }

  /// Sends a signal to it: a system call in which it waits then returns with `EINTR`.
  public func signal(_ number: Int32) { pthread_kill(thread, number) }
}

private final class Work {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument {
    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
  }
  return nil
}
