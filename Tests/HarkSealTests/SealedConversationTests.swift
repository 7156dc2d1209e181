import Foundation
import HarkCore
import HarkCrypto
import HarkTestSupport
import Testing

@testable import HarkSeal

@Suite struct SealedConversationTests {
  private static let text = """
    [{"kind":"add","title":"Mara","body":"17:10 “on time” 🚆","sourceName":"Messages",
      "sourceIdentifier":"com.example.messages","notificationIdentifier":"msg-1","shouldAlert":true,
      "actions":[{"identifier":"reply","title":"Reply…","type":"textInput"},{"identifier":"mute"}]},
     {"kind":"remove","notificationIdentifier":"msg-1"},{"kind":"removeAll"}]
    """

  /// TEST KEYS.
  private static func key(_ suite: CipherSuite) throws -> AccessoryKey {
    var bytes = [UInt8](repeating: 1, count: 32)
    return try AccessoryKey(suite, privateKey: &bytes, origin: .file("test"))
  }

  private static func request(
    _ suite: CipherSuite, _ framing: SealFraming, seed: String? = "7", fault: SealFault? = nil
  ) throws -> SealRequest {
    SealRequest(
      suite, publicKey: try key(suite).publicKey,
      identifier: "F47AC10B-58CC-4372-A567-0E02B2C3D479",
      session: "ABCDEF12-3456-7890-ABCD-EF0123456789", seed: seed, framing: framing, fault: fault,
      notifications: try NotificationReader.read(Array(text.utf8)))
  }

  private static func ring(_ suite: CipherSuite) throws -> KeyRing {
    var ring = KeyRing()
    ring.add(try key(suite))
    return ring
  }

  private static let framings: [(CipherSuite, SealFraming)] = [
    (.p256, .pebble), (.xWing, .notifbridge), (.p256, .none), (.xWing, .none),
  ]

  /// What was sealed comes back through its JSON, with the reader's own receiver of HPKE.
  @Test(arguments: framings)
  func isReversed(_ suite: CipherSuite, _ framing: SealFraming) throws {
    let request = try Self.request(suite, framing, seed: nil)
    var out = TextBuffer()
    try SealedConversation(request).write(to: &out)
    let opened = try SealedConversation(json: out.bytes).open(with: Self.ring(suite))
    var expected = request.notifications
    // Pebble says nothing of the source's identifier.
    if framing == .pebble { expected[0].texts[.sourceIdentifier] = nil }
    #expect(opened.map(\.notification) == expected)
    #expect(opened.flatMap(\.remarks) == [])
  }

  @Test(arguments: framings)
  func isDeterministicWithASeed(_ suite: CipherSuite, _ framing: SealFraming) throws {
    func bytes(_ seed: String?) throws -> [UInt8] {
      var out = TextBuffer()
      try SealedConversation(Self.request(suite, framing, seed: seed)).write(to: &out)
      return out.bytes
    }
    #expect(try bytes("7") == bytes("7"))
    #expect(try bytes("7") != bytes("8"))
    #expect(try bytes(nil) != bytes(nil))
  }

  @Test(arguments: [
    (SealFault.derivation, "version1"), (.nonceReuse, "nonce reuse"),
    (.tampered, "no key gives the right tag"),
    (.oldKey, "generation 1"),
  ])
  func faultsAreNamed(_ fault: SealFault, _ words: String) throws {
    for (suite, framing) in Self.framings {
      let sealed = try SealedConversation(Self.request(suite, framing, fault: fault))
      let remarks = try sealed.open(with: Self.ring(suite)).flatMap(\.remarks)
      #expect(remarks.contains { $0.contains(words) }, "\(framing): \(remarks)")
    }
  }

  /// A value that is never sent, in each form that can be read.
  @Test(arguments: framings.prefix(2)) func lostPartIsNamed(
    _ suite: CipherSuite, _ framing: SealFraming
  ) throws {
    for fault in [SealFault.lostPart, nil] {
      let sealed = try SealedConversation(Self.request(suite, framing, fault: fault))
      var forms = [TextBuffer(), TextBuffer(), TextBuffer()]
      sealed.write(to: &forms[0])
      sealed.writeText(to: &forms[1])
      sealed.writeC(to: &forms[2])
      let read = [
        try SealedConversation(json: forms[0].bytes), try SealedConversation(text: forms[1].bytes),
        try SealedConversation(text: forms[2].bytes),
      ]
      for conversation in read {
        let opened = try #require(conversation).open(with: try Self.ring(suite))
        let cut = opened.map { $0.remarks.contains { $0.contains("a part of it") } }
        #expect(cut == [fault != nil, false, false], "\(framing)")
      }
    }
  }

  /// The reasons are those of a file: the public key that it names, and the encapsulated keys that it has.
  @Test func reasons() throws {
    var out = TextBuffer()
    try SealedConversation(Self.request(.p256, .none)).write(to: &out)
    let json = out.string
    func remarks(_ json: String, _ ring: KeyRing) throws -> Set<String> {
      Set(try SealedConversation(json: Array(json.utf8)).open(with: ring).flatMap(\.remarks))
    }
    var others = KeyRing()
    var bytes = [UInt8](repeating: 2, count: 32)
    let other = try AccessoryKey(.p256, privateKey: &bytes, origin: .file("other"))
    others.add(other)
    let mine = try Self.key(.p256)
    let missing =
      "the private key of public key \(mine.fingerprint) (P-256) is missing; add it to a key file"
    #expect(try remarks(json, others) == [missing])
    #expect(try remarks(json, KeyRing()) == [missing])
    let ring = try Self.ring(.p256)
    let renamed = json.replacing(Hex.text(mine.publicKey), with: Hex.text(other.publicKey))
    #expect(
      try remarks(renamed, ring) == [
        "it is encrypted for public key \(mine.fingerprint), but publicKey is \(other.fingerprint)"
      ])
    #expect(
      try remarks(json.replacing("\"exchanges\": 1", with: "\"exchanges\": 0"), ring) == [
        "no encapsulated key comes before the message: its \"exchanges\" is 0"
      ])
    let key = try #require(json.firstMatch(of: /"encapsulatedKeys": \[\s*"([0-9a-f]{130})"/)?.1)
    let none = json.replacing("\"\(key)\"", with: "")
    #expect(
      try remarks(none, ring) == ["there is no encapsulated key: encapsulatedKeys is empty"])
    #expect(
      try remarks(json.replacing(key, with: key.dropLast(2)), ring) == [
        "the encapsulated key cannot be used: 64 bytes; P-256 needs 65"
      ])
    #expect(throws: SealError.self) {
      try remarks(json.replacing("\"version\": 1", with: "\"version\": 2"), ring)
    }
  }

  @Test func anotherKeyOpensNothing() throws {
    var bytes = [UInt8](repeating: 2, count: 32)
    var ring = KeyRing()
    ring.add(try AccessoryKey(.p256, privateKey: &bytes, origin: .file("other")))
    let sealed = try SealedConversation(Self.request(.p256, .pebble))
    #expect(sealed.open(with: ring).allSatisfy { $0.notification == nil && !$0.remarks.isEmpty })
  }

  @Test(arguments: [
    "[]", "7", "{\"titel\":\"\"}", "{\"kind\":\"gone\"}", "{\"kind\":\"remove\"}", "[{]",
    "{\"title\":1}", "{\"actions\":[{}]}",
  ])
  func refuses(_ text: String) {
    #expect(throws: SealError.self) { try NotificationReader.read(Array(text.utf8)) }
  }

  /// The error names the member that was probably meant, and all that there are.
  @Test(arguments: [
    (
      #"[{"body":"x"},{"titel":"x"}]"#,
      "[1] has an unknown member 'titel'; did you mean 'title'? Known members are kind, "
    ),
    (#"{"wurst":1}"#, "the object has an unknown member; known members are kind, "),
    (
      #"{"actions":[{"identifier":"a","typ":"dismiss"}]}"#,
      ".actions[0] has an unknown member 'typ'; did you mean 'type'? Known members are identifier, title, type"
    ),
  ])
  func namesUnknownMember(_ json: String, _ beginning: String) {
    let error = #expect(throws: SealError.self) { try NotificationReader.read(Array(json.utf8)) }
    #expect(error?.description.hasPrefix(beginning) == true, "\(String(describing: error))")
  }

  @Test func refusesWhatPebbleCannotHold() throws {
    var request = try Self.request(.p256, .pebble)
    request.notifications[0].texts[.title] = String(repeating: "ä", count: 61)
    #expect(throws: SealError.self) { try SealedConversation(request) }
    request = try Self.request(.xWing, .pebble)
    #expect(throws: SealError.self) { try SealedConversation(request) }
  }

  /// Prefixes of what is read: nothing traps.
  @Test func cutInputIsRefused() throws {
    var out = TextBuffer()
    try SealedConversation(Self.request(.p256, .pebble)).write(to: &out)
    for count in stride(from: 0, to: out.count - 2, by: 7) {
      #expect(throws: SealError.self) { try SealedConversation(json: Array(out.bytes[..<count])) }
    }
    let plaintext: [UInt8] = [1, 1, 2, 0x41, 0x42, 7, 5, 1, 1, 0x61, 1, 0x62]
    for count in 0..<plaintext.count {
      _ = try? SealFraming.pebble.notification(Array(plaintext[..<count]))
    }
    #expect(try SealFraming.pebble.notification(plaintext).actions.count == 1)
  }

  /// Pebble has one type for present and update, and no tags for the identifiers of the source and the thread.
  @Test func losses() throws {
    let texts = """
      [{"kind": "update", "title": "A", "threadIdentifier": "t", "sourceIdentifier": "s"},
       {"title": "B", "shouldAlert": true, "actions": [{"identifier": "ok"}]},
       {"kind": "remove", "notificationIdentifier": "1", "body": "C"}]
      """
    let all = try NotificationReader.read(Array(texts.utf8))
    #expect(
      try SealFraming.pebble.losses(of: all)
        == ["kind update (sent as add)", "sourceIdentifier", "threadIdentifier", "body"])
    #expect(try SealFraming.notifbridge.losses(of: Array(all[..<2])) == [])
    #expect(try SealFraming.none.losses(of: all) == [])
  }
}
