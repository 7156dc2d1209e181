import Foundation
import HarkTestSupport
import Testing

@testable import HarkExport

/// What hark reports after an export of the tables as a whole.
@Suite struct ExportNotesTests {
  /// Two captures, of which one has a finding.
  private static func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: true)
    for name in ["pebble-faults", "ancs-session"] {
      try Project.bytes(Project.capture("\(name)/\(name).btsnoop"))
        .write(to: folder.url.appending(path: "in/\(name).btsnoop"))
    }
    return folder
  }

  @Test(arguments: ["sqlite", "jsonl"]) func sameContents(_ format: String) throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("out.\(format)"))
    let first = try HarkProgram.run("export", input, output, "--format", format)
    #expect(!first.text.contains("same contents") && !first.text.contains("no longer"))
    // The findings of unchanged captures stay in the tables.
    let again = try HarkProgram.run("export", input, output, "--format", format)
    #expect(again.text.contains("2 unchanged captures skipped"))
    #expect(!again.text.contains("No findings.\n"))
    // The same file, spelled in another way.
    let other = input + "/../in/ancs-session.btsnoop"
    let twice = try HarkProgram.run("export", other, output, "--format", format)
    #expect(twice.text.contains("1 capture has the same contents as others ("))
  }

  /// Rows that were read without keys stay, and the next run with keys says so.
  @Test(arguments: ["sqlite", "jsonl"]) func otherKeys(_ format: String) throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("out.\(format)"))
    let keys = Project.capture("pebble-session/accessory.harkkeys")
    let note = "2 unchanged captures were read with other keys ("
    func run(_ options: String...) throws -> String {
      try OtherProgram.run(
        HarkProgram.url.path, ["export", input, output, "--format", format] + options
      ).text
    }
    #expect(try !run().contains("other keys"))
    #expect(try !run().contains("other keys"))
    #expect(try run("--keys", keys).contains(note))
    #expect(try !run("--keys", keys, "--again").contains("other keys"))
    #expect(try !run("--keys", keys).contains("other keys"))
    #expect(try run().contains(note))
  }

  @Test(arguments: ["sqlite", "jsonl"]) func deleted(_ format: String) throws {
    let folder = try Self.folder()
    let (input, output) = (folder.path("in"), folder.path("out.\(format)"))
    _ = try HarkProgram.run("export", input, output, "--format", format)
    try FileManager.default.removeItem(atPath: input + "/ancs-session.btsnoop")
    let run = try HarkProgram.run("export", input, output, "--format", format)
    #expect(
      run.text.contains("1 exported capture no longer exists (\(input)/ancs-session.btsnoop)"))
    // In another folder, nothing is known of it.
    let other = try TestFolder()
    let faults = Project.capture("pebble-faults/pebble-faults.btsnoop")
    try Project.bytes(faults).write(to: other.url.appending(path: "a.btsnoop"))
    let elsewhere = try HarkProgram.run(
      "export", other.path("a.btsnoop"), output, "--format", format)
    #expect(!elsewhere.text.contains("no longer"))
  }
}
