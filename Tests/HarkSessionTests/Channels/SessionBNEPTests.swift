import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// BNEP 1.0, 2.6: setup and filters on a channel that this host opens.
@Suite struct SessionBNEPTests {
  /// L2CAP_CONNECTION_REQ for PSM 0x000F and its response; L2CAP_DISCONNECTION_REQ and its response.
  private static let opening: [MadeRecord] = [
    .pdu(0x01, "02 02 04 00 0f 00 50 00", received: false),
    .pdu(0x01, "03 02 08 00 51 00 50 00 00 00 00 00", received: true),
  ]
  private static let closing: [MadeRecord] = [
    .pdu(0x01, "06 03 04 00 51 00 50 00", received: false),
    .pdu(0x01, "07 03 04 00 51 00 50 00", received: true),
  ]
  /// PANU (0x1115) to NAP (0x1116).
  private static let setup = sent("01 01 02 1116 1115")

  private static func sent(_ hex: String) -> MadeRecord { .pdu(0x51, hex, received: false) }
  private static func received(_ hex: String) -> MadeRecord { .pdu(0x50, hex, received: true) }

  private static func events(_ records: [MadeRecord]) -> [BNEPEvent] {
    MadeRecord.session(opening + records + closing).events.compactMap { event in
      guard case .bnep(let content) = event.content else { return nil }
      #expect((event.severity == .warning) == !content.isFulfilled)
      return content
    }
  }

  private static func setUp(_ outcome: BNEPEvent.Outcome) -> BNEPEvent {
    BNEPEvent(
      request: 1, byPeer: false, source: 0x1115, destination: 0x1116, outcome: outcome)
  }

  /// A request that is sent again is one.
  @Test func setups() {
    #expect(
      Self.events([Self.setup, Self.setup, Self.received("01 02 0000")])
        == [Self.setUp(.response(0))])
    #expect(
      Self.events([Self.setup, Self.received("01 02 0004")]) == [Self.setUp(.response(4))])
    #expect(Self.events([Self.setup]) == [Self.setUp(.unanswered)])
    // With UUIDs of 16 octets.
    let long = "00001116 00001000800000805f9b34fb 00001115 00001000800000805f9b34fb"
    #expect(
      Self.events([Self.sent("01 01 10 \(long)"), Self.received("01 02 0000")])
        == [Self.setUp(.response(0))])
  }

  /// The peer's filter of network types, in an extension header of a data packet, and this host's filter of multicast
  /// addresses, which the peer does not understand.
  @Test func filters() {
    let filter = BNEPEvent(
      request: 3, byPeer: true, source: nil, destination: nil, outcome: .response(2))
    #expect(
      Self.events([
        Self.received("82 1234 00 07 03 0004 0800 0806 4500"), Self.sent("01 04 0002"),
      ]) == [filter])
    let addresses = BNEPEvent(
      request: 5, byPeer: false, source: nil, destination: nil, outcome: .notUnderstood)
    #expect(
      Self.events([
        Self.sent("01 05 000c 03000a000000 03000a0000ff"), Self.received("01 00 05"),
      ]) == [addresses])
  }

  /// What is cut anywhere never traps.
  @Test func cut() {
    for lost in 1...5 { _ = Self.events([Self.setup.losing(lost), Self.received("01 02 0004")]) }
  }
}
