import Testing

@testable import HarkSystem

/// Who had a program run as root. sudo(8), pkexec(1) and doas(1) name the variables.
@Suite struct CallerTests {
  static let answers: [([String: String], Caller.Answer)] = [
    ([:], .nobody),
    (["SUDO_UID": "0", "SUDO_GID": "0"], .nobody),
    (["PKEXEC_UID": "0"], .nobody),
    (["DOAS_USER": "root"], .nobody),
    (
      ["SUDO_UID": "1000", "SUDO_GID": "1001"],
      .user(Caller(user: 1_000, group: 1_001, program: "sudo"))
    ),
    // Debian's no one and nogroup.
    (["PKEXEC_UID": "65534"], .user(Caller(user: 65_534, group: 65_534, program: "pkexec"))),
    (["DOAS_USER": "nobody"], .user(Caller(user: 65_534, group: 65_534, program: "doas"))),
    // Root's shell, which a user has opened with another of them.
    (
      ["SUDO_UID": "0", "SUDO_GID": "0", "DOAS_USER": "nobody"],
      .user(Caller(user: 65_534, group: 65_534, program: "doas"))
    ),
    (["SUDO_UID": "-1"], .unclear(variable: "SUDO_UID", problem: number)),
    (["SUDO_UID": ""], .unclear(variable: "SUDO_UID", problem: number)),
    // setresuid(2) takes it for "leave it as it is".
    (["SUDO_UID": "4294967295"], .unclear(variable: "SUDO_UID", problem: number)),
    (["SUDO_UID": "1000"], .unclear(variable: "SUDO_GID", problem: number)),
    (["PKEXEC_UID": "x"], .unclear(variable: "PKEXEC_UID", problem: number)),
    (["PKEXEC_UID": "4000000000"], .unclear(variable: "PKEXEC_UID", problem: nobody)),
    (["DOAS_USER": "no such user"], .unclear(variable: "DOAS_USER", problem: nobody)),
  ]
  static let number = "is not the number of a user or group"
  static let nobody = "does not name a user of this machine"

  @Test(arguments: answers)
  func isNamed(_ variables: [String: String], _ expected: Caller.Answer) {
    #expect(Caller.answer { variables[$0] } == expected)
  }
}
