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
    let example = try Self.example(with: "configuration.update")
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

  /// The example of docs/profiles.md in which `text` is.
  private static func example(with text: String) throws -> String {
    let page = try #require(ProjectFiles().text(at: "docs/profiles.md"))
    let parts = page.split(separator: "```", omittingEmptySubsequences: false)
    return String(
      try #require(parts.first { $0.hasPrefix("yaml\n") && $0.contains(text) }).dropFirst(5))
  }

  /// Two streams at once, numbers that begin again, a fragment that came late, and one that never did.
  @Test func sequences() throws {
    let layout = """
      meta: {id: acme}
      seq: []
      types:
        fragment:
          seq:
            - {id: is_first, type: b1}
            - {id: seq, type: b7}
            - {id: is_last, type: b1}
            - {id: stream, type: b7}
            - {id: body, size-eos: true}
      """
    let example = try Self.example(with: "sequence:")
    let files = MadeFiles(
      texts: ["a/p.yaml": "profile: {id: acme}\n" + example, "a/acme.ksy": layout])
    var assembler = try Profile.load("a/p.yaml", from: files).framing.makeAssembler()
    let uuid = try #require(BluetoothUUID("5f0e0002-3a7c-4c1d-9a53-2f0d6c1b7e42"))
    var frame: UInt32 = 0
    func receive(_ head: [UInt8], _ body: String) -> [String] {
      frame += 1
      let framed = assembler.receive(
        VendorValue(
          frames: [PacketID(frame)], time: Timestamp(microseconds: Int64(frame)),
          channel: .characteristic(uuid), toServer: false, operation: .notification,
          bytes: head + Array(body.utf8)))
      return framed.map { part in
        let frames = part.origin.frames.map { "\($0.number)" }.joined(separator: ",")
        switch part.content {
        case .plain(let message):
          guard case .application(let id, let name) = message.contents.first else { return "?" }
          return "\(frames) \(id) \(name ?? "")"
        case .incomplete(let gap): return "\(frames) \(gap)"
        default: return "\(part)"
        }
      }
    }
    #expect(receive([0x80 | 126, 1], "{\"id\":") == [])
    #expect(receive([0x80 | 5, 2], "{\"id\":\"b\"") == [])
    #expect(receive([0, 1], ",\"name\":\"A") == [])
    #expect(receive([127, 1], "\"a\"") == [])
    #expect(receive([1, 0x81], "\"}") == ["1,3,4,5 a A"])
    #expect(receive([7, 0x82], "}") == [])
    #expect(
      receive([0x80 | 8, 0x82], "{\"id\":\"c\"}")
        == ["2 lostFragments(first: 6, count: 1)", "7 c "])
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
    for rule in FragmentSequence.GapRule.allCases { #expect(text.contains("`\(rule.rawValue)`")) }
    for list in ItemList.allCases { #expect(text.contains("`\(list.rawValue)`")) }
    for method in Method.allCases {
      #expect(
        text.contains("`\(method.rawValue)`") || text.contains("`\(method.rawValue)("), "\(method)")
    }
  }
}
