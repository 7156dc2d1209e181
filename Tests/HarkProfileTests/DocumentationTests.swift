import HarkCore
import HarkSession
import Testing

@testable import HarkProfile

/// docs/profiles.md names all there is.
struct DocumentationTests {
  /// What the example reads it with.
  static let layout = """
    meta:
      id: acme
    seq:
      - id: kind
        type: u1
        enum: kind
      - id: placement
        type: u1
      - id: sources
        type: u1
      - id: primary
        size: 6
      - id: secondary
        size: 6
    enums:
      kind:
        1: state
    """

  @Test func example() throws {
    let text = try #require(ProjectFiles().text(at: "docs/profiles.md"))
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    let example = try #require(parts.first { $0.hasPrefix("yaml\n") }).dropFirst(5)
    let files = MadeFiles(
      texts: ["a/p.yaml": "profile: {id: acme}\n" + example, "a/acme.ksy": Self.layout])
    var assembler = try Profile.load("a/p.yaml", from: files).framing.makeAssembler()
    let framed = assembler.receive(
      VendorValue(
        frames: [PacketID(0)], time: Timestamp(microseconds: 0), channel: .serverChannel(7),
        toServer: false, operation: .data,
        bytes: [1, 0xFF, 1, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7]))
    guard case .plain(let message) = framed.first?.content,
      case .configuration(let report) = message.contents.first
    else {
      Issue.record("\(framed)")
      return
    }
    #expect(report.change.devicePlacement == .cleared)
    #expect(report.change.primaryAudioSourceDeviceIdentifier == .value([6, 5, 4, 3, 2, 1]))
    #expect(report.change.secondaryAudioSourceDeviceIdentifier == .cleared)
    #expect(report.change.deviceCapabilities == .nothing)
  }

  @Test func allIsThere() throws {
    let text = try #require(ProjectFiles().text(at: "docs/profiles.md"))
    for kind in Kind.allCases {
      #expect(text.contains("`\(kind.rawValue)`"))
      let line = text.split(separator: "\n").first { $0.contains("| `\(kind.rawValue)`") }
      for member in kind.members.required where line != nil {
        #expect(line?.contains("**`\(member.rawValue)`**") == true, "\(kind) \(member)")
      }
    }
    for member in Member.allCases { #expect(text.contains("`\(member.rawValue)`"), "\(member)") }
    for encoding in Encoding.named { #expect(text.contains("`\(encoding.name)`")) }
    for list in ItemList.allCases { #expect(text.contains("`\(list.rawValue)`")) }
    for method in Method.allCases {
      #expect(
        text.contains("`\(method.rawValue)`") || text.contains("`\(method.rawValue)("), "\(method)")
    }
  }
}
