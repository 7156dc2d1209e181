import Foundation
import HarkCapture
import Testing

@Suite struct WholeFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = folder.appending(path: name).path()
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func readsAsMuchAsIsAllowed() throws {
    let path = try file("four", "abcd")
    #expect(try WholeFile.read(path, most: 4) == Array("abcd".utf8))
    #expect(throws: WholeFile.Problem.tooLarge) { try WholeFile.read(path, most: 3) }
    #expect(throws: WholeFile.Problem.cannotOpen(ENOENT)) {
      try WholeFile.read(path + "x", most: 4)
    }
    #expect(throws: WholeFile.Problem.cannotRead(EISDIR)) {
      try WholeFile.read(folder.path(), most: 4)
    }
  }

  @Test func firstWordEndsAtTheFirstSpace() throws {
    #expect(WholeFile.firstWord(of: try file("word", "usb 1\n")) == "usb")
    #expect(WholeFile.firstWord(of: try file("empty", "\n")) == nil)
    #expect(WholeFile.firstWord(of: "/nowhere") == nil)
  }

  @Test func folderHasAllNames() throws {
    _ = try file(".hidden", "")
    _ = try file("seen", "")
    #expect(Directory.names(in: folder.path()).map(Set.init) == [".hidden", "seen"])
    #expect(Directory.names(in: folder.path(), most: 1)?.count == 1)
    #expect(Directory.names(in: folder.path() + "/none") == nil)
    #expect(Directory.isFolder(folder.path()))
    #expect(!Directory.isFolder(folder.path() + "/seen"))
  }
}
