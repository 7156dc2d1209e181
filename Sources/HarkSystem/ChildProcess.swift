import HarkPlatform

/// A copy of this process that does one thing and ends. Fork it only where no other thread holds a lock.
public enum ChildProcess {
  /// Does `body` in a copy of this process, whose exit code is what it returns. The copy ends with its parent.
  /// - Returns: The copy's id; nil if the kernel makes none.
  public static func start(_ body: () -> Int32) -> pid_t? {
    let parent = getpid()
    let child = Platform.fork()
    guard child == 0 else { return child > 0 ? child : nil }
    Platform.endWithParent()
    PlatformThread.refuse()
    // It may have ended before.
    if getppid() != parent { _exit(1) }
    exit(body())
  }
}
