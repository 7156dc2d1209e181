#if !canImport(Darwin)
  import CLinux
#endif

extension Platform {
  /// Becomes a user for good, with one group alone. The only thread is the caller's.
  /// - Returns: 0, or the `errno` value.
  public static func become(user: uid_t, group: gid_t) -> Int32 {
    var groups = [group]
    guard unsafe setgroups(1, &groups) == 0 else { return errno }
    #if canImport(Darwin)
      // Called by root, both change the real and the saved one as well.
      guard setgid(group) == 0, setuid(user) == 0 else { return errno }
      let isDropped = getuid() == user && geteuid() == user && getgid() == group
      return isDropped && setuid(0) != 0 ? 0 : EPERM
    #else
      guard setresgid(group, group, group) == 0, setresuid(user, user, user) == 0 else {
        return errno
      }
      guard let (users, held) = identities, users == (user, user, user),
        held == (group, group, group)
      else { return EPERM }
      var others = [gid_t(0), gid_t(0)]
      let count = unsafe getgroups(2, &others)
      return count == 1 && others[0] == group && setresuid(0, 0, 0) != 0 ? 0 : EPERM
    #endif
  }

  /// Whether this program runs as another user or group than who started it: those came with its file.
  public static var isSetUserID: Bool {
    #if canImport(Darwin)
      issetugid() != 0
    #else
      guard let (users, groups) = identities else { return true }
      return users.0 != users.1 || users.1 != users.2 || groups.0 != groups.1
        || groups.1 != groups.2
    #endif
  }

  #if !canImport(Darwin)
    /// The real, effective and saved ones.
    private static var identities: (users: (uid_t, uid_t, uid_t), groups: (gid_t, gid_t, gid_t))? {
      var users = (uid_t(0), uid_t(0), uid_t(0))
      var groups = (gid_t(0), gid_t(0), gid_t(0))
      let isKnown =
        unsafe getresuid(&users.0, &users.1, &users.2) == 0
        && getresgid(&groups.0, &groups.1, &groups.2) == 0
      return isKnown ? (users, groups) : nil
    }
  #endif
}
