import Foundation
import HarkTestSupport
import Testing

@testable import HarkSystem

/// What becomes of files that are written, and of those that had their names.
@Suite struct NewFileTests {
  static let isRoot: ConditionTrait = .enabled(
    if: getuid() == 0, "needs root: another user's files")

  private static func mode(_ path: String) throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  private static func write(_ text: String, to path: String) throws {
    let target = try #require(try OutputTarget(path).file)
    let file = try NewFile(target)
    #expect(Foundation.write(file.descriptor, text, text.utf8.count) == text.utf8.count)
    try file.publish()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func aNewFileIsItsOwnersAlone() throws {
    let folder = try TestFolder()
    let old = umask(0)
    defer { umask(old) }
    try Self.write("new", to: folder.path("a"))
    #expect(try Self.text(folder.path("a")) == "new")
    #expect(try Self.mode(folder.path("a")) == 0o600)
    #expect(folder.names == ["a"])
  }

  /// Who has opened the old one reads nothing of the new one.
  @Test func anOldFileOfOursIsReplacedAndBecomesPrivate() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: URL(filePath: folder.path("a")))
    #expect(chmod(folder.path("a"), 0o644) == 0)
    let reader = try FileHandle(forReadingFrom: URL(filePath: folder.path("a")))
    try Self.write("new", to: folder.path("a"))
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try Self.text(folder.path("a")) == "new")
    #expect(try Self.mode(folder.path("a")) == 0o600)
  }

  @Test func aLinkIsReplacedAndNotFollowed() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: URL(filePath: folder.path("target")))
    #expect(symlink("target", folder.path("link")) == 0)
    #expect(symlink("nowhere", folder.path("dangling")) == 0)
    for name in ["link", "dangling"] { try Self.write("new", to: folder.path(name)) }
    #expect(try Self.text(folder.path("target")) == "old")
    #expect(try Self.text(folder.path("link")) == "new")
    #expect(folder.names == ["dangling", "link", "target"])
    for name in ["link", "dangling"] {
      let type = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.type]
      #expect(type as? FileAttributeType == .typeRegular)
    }
  }

  @Test(isRoot, arguments: ["file", "fifo", "link"])
  func whatAnotherUserMadeIsRefused(_ kind: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a")
    switch kind {
    case "file": #expect(FileManager.default.createFile(atPath: path, contents: nil))
    case "fifo": #expect(mkfifo(path, 0o666) == 0)
    default: #expect(symlink("/etc/passwd", path) == 0)
    }
    #expect(lchown(path, 65_534, 65_534) == 0)
    let error = #expect(throws: FileError.self) { try OutputTarget(path) }
    #expect(error?.problem.contains("belongs to another user (65534)") == true)
    #expect(folder.names == ["a"])
  }

  @Test func whatIsNotPublishedLeavesNothing() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: URL(filePath: folder.path("a")))
    do {
      let file = try NewFile(FileTarget(folder.path("a")))
      #expect(folder.names.count == 2)
      #expect(FileManager.default.fileExists(atPath: file.temporaryPath))
    }
    #expect(folder.names == ["a"])
    #expect(try Self.text(folder.path("a")) == "old")
  }

  /// Two programs that record into one file: one of them continues.
  @Test(arguments: [false, true])
  func whatAnotherProgramMadeMeanwhileStays(_ isThere: Bool) throws {
    let folder = try TestFolder()
    if isThere { try Self.write("old", to: folder.path("a")) }
    let target = try FileTarget(folder.path("a"))
    try Self.write("other", to: folder.path("a"))
    let file = try NewFile(target)
    let error = #expect(throws: FileError.self) { try file.publish(replacesOthers: false) }
    #expect(error?.problem == "another program created this file in the meantime")
    #expect(try Self.text(folder.path("a")) == "other")
  }

  @Test func locks() throws {
    let folder = try TestFolder()
    let target = try FileTarget(folder.path("a"))
    #expect(try target.lock() == nil)
    let file = try NewFile(target)
    file.lock()
    try file.publish()
    let error = #expect(throws: FileError.self) { try FileTarget(folder.path("a")).lock() }
    #expect(error?.problem == "another program is recording to this file")
  }

  @Test func streamsAreWrittenToAsTheyAre() throws {
    let folder = try TestFolder()
    #expect(symlink("/dev/null", folder.path("null")) == 0)
    for path in ["/dev/null", folder.path("null"), "/dev/stdout", "/dev/fd/2", "/proc/self/fd/1"] {
      let target = try OutputTarget(path)
      #expect(target.file == nil && target.stream > 2, "\(path)")
      close(target.stream)
    }
    #expect(folder.names == ["null"])
  }

  @Test(arguments: [
    ("", "No such file or directory"), ("missing/a", "No such file or directory"),
    (".", "Is a directory"), ("folder", "Is a directory"), ("folder/", "Is a directory"),
  ])
  func whatCannotBeWritten(_ name: String, _ problem: String) throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: false)
    let path = name.isEmpty ? "" : folder.url.path() + "/" + name
    let error = #expect(throws: FileError.self) { try OutputTarget(path) }
    #expect(error?.problem == "cannot write: \(problem)")
  }
}
