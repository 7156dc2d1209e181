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
  static let folder = Project.root.appendingPathComponent("Tests/Transcripts")
  static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test(arguments: names) func transcript(_ name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let expected = try String(contentsOf: file, encoding: .utf8)
    let command = try #require(expected.split(separator: "\n").first)
    let words = HarkProgram.words(String(command))
    try #require(words.first == "$")
    var arguments = words.dropFirst()
    var input: Data?
    if arguments.starts(with: ["head", "-c"]) {
      try #require(arguments.count > 5 && words[5] == "|")
      let data = try Data(contentsOf: Project.root.appendingPathComponent(words[4]))
      input = data.prefix(try #require(Int(words[3])))
      arguments = arguments.dropFirst(5)
    }
    try #require(arguments.first == "hark")
    let found =
      "\(command)\n" + (try HarkProgram.transcript(Array(arguments.dropFirst()), input: input))
    if ProcessInfo.processInfo.environment["HARK_GOLDEN"] == "1" {
      try found.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(found == expected, "make golden rewrites \(name)")
    }
  }
}
