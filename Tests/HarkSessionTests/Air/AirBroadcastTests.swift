import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Packets of Broadcast Isochronous Groups over the air. Core Specification, Vol 6, Part B, 2.1.2, 2.6.2, 4.4.6.11.
@Suite struct AirBroadcastTests {
  /// ISO_Interval 8 × 1.25 ms, 2 BISes; NSE 4, BN 1, Sub_Interval 2,500 µs; BIS_Spacing 1,250 µs, IRC 4; Max_PDU 100;
  /// SeedAccessAddress 0x12345678; SDU_Interval 10,000 µs, Max_SDU 100; BaseCRCInit 0xBEEF; LE 2M.
  private static let bigInfo =
    "10000410 24c40900 e20440 64 00 78563412 10274006 efbe ffffffff3f 0000000000"

  private static func record(_ address: String, _ pdu: String, _ crcInit: UInt32) -> MadeRecord {
    MadeRecord(
      kind: .leLinkLayer, isReceived: false,
      hex: AirStrangerTests.packet(address, pdu, crcInit: crcInit))
  }

  /// AUX_ADV_IND of E2:22:22:22:22:22 with ADI and SyncInfo: access address 0x71764129, CRCInit 0x112233.
  private static let advertisement = record(
    "d6be898e",
    "471c 1b29 2222222222e2 0010 0000 5000 ffffffff1f 29417671 332211 0000", 0x55_5555)

  /// AUX_SYNC_IND with ACAD.
  private static let train = record("29417671", "0725 2400 222c" + bigInfo, 0x11_2233)

  @Test func addresses() throws {
    let bytes = try #require(Hex.bytes("222c" + Self.bigInfo))
    let found = BIGInfoMessage(bytes.raw, in: 0..<bytes.count)
    let info = try #require(found)
    #expect((info.streams, info.isoInterval, info.maxPDU) == (2, 8, 100))
    #expect((info.sduInterval, info.maxSDU, info.phy) == (10_000, 100, 2))
    #expect(!info.isEncrypted)
    // D = 42 = 0b0101010 and 77 = 0b1001101; DW = 0x02A40000 and 0xFD060000.
    #expect(info.stream(0) == (0x1234_5678 ^ 0x02A4_0000, 0xBE_EF00))
    #expect(info.stream(1) == (0x1234_5678 ^ 0xFD06_0000, 0xBE_EF01))
  }

  /// A packet of BIS 1, and BIG_TERMINATE_IND. The train repeats its BIGInfo, which is reported once.
  @Test func packets() throws {
    var contexts: [LinkLayerContext] = []
    var groups: [PeriodicEvent.BroadcastGroup] = []
    let session = MadeRecord.session([
      Self.advertisement, Self.train, Self.advertisement, Self.train,
      Self.record("785632ef", "0004 aabbccdd", 0xBE_EF01),
      Self.record("78569010", "0304 01130500", 0xBE_EF00),
    ]) { session, _ in
      contexts.append(session.tables.record.linkLayer)
      for event in session.events {
        if case .periodic(.group(let group)) = event.content { groups.append(group) }
      }
      session.dropEvents()
    }
    #expect(session.counts.air.strange == 0)
    #expect(session.counts.air.wrongCRCs == 0)
    #expect(session.counts.malformed == 0)
    #expect(session.links.count == 0)
    #expect(contexts.suffix(2).map(\.channel) == [.broadcast, .broadcast])
    #expect(contexts.suffix(2).map(\.crc) == [.right, .right])
    #expect(
      contexts.suffix(2).map(\.broadcast) == [
        .init(seedAccessAddress: 0x1234_5678, stream: 1),
        .init(seedAccessAddress: 0x1234_5678, stream: 0),
      ])
    #expect(
      groups == [
        .init(
          accessAddress: 0x7176_4129,
          group: .init(
            streams: 2, isoInterval: 8, maxPDU: 100, sduInterval: 10_000, maxSDU: 100, phy: 2,
            isEncrypted: false))
      ])
  }
}
