import CLinux
import Glibc

/// Programs that run as another user than who started them.
public enum SetUserID {
  /// Whether this is one: its user or group came with its file.
  public static var isInForce: Bool {
    var users = (uid_t(0), uid_t(0), uid_t(0))
    var groups = (gid_t(0), gid_t(0), gid_t(0))
    let isKnown =
      unsafe getresuid(&users.0, &users.1, &users.2) == 0
      && getresgid(&groups.0, &groups.1, &groups.2) == 0
    return !isKnown || users.0 != users.1 || users.1 != users.2 || groups.0 != groups.1
      || groups.1 != groups.2
  }

  public static let problem = "this program does not run set-user-ID or set-group-ID"
}
