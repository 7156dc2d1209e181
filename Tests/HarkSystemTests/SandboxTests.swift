import CLinux
import Foundation
import HarkTestSupport
import Synchronization
import Testing

@testable import HarkSystem

/// What a sandbox refuses. Each test gives it to a thread of its own, which ends with it: both parts hold
/// for the thread that asks for them and for what it starts.
@Suite struct SandboxTests {
  static let hasLandlock: ConditionTrait = .enabled(
    if: linux_landlock_version() > 0, "this kernel has no Landlock")

  /// Runs `body` on a new thread and gives what it returns.
  private static func onThread<Made: Sendable>(_ body: @escaping @Sendable () -> Made) -> Made {
    let made = Mutex<Made?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let value = body()
      made.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    guard let value = made.withLock({ $0 }) else { preconditionFailure("nothing was made") }
    return value
  }

  private static func code(_ result: Int32) -> Int32 {
    let code = errno
    if result >= 0 { close(result) }
    return result < 0 ? code : 0
  }

  private static func opened(_ path: String, _ flags: Int32) -> Int32 {
    code(open(path, flags | O_CLOEXEC, 0o600))
  }

  private static func socketCode(_ family: Int32, _ type: __socket_type = SOCK_STREAM) -> Int32 {
    code(socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0))
  }

  private static func spawned() -> Int32 {
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(words[0]) }
    let code = posix_spawn(&process, "/bin/true", nil, nil, &words, nil)
    if code == 0 { waitpid(process, nil, 0) }
    return code
  }

  @Test func dangerousCallsEndWithAnError() {
    let calls = withUnsafeBytes(of: linux_forbidden) { Array($0.bindMemory(to: UInt32.self)) }
    #expect(calls.count >= 45)
    let codes = Self.onThread { () -> [Int32] in
      // Nothing else is tried where the filter is not in force.
      guard Sandbox.refuseCalls(allThreads: false), linux_try(calls[0]) == EPERM else { return [] }
      return calls.map { linux_try($0) }
    }
    #expect(codes == calls.map { _ in EPERM })
  }

  @Test func programsAreNotStarted() {
    #expect(Self.spawned() == 0)
    let refused = Self.onThread {
      (Sandbox.refuseCalls(allThreads: false), Self.spawned())
    }
    #expect(refused == (true, EPERM))
    let started = Self.onThread {
      (Sandbox.refuseCalls(startsPrograms: true, allThreads: false), Self.spawned())
    }
    #expect(started == (true, 0))
  }

  @Test func onlyTheSocketsThatAreNeededAreMade() {
    // The last are AF_BLUETOOTH and AF_PACKET.
    let families = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, 31, 17]
    func codes(_ network: Sandbox.Network) -> [Int32] {
      Self.onThread {
        Sandbox.refuseCalls(network, allThreads: false)
        return families.map { Self.socketCode($0, $0 == AF_NETLINK ? SOCK_RAW : SOCK_STREAM) }
          + [Self.socketCode(AF_INET, SOCK_DGRAM)]
      }
    }
    #expect(codes(.none) == [EPERM, EPERM, EPERM, EPERM, EPERM, EPERM, EPERM])
    // IPv6 may be turned off on this machine.
    let serving = codes(.serving)
    #expect(serving[0...1] == [EPERM, 0] && serving[2] != EPERM)
    #expect(serving[3...] == [EPERM, EPERM, EPERM, EPERM])
    let connecting = codes(.connecting)
    #expect(connecting[0...1] == [0, 0] && connecting[2] != EPERM)
    #expect(connecting[3...] == [0, EPERM, EPERM, 0])
  }

  @Test func threadsStillStart() {
    let found = Self.onThread { () -> Bool in
      Sandbox.refuseCalls(allThreads: false)
      return Self.onThread { true }
    }
    #expect(found)
  }

  @Test(hasLandlock) func otherFilesAreNotRead() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("hidden"), withIntermediateDirectories: false)
    for name in ["mine", "other", "hidden/one"] {
      #expect(FileManager.default.createFile(atPath: folder.path(name), contents: Data("x".utf8)))
    }
    #expect(symlink("other", folder.path("link")) == 0)
    let (mine, missing) = (folder.path("mine"), folder.path("missing"))
    let others = ["other", "link", "hidden/one"].map(folder.path)
    let codes = Self.onThread { () -> [Int32] in
      // The folder of temporary files is left to a program, and this one lies in it.
      Sandbox.refuseReading(but: [mine, missing], temporary: "/nonexistent")
      return ([mine, "/usr/bin/env", "/dev/null", "/etc/passwd"] + others).map {
        Self.opened($0, O_RDONLY)
      }
    }
    #expect(codes == [0, 0, 0, EACCES, EACCES, EACCES, EACCES])
  }

  @Test(hasLandlock) func otherFilesAreNotWritten() throws {
    let folder = try TestFolder()
    for name in ["out", "other"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    #expect(FileManager.default.createFile(atPath: folder.path("other/a"), contents: nil))
    let (out, other) = (folder.path("out/a"), folder.path("other/a"))
    let codes = Self.onThread { () -> [Int32] in
      Sandbox.refuseWriting(but: [out, "/dev/null"], temporary: "/nonexistent")
      return [
        Self.opened(out, O_WRONLY | O_CREAT), Self.opened("/dev/null", O_WRONLY),
        Self.opened(other, O_WRONLY), Self.opened(other + "b", O_WRONLY | O_CREAT),
        Self.opened("/dev/zero", O_WRONLY), Self.opened(other, O_RDONLY),
        Self.code(unlink(other)), Self.code(mkdir(other + "c", 0o700)),
      ]
    }
    #expect(codes == [0, 0, EACCES, EACCES, EACCES, 0, EACCES, EACCES])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("other")) == ["a"])
  }
}
