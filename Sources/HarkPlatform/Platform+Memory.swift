#if !canImport(Darwin)
  import CLinux
#endif

extension Platform {
  /// Keeps the memory of this process from other programs of the same user, where the system can, and out of
  /// core dumps.
  public static func hideMemory() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      _ = unsafe setrlimit(RLIMIT_CORE, &none)
    #else
      _ = linux_prctl(PR_SET_DUMPABLE, 0)
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #endif
  }

  /// Prefers large pages for a large block, where the system lets a program choose.
  public static func preferLargePages(_ block: UnsafeMutableRawPointer, count: Int) {
    #if !canImport(Darwin)
      _ = unsafe madvise(block, count, MADV_HUGEPAGE)
    #endif
  }

  /// Ends this process when its parent ends, where the system can, even if the process that started the parent has blocked
  /// signals.
  public static func endWithParent() {
    #if !canImport(Darwin)
      _ = linux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
    #endif
  }
}
