import Foundation
import Testing

/// Runs every command line in Tests/Transcripts and compares what it prints, whole.
///
/// A transcript is a text file: `$ ` and the command line, then its standard output, then `? ` and
/// its exit code. Commands run in the root of the package. With HARK_GOLDEN=1 in the environment
/// the transcripts are rewritten.
@Suite struct GoldenTranscriptTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = root.appendingPathComponent("Tests/Transcripts")
  static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { $0.hasSuffix(".txt") }.sorted()
  }()
  /// The program is built into the folder that holds the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("hark")

  @Test(arguments: names) func transcript(_ name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let expected = try String(contentsOf: file, encoding: .utf8)
    let command = try #require(expected.split(separator: "\n").first)
    let words = command.split(separator: " ").map(String.init)
    try #require(words.count > 1 && words[0] == "$" && words[1] == "hark")
    let found = "\(command)\n" + (try Self.run(Array(words.dropFirst(2))))
    if ProcessInfo.processInfo.environment["HARK_GOLDEN"] == "1" {
      try found.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(found == expected, "make golden rewrites \(name)")
    }
  }

  static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = root
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    return "\(text)\(end)? \(process.terminationStatus)\n"
  }
}
