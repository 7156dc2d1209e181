import Foundation
import HarkTestSupport
import Testing

/// Whose a recording is: what others made beforehand stays theirs, and nothing of the recording is in it.
@Suite(.enabled(if: getuid() == 0, "needs root: other users")) struct OwnershipTests {
  private static let nobody: uid_t = 65_534

  private static func record(
    to name: String, in folder: TestFolder, environment: [String: String] = [:]
  ) throws -> (stated: String, code: Int32) {
    let recorder = try RecorderProcess(
      ["-", "-w", folder.path(name)], folder, environment: environment)
    try? recorder.send(Traffic.h4File(1))
    try recorder.closeInput()
    let code = try recorder.end()
    return (recorder.stated, code)
  }

  private static func owner(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
  }

  @Test(arguments: ["file", "fifo", "link"])
  func whatAnotherUserMadeIsRefused(_ kind: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a")
    switch kind {
    case "file": #expect(FileManager.default.createFile(atPath: path, contents: nil))
    case "fifo": #expect(mkfifo(path, 0o666) == 0)
    default: #expect(symlink("b", path) == 0)
    }
    #expect(lchown(path, Self.nobody, Self.nobody) == 0)
    let (stated, code) = try Self.record(to: "a", in: folder)
    #expect(code == 1)
    #expect(
      stated.contains("a: belongs to another user (65534), who could read the new contents"))
    #expect(folder.names == ["a", "errors"])
    #expect(try Self.owner(path) == Int(Self.nobody))
  }

  /// It had the name before, for everybody to read, and is open somewhere.
  @Test func whoHasOpenedTheOldFileReadsNothing() throws {
    let folder = try TestFolder()
    #expect(FileManager.default.createFile(atPath: folder.path("a"), contents: nil))
    #expect(chmod(folder.path("a"), 0o666) == 0)
    let reader = try FileHandle(forReadingFrom: URL(filePath: folder.path("a")))
    #expect(try Self.record(to: "a", in: folder).code == 0)
    #expect(try reader.readToEnd() == nil)
    #expect(try folder.bytes("a") == Traffic.h4File(1))
  }

  @Test func aLinkIsReplacedAndNotFollowed() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: folder.url.appending(path: "b"))
    #expect(symlink("b", folder.path("a")) == 0)
    #expect(try Self.record(to: "a", in: folder).code == 0)
    #expect(try folder.bytes("b") == Array("old".utf8))
    #expect(try folder.bytes("a") == Traffic.h4File(1))
  }

  // MARK: Who runs it

  @Test(arguments: [
    ["SUDO_UID": "65534", "SUDO_GID": "65534"], ["PKEXEC_UID": "65534"], ["DOAS_USER": "nobody"],
  ])
  func itBecomesWhoCalled(_ environment: [String: String]) throws {
    let folder = try TestFolder()
    #expect(chmod(folder.url.path(), 0o777) == 0)
    let (stated, code) = try Self.record(to: "a", in: folder, environment: environment)
    #expect(code == 0, "\(stated)")
    #expect(!stated.contains("as root"))
    #expect(try Self.owner(folder.path("a")) == Int(Self.nobody))
  }

  @Test(arguments: [
    (["SUDO_UID": "me", "SUDO_GID": "0"], "SUDO_UID is not the number of a user or group"),
    (["PKEXEC_UID": "4000000000"], "PKEXEC_UID does not name a user of this machine"),
    (["DOAS_USER": "no such user"], "DOAS_USER does not name a user of this machine"),
  ])
  func itDoesNotStayRootForAnUnknownCaller(
    _ environment: [String: String], _ problem: String
  ) throws {
    let folder = try TestFolder()
    let (stated, code) = try Self.record(to: "a", in: folder, environment: environment)
    #expect(code == 1)
    #expect(stated.contains("privileges: \(problem), so it is not clear which user to become"))
    #expect(folder.names == ["errors"])
  }

  @Test func itSaysThatItStaysRoot() throws {
    let (stated, code) = try Self.record(to: "a", in: TestFolder())
    #expect(code == 0)
    #expect(stated.contains("running as root without capabilities"))
  }

  @Test(arguments: [0o4755, 0o2755])
  func itDoesNotRunSetUserID(_ mode: mode_t) throws {
    let folder = try TestFolder()
    #expect(chmod(folder.url.path(), 0o777) == 0)
    let program = folder.path("hark-record")
    try FileManager.default.copyItem(at: RecorderProcess.program, to: URL(filePath: program))
    #expect(chmod(program, mode) == 0)
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups", program]
    for arguments in [["--list"], ["-", "-w", folder.path("a")]] {
      let found = try OtherProgram.run("/usr/bin/setpriv", user + arguments)
      #expect(found.code == 1)
      #expect(
        found.stated.first?.contains("does not run set-user-ID or set-group-ID; sudo chmod u-s,g-s")
          == true, "\(found.stated)")
    }
    #expect(folder.names == ["hark-record"])
    // Without these bits it does.
    #expect(chmod(program, 0o755) == 0)
    #expect(try OtherProgram.run("/usr/bin/setpriv", user + ["--list"]).code == 0)
  }
}
