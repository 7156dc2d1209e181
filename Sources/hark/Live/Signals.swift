import ArgumentParser
import HarkPlatform
import Synchronization

/// The signals that end a program that would otherwise run forever.
struct Signals: ~Copyable {
  /// Becomes readable when a signal arrives.
  let descriptor: Int32

  /// The handler's output; a handler takes no context.
  private static let pipeInput = Atomic<Int32>(-1)
  /// The process that also has to end then.
  private static let follower = Atomic<pid_t>(0)

  /// From now on, they no longer end the program themselves.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init() throws {
    let pipe = try PipeEnds(to: "wait for signals")
    // A handler must not wait.
    _ = fcntl(pipe.input, F_SETFL, O_NONBLOCK)
    descriptor = pipe.output
    Self.pipeInput.store(pipe.input, ordering: .sequentiallyConsistent)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      unsafe sigaddset(&set, number)
      // Without SA_RESTART, so that waiting for a FIFO to be opened is interrupted.
      var action = sigaction { _ in
        let code = errno
        _ = unsafe write(Signals.pipeInput.load(ordering: .sequentiallyConsistent), "!", 1)
        let follower = Signals.follower.load(ordering: .sequentiallyConsistent)
        if follower > 0 { kill(follower, SIGTERM) }
        errno = code
      }
      unsafe sigaction(number, &action, nil)
    }
    // The parent process may have blocked them.
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Sends SIGTERM to `process` whenever one arrives; 0 means no process.
  static func forward(to process: pid_t) {
    follower.store(process, ordering: .sequentiallyConsistent)
  }

  var isPending: Bool { wait(milliseconds: 0) }

  /// Waits for one, at most this long; -1 means forever.
  @discardableResult
  func wait(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&watched, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
