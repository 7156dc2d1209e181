import ArgumentParser
import HarkPlatform
import Synchronization

/// The signals that end a program that would continue for ever.
struct Signals: ~Copyable {
  /// Becomes readable when one came.
  let descriptor: Int32

  /// Where the handler reports them; a handler takes no context.
  private static let told = Atomic<Int32>(-1)
  /// The process that is to end then, too.
  private static let follower = Atomic<pid_t>(0)

  /// From here on they no longer end the program themselves.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init() throws {
    let pipe = try PipeEnds(to: "wait for signals")
    // A handler must not wait.
    _ = fcntl(pipe.input, F_SETFL, O_NONBLOCK)
    descriptor = pipe.output
    Self.told.store(pipe.input, ordering: .sequentiallyConsistent)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&set, number)
      // Without SA_RESTART: what waits for somebody to open a FIFO is to notice.
      var action = sigaction { _ in
        let code = errno
        _ = unsafe write(Signals.told.load(ordering: .sequentiallyConsistent), "!", 1)
        let follower = Signals.follower.load(ordering: .sequentiallyConsistent)
        if follower > 0 { kill(follower, SIGTERM) }
        errno = code
      }
      unsafe sigaction(number, &action, nil)
    }
    // Who started this may have them blocked.
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Sends SIGTERM to `process` whenever one comes; to none with 0.
  static func forward(to process: pid_t) {
    follower.store(process, ordering: .sequentiallyConsistent)
  }

  var isPending: Bool { wait(milliseconds: 0) }

  /// Waits until one comes, at most so long; -1 for ever.
  @discardableResult
  func wait(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&watched, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
