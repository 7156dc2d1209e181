import Foundation
import HarkTestSupport
import Testing

/// The README shows what hark really prints: each ```console block is a command line and lines of
/// its output, in order; `…` stands for lines left out.
@Suite struct ReadmeTests {
  static let examples: [(command: String, lines: [String])] = {
    let file = Project.root.appendingPathComponent("README.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```console\n").dropFirst().map { block in
      let lines = (block.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n")
      return (lines.first ?? "", Array(lines.dropFirst()))
    }
  }()

  /// What is longer no one reads; docs has room.
  @Test func isShort() throws {
    let file = Project.root.appendingPathComponent("README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func thereAreExamples() { #expect(Self.examples.count >= 3) }

  @Test(arguments: examples.indices) func exampleIsReal(_ index: Int) throws {
    let (command, lines) = Self.examples[index]
    let words = HarkProgram.words(command)
    try #require(words.prefix(2) == ["$", "hark"])
    let output = try HarkProgram.transcript(Array(words.dropFirst(2)))
    expectLines(lines, in: output)
  }
}
