import Foundation
import HarkTestSupport
import Testing

@testable import HarkLayout

/// The example of docs/layouts.md, and its tables.
@Suite struct DocumentationTests {
  private static let text: String = {
    let root = Project.root.path
    return (try? String(contentsOfFile: root + "/docs/layouts.md", encoding: .utf8)) ?? ""
  }()

  @Test func theExampleLoads() throws {
    let blocks = Self.text.components(separatedBy: "```")
    let example = try #require(blocks.first { $0.hasPrefix("yaml\n") }).dropFirst(5)
    let layout = try Layout.load("a.ksy", from: MemoryFiles(texts: ["a.ksy": String(example)]))
    #expect(layout.warnings.isEmpty)
    #expect(layout.id == "acme_earbud")
    #expect(layout.fields.map(\.path).contains("battery.left"))
    // It is a Kaitai file as it stands: 3 octets of a battery message, and its value.
    var machine = LayoutMachine(layout)
    var silence = LayoutSilence()
    let message: [UInt8] = [1, 1, 87]
    #expect(machine.run(message.span.bytes, into: &silence) == nil)
  }

  @Test func everyAlgorithmIsThere() {
    for algorithm in ChecksumAlgorithm.allCases {
      #expect(Self.text.contains("`\(algorithm.rawValue)`"))
    }
    for format in LayoutField.Format.allCases {
      #expect(Self.text.contains("`\(format.rawValue)`"))
    }
  }
}
