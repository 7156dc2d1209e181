import HarkCapture
import HarkCore
import HarkCrypto
import HarkPresentation
import HarkProfile
import HarkSession
import Testing

/// What `hark show` has of proximity pairing advertising that a key opens.
@Suite struct FrameProximityTests {
  /// Keys of a public example; the block and the address were computed by Python's cryptography.
  private static let keys = """
    {"format": "hark-keys", "version": 1, "proximityKeys": [{"address": "C0:DE:00:00:00:01",
    "encryptionKey": "1bdd73d2be019b9855cc5b367bf99d5d",
    "identityResolvingKey": "64dd9ce7bcb5b50a9a334542cbaf1902"}]}
    """
  private static let report =
    "3e 2b 02 01 00 01 cb 1d d7 22 11 4a 1f 1e ff 4c 00 07 19 01 0e 20 2b 99 8f 11 00 00"
    + " 72 c2 1c 93 85 6e 33 ba 4c c8 3b a5 f4 47 da e7 c4"

  private func sections(_ keys: KeyRing) throws -> [FrameView.Section] {
    let bytes = try #require(Hex.bytes(Self.report))
    var session = Session(keys: keys, framings: .known)
    session.keepsFields = true
    var record = CaptureRecord()
    (record.kind, record.direction) = (.event, .controllerToHost)
    (record.count, record.originalCount) = (bytes.count, bytes.count)
    session.index(record, bytes.raw)
    var events = FrameEvents(PacketID(1))
    events.take(session, bytes.raw)
    let view = FrameView(events, session)
    return try #require(view).sections
  }

  @Test func decrypted() throws {
    let file = try KeyFile(Array(Self.keys.utf8), name: "lab.harkkeys")
    let sections = try sections(KeyRing([file]))
    let last = try #require(sections.last)
    #expect(last.title.hasPrefix("Decrypted with proximity pairing key "))
    guard case .parts(let parts) = last.content else { throw Unexpected() }
    #expect(
      parts.map { "\($0.name) \($0.range.lowerBound): \($0.text)" } == [
        "Undecoded 0: 00", "First Bud 1: 77 %", "Second Bud 2: 80 %, charging", "Case 3: 50 %",
        "Undecoded 4: 2d0000000000000000000000",
      ])
    #expect(try self.sections(KeyRing()).count == sections.count - 1)
  }

  struct Unexpected: Error {}
}
