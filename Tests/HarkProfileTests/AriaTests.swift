import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkProfile

/// Every frame of the headphones against what their generator says it says: also what no kind of
/// message is for.
struct AriaTests {
  struct Truth: Decodable {
    struct Event: Decodable {
      var frame: String?
      var bytes: String?
      var sequence: Int?
      var checksum: String?
      var says: Says?
    }
    struct Says: Decodable {
      var version, mask, bits, setting, value, of, status, level: Int?
      var name, model, firmware, serial: String?
      var `where`: String?
      var isCharging: Bool?
      var sources: [Source]?
    }
    struct Source: Decodable { var role, audio: String }
    var events: [Event]
  }

  /// As the protocol counts them.
  static let places = ["in case", "off head", "in ear", "on head", "over the ear"]
  static let roles = ["", "primary", "secondary"]
  static let audio = ["none", "media", "call"]

  @Test(arguments: ["aria-session", "aria-faults"]) func frames(_ name: String) throws {
    let file = Project.captures.appending(path: "\(name)/truth.json")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file))
    let encoding = try #require(try Profile.project("aria").channels.first).contents.encoding
    var frames = 0
    for event in truth.events {
      guard let bytes = event.bytes, let says = event.says else { continue }
      frames += 1
      let message = encoding.read(try #require(Hex.bytes(bytes)))
      #expect((message.problem != nil) == (event.checksum == "wrong"))
      #expect(message.trailing == nil)
      let value = message.value
      #expect(value["sequence"].int == event.sequence)
      let body = value["body"]
      for (member, number) in [
        ("version", says.version), ("mask", says.mask), ("bits", says.bits),
        ("setting", says.setting), ("value", says.value), ("of_sequence", says.of),
        ("status", says.status), ("level", says.level),
      ] {
        #expect(body[member].int == number, "\(event.frame ?? "") \(member)")
      }
      for (member, text) in [
        ("name", says.name), ("model", says.model), ("firmware", says.firmware),
        ("serial", says.serial),
      ] {
        #expect(body[member]["text"].text == text)
      }
      #expect(body["place"].int == says.where.map { Self.places.firstIndex(of: $0) ?? -1 })
      #expect(body["is_charging"].bool == says.isCharging)
      guard let sources = says.sources else { continue }
      let found: [ProfileValue] =
        if case .array(let items) = body["sources"] { items } else { [] }
      #expect(found.map { $0["role"].int } == sources.map { Self.roles.firstIndex(of: $0.role) })
      #expect(found.map { $0["audio"].int } == sources.map { Self.audio.firstIndex(of: $0.audio) })
    }
    #expect(frames > 20)
  }
}

extension ProfileValue {
  fileprivate subscript(name: String) -> ProfileValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }
}
