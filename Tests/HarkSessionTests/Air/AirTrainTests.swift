import HarkDissection
import Testing

@testable import HarkSession

/// Periodic advertising over the air, with and without responses. Core Specification, Vol 6, Part B, 2.3.4, 3.1.1, 4.4.2.14
@Suite struct AirTrainTests {
  private static func record(_ address: String, _ pdu: String, _ crcInit: UInt32) -> MadeRecord {
    MadeRecord(
      kind: .leLinkLayer, isReceived: false,
      hex: AirStrangerTests.packet(address, pdu, crcInit: crcInit))
  }

  /// AUX_ADV_IND with SyncInfo, and ACAD with Periodic Advertising Response Timing Information: RspAA 0x6B5A4938.
  private static let advertisement = record(
    "d6be898e",
    "4726 25 29 2222222222e2 0010 0000 5000 ffffffff1f 29417671 332211 0000"
      + "0932 38495a6b 04180808", 0x55_5555)

  private static func indication(_ octet: String) -> MadeRecord {
    record("29417671", "0709 03 08 0010 04ff5900" + octet, 0x11_2233)
  }

  private static func response(_ octet: String) -> MadeRecord {
    record("38495a6b", "0707 00 05ff590002" + octet, 0x11_2233)
  }

  /// Responses are no connection.
  @Test func responses() {
    var contexts: [LinkLayerContext] = []
    let session = MadeRecord.session([
      Self.advertisement, Self.indication("01"), Self.response("01"), Self.response("02"),
      Self.response("03"),
    ]) { session, _ in contexts.append(session.tables.record.linkLayer) }
    #expect(session.links.isEmpty)
    #expect(session.counts.air.strange == 0)
    #expect(session.counts.air.wrongCRCs == 0)
    #expect(session.counts.malformed == 0)
    #expect(
      contexts.map(\.subevent) == [.none, .indication, .response, .response, .response])
    #expect(contexts.suffix(4).map(\.channel) == [.periodic, .periodic, .periodic, .periodic])
    #expect(contexts.suffix(4).map(\.crc) == [.right, .right, .right, .right])
  }

  /// The AUX_ADV_IND was not received: its packets are of no connection, either.
  @Test func unknownTrain() {
    let session = MadeRecord.session([
      Self.indication("01"), Self.indication("02"), Self.indication("03"),
    ])
    #expect(session.links.isEmpty)
    #expect(session.counts.air.strange == 3)
  }

  /// LL_PERIODIC_SYNC_WR_IND transfers such a train. 2.4.2.41
  @Test func transferred() {
    var air = MadeAir()
    air.connect()
    air.control(
      0,
      "2a 0000 6400 5000 ffffffff1f 29417671 332211 0700 0500 0600 13 01 6655443322c1 0500"
        + "38495a6b 04180808")
    let time = air.records.last?.time ?? 0
    for octet in ["01", "02", "03"] {
      var response = Self.response(octet)
      response.time = time
      air.records.append(response)
    }
    let session = MadeRecord.session(air.records)
    #expect(session.links.count == 1)
    #expect(session.counts.air.strange == 0)
  }
}
