import Foundation
import HarkTestSupport
import Testing

/// `hark explain`: why something is locked, and what opens it.
@Suite struct ExplainCommandTests {
  private struct Explained: Decodable {
    struct Item: Decodable {
      let layer: String
      let opened: Bool
      let reason: String
      let firstFrame: Int
      let messages: Int?
      let fingerprint: String?
      let origin: String?
      let missingPrivateKeyOf: String?
      let tried: [String]
      let remedies: [String]
    }
    let encrypted: [Item]
    let remark: String?
  }

  private static func explain(_ arguments: String...) throws -> Explained {
    let run = try OtherProgram.run(
      HarkProgram.url.path, ["explain"] + arguments + ["--format", "json"])
    #expect(run.code == 0, "\(run.stated)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Explained.self, from: Data(run.text.utf8))
  }

  private static let air = Project.capture("pebble-air/pebble-air.pcap")
  private static let link = Project.capture("pebble-air/link.harkkeys")
  private static let session = Project.capture("pebble-session/pebble-session.btsnoop")
  private static let accessory = Project.capture("pebble-session/accessory.harkkeys")

  /// Its pairing is LE Secure Connections: the LTK is in no packet.
  @Test func aLinkFromTheAir() throws {
    let locked = try Self.explain(Self.air)
    #expect(locked.encrypted.map(\.reason) == ["ltk-of-secure-connections", "irk"])
    #expect(locked.encrypted[0].tried == ["no LTK: none was given, and the capture has none"])
    #expect(locked.remark == nil)
    #expect(locked.encrypted[0].remedies.contains { $0.contains("--ltk KEY@E2:4F:2A:22:22:22") })
    let wrong = try Self.explain(Self.air, "--ltk", String(repeating: "ab", count: 16))
    #expect(wrong.encrypted[0].tried.contains { $0.contains("1 LTK") && $0.contains("--ltk") })
    // With its key, what the link carries is the next lock.
    let opened = try Self.explain(Self.air, "-k", Self.link)
    #expect(opened.encrypted.map(\.reason) == ["opened", "no-private-key"])
    #expect(opened.encrypted[0].origin == Self.link)
    let both = try Self.explain(Self.air, "-k", Self.link, "-k", Self.accessory)
    #expect(both.encrypted.map(\.opened) == [true, true])
  }

  /// A key in the byte order of SMP and HCI decrypts nothing, and hark says why.
  @Test func aReversedKey() throws {
    let text = try String(contentsOfFile: Self.link, encoding: .utf8)
    let key = try #require(text.firstMatch(of: /"key": *"([0-9a-f]+)"/)).1
    let reversed = stride(from: 30, through: 0, by: -2).map { key.dropFirst($0).prefix(2) }.joined()
    let locked = try Self.explain(Self.air, "--ltk", reversed).encrypted[0]
    #expect(!locked.opened)
    #expect(locked.tried.count { $0.contains("in the opposite order decrypts the link") } == 1)
    let wrong = try Self.explain(Self.air, "--ltk", String(repeating: "ab", count: 16))
    #expect(!wrong.encrypted[0].tried.contains { $0.contains("opposite") })
  }

  /// A key that was not in use then is not tried.
  @Test func aKeyOfAnotherTime() throws {
    let folder = try TestFolder()
    let text = try String(contentsOfFile: Self.link, encoding: .utf8)
    let key = try #require(text.firstMatch(of: /"key": *"([0-9a-f]+)"/)).1
    for (member, opens) in [("until", false), ("since", true)] {
      try """
      {"format": "hark-keys", "version": 1, "test": true,
       "longTermKeys": [{"key": "\(key)", "\(member)": "2001-01-01"}]}
      """.write(toFile: folder.path("k"), atomically: true, encoding: .utf8)
      #expect(try Self.explain(Self.air, "-k", folder.path("k")).encrypted[0].opened == opens)
    }
  }

  /// HCI is above link encryption; what the accessory's app seals stays so.
  @Test func messagesOverHCI() throws {
    let locked = try Self.explain(Self.session)
    #expect(locked.encrypted.map(\.layer) == ["message"])
    #expect(locked.encrypted[0].missingPrivateKeyOf == "2fdfb148")
    #expect(locked.encrypted[0].firstFrame == 154 && locked.encrypted[0].messages == 11)
    #expect(locked.remark?.contains("link encryption") == true)
    let opened = try Self.explain(Self.session, "-k", Self.accessory)
    #expect(opened.encrypted.map(\.fingerprint) == ["2fdfb148"])
    // One packet of a message, and one of none.
    #expect(try Self.explain(Self.session, "155").encrypted.count == 1)
    #expect(try Self.explain(Self.session, "3").encrypted.isEmpty)
    let none = try OtherProgram.run(HarkProgram.url.path, ["explain", Self.session, "99999"])
    #expect(none.code == 64 && none.stated.last?.contains("there is no packet 99999") == true)
  }
}
