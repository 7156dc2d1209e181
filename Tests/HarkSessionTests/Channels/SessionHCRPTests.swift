import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// A host that prints: the service record of CSR's printer, requests as BlueZ's CUPS backend sends them (cups/hcrp.c),
/// replies as the structures of Stonestreet One's hcrtypes.h.
@Suite struct SessionHCRPTests {
  /// The class HCR_Print at PSM 0x2001, then its control channel. Core Specification, Vol 3, Part B, 5.1
  private static let opening: [MadeRecord] = [
    MadeRecord.pdu(0x01, "02 02 04 00 01 00 50 00", received: false),
    MadeRecord.pdu(0x01, "03 02 08 00 51 00 50 00 00 00 00 00", received: true),
    MadeRecord.pdu(0x51, "06 0001 000d 35 03 19 1126 ffff 35 03 09 0001 00", received: false),
    MadeRecord.pdu(
      0x50,
      "07 0001 0021 001e 35 1c 35 1a 09 0001 35 03 19 1126 09 0004 35 0d 35 06 19 0100 09 2001 35 03 19 0012 00",
      received: true),
    MadeRecord.pdu(0x01, "02 03 04 00 01 20 60 00", received: false),
    MadeRecord.pdu(0x01, "03 03 08 00 61 00 60 00 00 00 00 00", received: true),
  ]

  private static func sent(_ hex: String) -> MadeRecord {
    MadeRecord.pdu(0x61, hex, received: false)
  }

  private static func received(_ hex: String) -> MadeRecord {
    MadeRecord.pdu(0x60, hex, received: true)
  }

  private struct Reported: Equatable {
    let sentence: String
    let packets: Int

    init(_ sentence: String, _ packets: Int) {
      (self.sentence, self.packets) = (sentence, packets)
    }
  }

  private func reported(_ records: [MadeRecord], opening: [MadeRecord] = opening) -> [Reported] {
    let session = MadeRecord.session(opening + records)
    var reported: [Reported] = []
    for event in session.events {
      guard case .hcrp(let content) = event.content else { continue }
      #expect(event.severity == .warning)
      reported.append(
        Reported(Event.sentence(of: content, event, session).text, event.frames.count))
    }
    return reported
  }

  /// What succeeds is no event.
  @Test func requests() {
    #expect(
      reported([
        Self.sent("0001 0001 0004 00000000"), Self.received("0001 0001 0002 0001"),
        Self.sent("0002 0002 0000"), Self.received("0002 0002 0006 0001 00001400"),
        Self.sent("0004 0003 0004 00001400"), Self.received("0004 0003 0006 0002 00001000"),
        Self.sent("0009 0004 0009 01 00000001 00000000"), Self.received("0009 0004 0002 0000"),
        Self.sent("8001 0005 0000"), Self.received("8001 0005 0002 ffff"),
        Self.sent("0007 0006 0000"), Self.sent("0005 0007 0000"),
      ]) == [
        Reported(
          "HCRP CR_DataChannelCreditQuery refused by peer: Credit Synchronization Error (0x0002)", 2
        ),
        Reported("HCRP CR_RegisterNotification refused by peer: Feature Unsupported (0x0000)", 2),
        Reported("HCRP PDU 0x8001 refused by peer: Generic Failure (0xffff)", 2),
        Reported("HCRP CR_SoftReset has no answer in the capture", 1),
        Reported("HCRP CR_GetLPTStatus has no answer in the capture", 1),
      ])
  }

  /// A refusal whose request is lost or has another Transaction ID. A reply that the recorder cut is still one.
  @Test func lost() {
    #expect(
      reported([
        Self.received("0008 0001 0002 0000"),
        Self.sent("0007 0002 0000"), Self.received("0007 0001 0002 0000"),
        Self.received("0007 0002 0002 0001"), Self.sent("0002 0009 0000"),
        Self.received("0002 0009 0006 0001 00001400").losing(4),
      ]) == [
        Reported("HCRP CR_HardReset refused by peer: Feature Unsupported (0x0000)", 1),
        Reported("HCRP CR_SoftReset refused by peer: Feature Unsupported (0x0000)", 1),
      ])
  }

  /// CSR's printer does not count the two octets of the 1284 ID's length as parameters: the next reply is out of step,
  /// but not missing.
  @Test func wrongLength() {
    let session = MadeRecord.session(
      Self.opening + [
        Self.sent("0006 0001 0004 0000 0006"), Self.received("0006 0001 0006 0001 0004 4d46473a"),
        Self.sent("0007 0002 0000"), Self.received("0007 0002 0002 0000"),
        Self.sent("0008 0003 0000"), Self.received("0008 0003 0002 0000"),
      ])
    let kinds = session.events.map { $0.content.described.kind.name.description }
    #expect(kinds.filter { $0 == "hcrp-request-failed" }.count == 1)
    #expect(kinds.contains("stream-out-of-step"))
  }

  /// The channel of a printer at which this host is the server.
  @Test func hostIsPrinter() {
    let opening = [
      MadeRecord.pdu(0x01, "02 02 04 00 01 00 50 00", received: true),
      MadeRecord.pdu(0x01, "03 02 08 00 51 00 50 00 00 00 00 00", received: false),
      MadeRecord.pdu(0x51, "06 0001 000d 35 03 19 1126 ffff 35 03 09 0001 00", received: true),
      MadeRecord.pdu(
        0x50,
        "07 0001 0021 001e 35 1c 35 1a 09 0001 35 03 19 1126 09 0004 35 0d 35 06 19 0100 09 2001 35 03 19 0012 00",
        received: false),
      MadeRecord.pdu(0x01, "02 03 04 00 01 20 60 00", received: true),
      MadeRecord.pdu(0x01, "03 03 08 00 61 00 60 00 00 00 00 00", received: false),
    ]
    #expect(
      reported(
        [
          MadeRecord.pdu(0x61, "0007 0001 0000", received: true),
          MadeRecord.pdu(0x60, "0007 0001 0002 0000", received: false),
          MadeRecord.pdu(0x61, "0005 0002 0000", received: true),
        ], opening: opening) == [
          Reported("HCRP CR_SoftReset refused: Feature Unsupported (0x0000)", 2),
          Reported("peer: HCRP CR_GetLPTStatus has no answer in the capture", 1),
        ])
  }
}
