import HarkCore
import HarkFilter
import HarkPresentation
import Testing

/// `hark help att`: what everyone who looks a protocol up needs, of each protocol.
@Suite struct ProtocolHelpTests {
  @Test(arguments: ProtocolHelp.protocols)
  func hasSpecificationFieldsAndExample(_ path: String) throws {
    var text = TextBuffer()
    #expect(ProtocolHelp.write(path, to: &text))
    let lines = text.string.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("  specification  ") && $0.count > 20 })
    #expect(lines.contains { $0.hasPrefix("  found in       ") })
    #expect(lines.contains { $0.hasPrefix("    \(path).") })
    let example = try #require(lines.first { $0.hasPrefix("  example        ") })
    let filter = try #require(example.split(separator: "'").dropFirst().first)
    #expect(throws: Never.self) { try Filter(String(filter)) }
  }
}
