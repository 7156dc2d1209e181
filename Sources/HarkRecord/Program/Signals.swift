import HarkPlatform

/// The signals of a recording. All threads have them blocked, and the main thread waits for them.
struct Signals {
  /// What makes a thread's system call return.
  static let interruption = SIGUSR2
  /// What a thread sends when there is something for the main thread to look at.
  static let wakeup = SIGUSR1
  /// How a user or the system ends a program.
  static let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private var set = sigset_t()

  /// Lets all signals come. Who starts a program from a thread that has them blocked hands that on.
  static func unblock() {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  init() {
    // A reader that went away, and a file at its size limit, are seen by write(2).
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Without SA_RESTART, so that a system call returns.
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    unsafe sigaction(Self.interruption, &action, nil)

    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, Self.wakeup)
    for end in Self.ends where !Self.isIgnored(end) { unsafe sigaddset(&set, end) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// nohup and shells without job control start programs with signals ignored.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
  }

  /// Waits for a signal and returns it; nil when none came in so many milliseconds.
  func wait(milliseconds: Int? = nil) -> Int32? {
    var set = set
    while true {
      var signal: Int32 = 0
      if let milliseconds {
        var time = timespec(
          tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        signal = unsafe sigtimedwait(&set, nil, &time)
        if signal < 0, errno == EAGAIN { return nil }
      } else {
        signal = unsafe sigwaitinfo(&set, nil)
      }
      if signal > 0 { return signal }
    }
  }
}
