import HarkPlatform
import Synchronization

/// Gives the terminal its settings back when a signal ends the program while a secret is typed: without that, the
/// shell would no longer show what is typed.
struct PromptSignals {
  private static let numbers = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  /// What a handler puts back. It is written before a handler can run, and read in one.
  private nonisolated(unsafe) static var settings = termios()
  private static let terminal = Atomic<Int32>(-1)

  private var earlier: [(number: Int32, action: sigaction)] = []
  private var earlierMask = sigset_t()

  /// From here on, until `end`, a signal that ends the program first restores `settings` of `terminal`.
  init(restoring settings: termios, of terminal: Int32) {
    unsafe Self.settings = settings
    Self.terminal.store(terminal, ordering: .sequentiallyConsistent)
    for number in Self.numbers {
      var before = sigaction()
      var action = sigaction { number in
        // Only functions that a handler may call. signal-safety(7)
        let terminal = PromptSignals.terminal.load(ordering: .sequentiallyConsistent)
        unsafe tcsetattr(terminal, TCSANOW, &PromptSignals.settings)
        signal(number, SIG_DFL)
        raise(number)
      }
      guard unsafe sigaction(number, nil, &before) == 0 else { continue }
      // Who started this may have it ignored, as nohup does.
      guard !before.isIgnored, unsafe sigaction(number, &action, nil) == 0 else { continue }
      earlier.append((number, before))
    }
    // The parent process may have blocked them.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in Self.numbers { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, &earlierMask)
  }

  /// Signals do again what they did before.
  func end() {
    var mask = earlierMask
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    for (number, action) in earlier {
      var action = action
      unsafe sigaction(number, &action, nil)
    }
    Self.terminal.store(-1, ordering: .sequentiallyConsistent)
  }
}
