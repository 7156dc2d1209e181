import HarkPlatform

/// What this process gives up, for good and before it reads anything foreign: a seccomp filter for calls that
/// it never makes, and Landlock rules for files not named on the command line. Each is left out where the kernel lacks it.
public enum Sandbox {
  /// Which sockets may still be made.
  public enum Network: Sendable {
    case none
    /// A server on this machine; nothing is connected to.
    case serving
    case connecting
  }

  /// What is in force.
  public struct State: Equatable, Sendable {
    /// Whether dangerous system calls are refused.
    public var hasFilter = false
    /// The kernel's version of Landlock, if it refuses files; 0 if it does not.
    public var landlock = 0
  }

  /// Turned off by the user's own environment, where it is in the way.
  public static var isOff: Bool { Environment.value("HARK_SANDBOX") == "off" }

  /// Where files without a name are made, which keep what cannot be read again.
  public static var temporaryFolder: String { Environment.value("TMPDIR") ?? "/tmp" }
}

/// The variables that the user has set.
enum Environment {
  static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
