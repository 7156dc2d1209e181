import HarkCore
import HarkDissection
import HarkTestSupport
import Testing

@testable import HarkSession

/// A car that uses the SIM card of a phone: a service record, RFCOMM, and messages as SIM Access Profile 1.1,
/// 5.1 and 5.2, has them.
@Suite struct SessionSIMAccessTests {
  private static func frame(
    _ address: UInt8, _ control: UInt8, _ payload: [UInt8], received: Bool
  ) -> MadeRecord {
    MadeRecord.pdu(
      received ? 0x41 : 0x60, Hex.text(RFCOMMBytes.frame(address, control, payload)),
      received: received)
  }

  /// The class SIM Access on server channel 8, then its data link. Core Specification, Vol 3, Part B, 5.1
  private static let opening: [MadeRecord] =
    [
      MadeRecord.pdu(0x01, "02 02 04 00 01 00 50 00", received: false),
      MadeRecord.pdu(0x01, "03 02 08 00 51 00 50 00 00 00 00 00", received: true),
      MadeRecord.pdu(
        0x51, "06 0001 000d 35 03 19 112d ffff 35 03 09 0001 00", received: false),
      MadeRecord.pdu(
        0x50,
        "07 0001 0020 001d 35 1b 35 19 09 0001 35 03 19 112d 09 0004 35 0c 35 03 19 0100 35 05 19 0003 08 08 00",
        received: true),
      MadeRecord.pdu(0x01, "02 01 04 00 03 00 41 00", received: false),
      MadeRecord.pdu(0x01, "03 01 08 00 60 00 41 00 00 00 00 00", received: true),
    ]
    + [0x03, 0x43].flatMap { address in
      [
        frame(address, 0x3F, [], received: false), frame(address, 0x73, [], received: true),
      ]
    }

  private static func sent(_ hex: String) -> MadeRecord {
    frame(0x43, 0xEF, Hex.bytes(hex) ?? [], received: false)
  }

  private static func received(_ hex: String) -> MadeRecord {
    frame(0x41, 0xEF, Hex.bytes(hex) ?? [], received: true)
  }

  private static let connected = [
    sent("00 01 0000 00 00 0002 00c8 0000"), received("01 01 0000 01 00 0001 00 000000"),
  ]

  private struct Reported: Equatable {
    var sentence: String
    var isWarning: Bool
    var packets: Int

    init(_ sentence: String, warning: Bool = false, _ packets: Int) {
      (self.sentence, self.isWarning, self.packets) = (sentence, warning, packets)
    }
  }

  private func reported(_ records: [MadeRecord]) -> [Reported] {
    let session = MadeRecord.session(Self.opening + records)
    var reported: [Reported] = []
    for event in session.events {
      guard case .simAccess(let content) = event.content else { continue }
      let sentence = Event.sentence(of: content.described, event, session).text
      reported.append(Reported(sentence, warning: event.severity == .warning, event.frames.count))
    }
    return reported
  }

  @Test func connection() {
    let refusal =
      "SIM access refused by peer: Error, Server does not support maximum message size (0x02); "
      + "longest message: client 280, server 200 bytes"
    let connected =
      "SIM access connected by peer: OK, Server can fulfill requirements (0x00); "
      + "longest message: client 200 bytes"
    #expect(
      reported(
        [
          Self.sent("00 01 0000 00 00 0002 0118 0000"),
          Self.received("01 02 0000 01 00 0001 02 000000 00 00 0002 00c8 0000"),
        ] + Self.connected + [
          // Two messages in one frame.
          Self.received(
            "11 01 0000 08 00 0001 01 000000" + "04 01 0000 03 00 0001 00 000000"),
          Self.sent("02 00 0000"), Self.received("03 00 0000"),
        ]) == [
          Reported(refusal, warning: true, 2), Reported(connected, 2),
          Reported("SIM card: Card reset (0x01)", 1),
          Reported("SIM access: peer, the server, disconnects: Graceful (0x00)", 1),
          Reported("SIM access disconnected by this host, the client", 2),
        ])
  }

  /// What succeeds is no event; the last request comes in two frames and is never answered.
  @Test func requests() {
    #expect(
      reported(
        Self.connected + [
          Self.sent("07 00 0000"),
          Self.received("08 02 0000 02 00 0001 00 000000 06 00 0005 3b02145000 000000"),
          Self.sent("05 01 0000 04 00 0007 a0a40000023f00 00"),
          Self.received("06 01 0000 02 00 0001 02 000000"),
          Self.received("11 01 0000 08 00 0001 03 000000"),
          Self.sent("0b 00 0000"), Self.received("12 00 0000"),
          Self.sent("05 01 0000 04 00"), Self.sent("0007 a0a40000023f00 00"),
        ]
      ).dropFirst() == [
        Reported(
          "TRANSFER_APDU_REQ refused by peer: Error, card not accessible (0x02)", warning: true, 2),
        Reported("SIM card: Card removed (0x03)", warning: true, 1),
        Reported("POWER_SIM_ON_REQ refused by peer: ERROR_RESP", warning: true, 2),
        Reported("TRANSFER_APDU_REQ has no answer in the capture", warning: true, 2),
      ])
  }

  /// Who lost the request still learns that the answer is no success; a capture that ends within a message
  /// tells nothing of it.
  @Test func lost() {
    #expect(
      reported([
        Self.received("0e 01 0000 02 00 0001 01 000000"), Self.received("12 00 0000"),
        Self.sent("05 01 0000 04 00 0007 a0a4"),
      ]) == [
        Reported(
          "RESET_SIM_REQ refused by peer: Error, no reason defined (0x01)", warning: true, 1),
        Reported("a request refused by peer: ERROR_RESP", warning: true, 1),
      ])
  }

  /// An answer whose end the recorder did not keep is an answer.
  @Test func cutAnswer() {
    let records =
      Self.opening + Self.connected + [
        Self.sent("07 00 0000"),
        Self.received("08 02 0000 02 00 0001 00 000000 06 00 0005 3b02145000 000000").losing(4),
      ]
    let kinds = MadeRecord.session(records).events.map {
      $0.content.described.kind.name.description
    }
    #expect(kinds.contains("sim-access-connection"))
    #expect(!kinds.contains("sim-request-unanswered"))
  }

  /// Parts of APDUs are in frames that hold no whole message.
  @Test func packetsAreSecret() {
    let records =
      Self.opening + [Self.sent("05 01 0000 04 00 0007 a0a4"), Self.sent("0000023f00 00")]
    let session = MadeRecord.session(records)
    let secret = (1...UInt32(records.count)).filter {
      session.packets[$0]?.flags.contains(.secret) == true
    }
    #expect(secret == [UInt32(records.count) - 1, UInt32(records.count)])
  }
}
