import Foundation
import HarkPlatform
import HarkTestSupport
import Synchronization
import Testing

/// What differs between platforms and is the same for its callers.
@Suite struct PlatformTests {
  @Test func renamesWithoutReplacing() throws {
    let folder = try TestFolder()
    try "a".write(toFile: folder.path("a"), atomically: true, encoding: .utf8)
    try "b".write(toFile: folder.path("b"), atomically: true, encoding: .utf8)
    let descriptor = Platform.openFolder(folder.path(""))
    defer { close(descriptor) }
    #expect(Platform.renameNew(in: descriptor, "a", to: "b") == -1 && errno == EEXIST)
    #expect(Platform.renameNew(in: descriptor, "a", to: "c") == 0)
    #expect(access(folder.path("c"), F_OK) == 0)
  }

  @Test func runsAThread() {
    let made = Made()
    PlatformThread { made.value.store(7, ordering: .sequentiallyConsistent) }?.join()
    #expect(made.value.load(ordering: .sequentiallyConsistent) == 7)
  }

  private final class Made: Sendable {
    let value = Atomic(0)
  }

  @Test func startsPrograms() {
    let (process, code) = Platform.start("sh", ["sh", "-c", "exit 7"])
    #expect(code == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    #expect(Platform.exitCode(of: status) == 7)
    #expect(Platform.start("/no/such/program", ["program"]).code == ENOENT)
  }

  @Test func knowsItsProgramAndMemory() {
    #expect(Platform.programPath.map { access($0, X_OK) } == 0)
    #expect(ResidentMemory().bytes > 1 << 20)
    #expect(!Platform.isSetUserID)
  }

  @Test func readsSignalActions() {
    signal(SIGUSR2, SIG_IGN)
    var action = sigaction()
    sigaction(SIGUSR2, nil, &action)
    #expect(action.isIgnored)
    signal(SIGUSR2, SIG_DFL)
    sigaction(SIGUSR2, nil, &action)
    #expect(!action.isIgnored)
    #expect(!sigaction { _ in }.isIgnored)
  }

  @Test func reportsChangesInFolders() throws {
    let folder = try TestFolder()
    let changes = try #require(FolderChanges())
    try #require(changes.add(folder.path("")))
    #expect(changes.next(milliseconds: 0) == [])
    try "a".write(toFile: folder.path("a.ksy"), atomically: false, encoding: .utf8)
    #expect(changes.next(milliseconds: 5_000)?.contains("a.ksy") == true)
  }
}
