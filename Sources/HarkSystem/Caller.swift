import HarkPlatform

/// The user who has this program run as root: through sudo, pkexec or doas, which say so in variables.
public struct Caller: Equatable, Sendable {
  public let user: uid_t
  public let group: gid_t
  /// The program that says so.
  public let program: String

  /// What the variables say.
  public enum Answer: Equatable, Sendable {
    /// No user but root.
    case nobody
    case user(Caller)
    /// A variable is there, and who it means is not clear: it, and why.
    case unclear(variable: String, problem: String)
  }

  /// Who is named by the environment.
  public static var answer: Answer { answer(Environment.value) }

  /// - Parameter value: The value of a variable.
  static func answer(_ value: (String) -> String?) -> Answer {
    // A program run by root says so as well; another may have been after that.
    if let text = value("SUDO_UID") {
      guard let user = number(text) else {
        return .unclear(variable: "SUDO_UID", problem: notNumber)
      }
      if user != 0 {
        guard let text = value("SUDO_GID"), let group = number(text) else {
          return .unclear(variable: "SUDO_GID", problem: notNumber)
        }
        return .user(Caller(user: user, group: group, program: "sudo"))
      }
    }
    if let text = value("PKEXEC_UID") {
      guard let user = number(text) else {
        return .unclear(variable: "PKEXEC_UID", problem: notNumber)
      }
      if user != 0 {
        guard let entry = unsafe getpwuid(user) else {
          return .unclear(variable: "PKEXEC_UID", problem: "does not name a user of this machine")
        }
        return unsafe .user(Caller(user: user, group: entry.pointee.pw_gid, program: "pkexec"))
      }
    }
    if let name = value("DOAS_USER") {
      guard let entry = unsafe getpwnam(name) else {
        return .unclear(variable: "DOAS_USER", problem: "does not name a user of this machine")
      }
      if unsafe entry.pointee.pw_uid != 0 {
        return unsafe .user(
          Caller(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid, program: "doas"))
      }
    }
    return .nobody
  }

  private static let notNumber = "is not the number of a user or group"

  private static func number(_ text: String) -> UInt32? {
    guard let number = UInt32(text), number != UInt32.max else { return nil }
    return number
  }

  /// Becomes this user for good, with the user's own group alone. The only thread is the caller's.
  /// - Returns: 0, or the `errno` value.
  public func become() -> Int32 { Platform.become(user: user, group: group) }
}
