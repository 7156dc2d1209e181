import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// Signed writes, checked with the CSRK that the peer distributes. PDU, key and signature are those of BlueZ's
/// unit/test-crypto.c (sign_att_5).
@Suite struct SignedWriteTests {
  private static let signedWrite = "d2 12 00 13 37 01 00 00 00 f1 87 1e 93 3c 90 0f f2"
  /// SMP Signing Information, least significant octet first. Vol 3, Part H, 3.6.6
  private static let signing = "0a 50 5e 42 df 96 91 ec 72 d3 1f cd fb eb 64 1b 61"

  private static func checks(_ records: [MadeRecord]) -> [(check: SignatureCheck, text: String)] {
    var found: [(check: SignatureCheck, text: String)] = []
    _ = MadeRecord.session(records) { session, _ in
      for event in session.events {
        guard case .attribute(.signature(let it)) = event.content else { continue }
        found.append((it.check, Event.sentence(of: it, event, session).text))
      }
      session.dropEvents()
    }
    return found
  }

  @Test func withTheDistributedKey() {
    let link = IdentityTests.connected("00", IdentityTests.identity)
    let write = MadeRecord.pdu(4, Self.signedWrite, received: true)
    #expect(Self.checks([link, write]).isEmpty)
    let found = Self.checks([link, .pdu(6, Self.signing, received: true), write])
    #expect(found.map(\.check.counter) == [1])
    #expect(found.first?.check.key != nil)
    #expect(
      found.first?.text.hasPrefix("signature of the write to 0x0012 made with CSRK ") == true)
    let damaged = MadeRecord.pdu(
      4, Self.signedWrite.replacing("13 37", with: "13 38"), received: true)
    let wrong = Self.checks([link, .pdu(6, Self.signing, received: true), damaged])
    #expect(
      wrong.map(\.text) == [
        "signature of the write to 0x0012 not made with the known CSRK, counter 1"
      ])
  }
}
