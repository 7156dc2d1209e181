import Glibc

/// A thread with one thing to do.
final class Worker: Sendable {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) throws(RecordError) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(&thread, nil, runBody, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw RecordError("recording", errno: code, "cannot start a thread")
    }
    self.thread = thread
  }

  /// Makes a system call in which the thread waits return, with `EINTR`. One that it is about to make
  /// does not notice, so this is to be repeated.
  func interrupt() { pthread_kill(thread, Signals.interruption) }

  func join() { pthread_join(thread, nil) }

  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  unsafe Unmanaged<Worker.Body>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
