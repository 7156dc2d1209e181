import CLinux
import HarkCapture
import HarkPlatform
import HarkSystem

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

  /// Why this program does not run set-user-ID, if it does: that would hand all of root's rights to whoever
  /// starts it. Capabilities of its file give it what a source needs, and no more.
  static var refusal: RecordError? {
    guard SetUserID.isInForce else { return nil }
    let program = executable
    return RecordError(
      "privileges", SetUserID.problem,
      advice: "sudo chmod u-s,g-s \(program) && sudo setcap cap_net_raw,cap_net_admin+ep \(program)"
    )
  }

  /// Becomes the user who had this run as root, through sudo, pkexec or doas, and gives up every
  /// capability for good. The only thread is the caller's.
  /// - Returns: What to say where the program stays root; nil if it does not.
  /// - Throws: If anything is left afterwards, or it is not clear who that user is.
  static func drop() throws(RecordError) -> String? {
    // Without CAP_SETPCAP the bounding set stays; with no_new_privs nothing can come of it.
    var capability: UInt = 0
    while linux_prctl(PR_CAPBSET_READ, capability) >= 0 {
      _ = linux_prctl(PR_CAPBSET_DROP, capability)
      capability += 1
    }
    _ = linux_prctl_ambient(UInt(PR_CAP_AMBIENT_CLEAR_ALL), 0)
    let isRoot = try dropUser()
    guard linux_capclear() == 0, linux_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else {
      throw RecordError("privileges", errno: errno, "cannot drop capabilities")
    }
    var sets: [UInt64] = [1, 1, 1]
    guard unsafe linux_capget(&sets) == 0, sets.allSatisfy({ $0 == 0 }) else {
      throw RecordError("privileges", "some capabilities remain after dropping them")
    }
    return isRoot
      ? "running as root without capabilities; no sudo, pkexec or doas user is known, so files will "
        + "belong to root"
      : nil
  }

  /// - Returns: Whether the program stays root, since no other user started it.
  private static func dropUser() throws(RecordError) -> Bool {
    guard geteuid() == 0 else { return false }
    switch Caller.answer {
    case .nobody: return true
    case .unclear(let variable, let problem):
      throw RecordError(
        "privileges", "\(variable) \(problem), so it is not clear which user to become",
        advice: "remove it from the environment")
    case .user(let caller):
      let code = caller.become()
      guard code == 0 else {
        throw RecordError("privileges", errno: code, "cannot become user \(caller.user) again")
      }
      return false
    }
  }

  /// Who had this run as root; nil for root, and if no one else did.
  static var caller: Caller? {
    if case .user(let caller) = Caller.answer { caller } else { nil }
  }
}
