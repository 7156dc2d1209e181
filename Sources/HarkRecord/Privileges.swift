import CLinux
import Glibc
import HarkCapture

/// What the process may do beyond its user: nothing, once the source is open.
enum Privileges {
  /// How a user gets the rights to open a source.
  static var advice: String {
    let program = executable
    return "run 'sudo \(program) ...', or once: "
      + "sudo setcap cap_net_raw,cap_net_admin+ep \(program)"
  }

  /// The path of this program.
  static var executable: String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe readlink("/proc/self/exe", $0, bytes.count) } ?? -1
    }
    return count > 0 ? String(decoding: path[..<count], as: UTF8.self) : "hark-record"
  }

  /// Becomes the user who called sudo, if one did, and gives up every capability for good. The only
  /// thread is the caller's.
  /// - Throws: If anything is left afterwards.
  static func drop() throws(RecordError) {
    // Without CAP_SETPCAP the bounding set stays; with no_new_privs nothing can come of it.
    var capability: UInt = 0
    while linux_prctl(PR_CAPBSET_READ, capability) >= 0 {
      _ = linux_prctl(PR_CAPBSET_DROP, capability)
      capability += 1
    }
    _ = linux_prctl_ambient(UInt(PR_CAP_AMBIENT_CLEAR_ALL), 0)
    if geteuid() == 0, let user = caller("SUDO_UID"), let group = caller("SUDO_GID"), user != 0 {
      var groups = [group]
      guard unsafe setgroups(1, &groups) == 0, setresgid(group, group, group) == 0,
        setresuid(user, user, user) == 0
      else {
        throw RecordError("privileges", errno: errno, "cannot become user \(user) again")
      }
    }
    guard linux_capclear() == 0, linux_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else {
      throw RecordError("privileges", errno: errno, "cannot give up capabilities")
    }
    var sets: [UInt64] = [1, 1, 1]
    guard unsafe linux_capget(&sets) == 0, sets.allSatisfy({ $0 == 0 }) else {
      throw RecordError("privileges", "capabilities are left after giving them up")
    }
  }

  /// Whether sudo started this program for another user than root.
  static var isOfSudo: Bool { (caller("SUDO_UID") ?? 0) != 0 }

  private static func caller(_ variable: String) -> UInt32? {
    unsafe getenv(variable).flatMap { unsafe UInt32(String(cString: $0)) }
  }
}
