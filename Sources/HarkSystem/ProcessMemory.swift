import CLinux
import Glibc

/// The memory of this process, as others can see it.
public enum ProcessMemory {
  /// Keeps the memory from other programs of the same user and out of core dumps, before keys come into it.
  /// What is started later is not concerned, but for the limit on core dumps.
  public static func holdsKeys() {
    _ = linux_prctl(PR_SET_DUMPABLE, 0)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
