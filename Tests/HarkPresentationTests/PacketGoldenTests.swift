import Foundation
import HarkTestSupport
import Testing

/// Runs every command line in Tests/Transcripts and compares what it prints, whole.
///
/// A transcript is a text file: `$ ` and the command line, then its standard output, then each line
/// of standard error behind `! `, then `? ` and its exit code. A word may be in single quotes.
/// Commands run in the root of the package; `head -c COUNT FILE | ` in front gives the beginning of a file on standard input. With
/// HARK_GOLDEN=1 in the environment the transcripts are rewritten.
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
    let words = Self.words(String(command))
    try #require(words.first == "$")
    var arguments = words.dropFirst()
    var input: Data?
    if arguments.starts(with: ["head", "-c"]) {
      try #require(arguments.count > 5 && words[5] == "|")
      let data = try Data(contentsOf: Self.root.appendingPathComponent(words[4]))
      input = data.prefix(try #require(Int(words[3])))
      arguments = arguments.dropFirst(5)
    }
    try #require(arguments.first == "hark")
    let found = "\(command)\n" + (try Self.run(Array(arguments.dropFirst()), input: input))
    if ProcessInfo.processInfo.environment["HARK_GOLDEN"] == "1" {
      try found.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(found == expected, "make golden rewrites \(name)")
    }
  }

  /// The words of a command line; those in single quotes hold blanks.
  static func words(_ command: String) -> [String] {
    var words: [String] = []
    for (index, part) in command.split(separator: "'", omittingEmptySubsequences: false)
      .enumerated()
    {
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    return words
  }

  static func run(
    _ arguments: [String], input: Data? = nil, in folder: URL = root
  ) throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    if let input {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try input.write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
      try FileManager.default.removeItem(at: file)
    }
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    let complaints = try String(
      decoding: deadline.readToEnd(errors), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    let marked = complaints.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast(complaints.hasSuffix("\n") || complaints.isEmpty ? 1 : 0).map { "! \($0)\n" }
    return "\(text)\(end)\(marked.joined())? \(process.terminationStatus)\n"
  }
}
