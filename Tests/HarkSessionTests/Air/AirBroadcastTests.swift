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
    #expect(session.links.map(\.transport) == [.iso, .iso])
    #expect(session.links.map(\.air?.accessAddress) == [0xEF32_5678, 0x1304_5678])
    #expect(session.links.map(\.packets) == [1, 0])
    #expect(session.streams.map(\.bytes) == [[0, 4], [0, 0]])
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

  /// The train at `time`, in microseconds: BIG_Offset 100 × 30 µs points to BIG event `count`, which BN 1 counts.
  private static func train(_ count: UInt8, at time: Int64) -> MadeRecord {
    let event = Hex.text([count])
    let info = bigInfo.replacing("10000410", with: "64000410").dropLast(10) + event + "00000000"
    var record = record("29417671", "0725 2400 222c" + info, 0x11_2233)
    record.microseconds = time
    return record
  }

  private static func control(_ pdu: String, at time: Int64) -> MadeRecord {
    var record = record("78569010", pdu, 0xBE_EF00)
    record.microseconds = time
    return record
  }

  /// BIG_CHANNEL_MAP_IND, then BIG_TERMINATE_IND in event 3 with the instant 5. At 0, BIGInfo points to event 0 at 3 ms; an event
  /// takes 10 ms, so event 5 begins at 53 ms. 2.6.3, 4.4.6.11
  @Test func controls() {
    var last = Self.advertisement
    last.microseconds = 53_100
    let records = [
      Self.advertisement, Self.train(0, at: 0),
      Self.control("0308 00 0000ffff1f 0200", at: 13_000),
      Self.control("0308 00 0000ffff1f 0200", at: 23_000),
      Self.control("0304 01130500", at: 33_000), Self.control("0304 01130500", at: 43_000),
      Self.train(5, at: 50_000), last,
    ]
    var found: [UInt32: String] = [:]
    let session = MadeRecord.session(records) { session, _ in
      for event in session.events {
        guard case .linkLayer = event.content else { continue }
        found[event.frames.first.number] = "\(event.content.described.kind.name)"
      }
      session.dropEvents()
    }
    #expect(
      found == [
        3: "broadcast-channel-map", 5: "broadcast-group-terminating",
        8: "broadcast-group-terminated",
      ])
    #expect(session.links.map(\.closed) == [PacketID(8), PacketID(8)])
    #expect(session.links.map(\.reason) == [0x13, 0x13])
  }

  /// The same packet in the subevents of one BIG event is counted once; in the next event, it is another one.
  @Test func repeatedData() {
    var records = [Self.advertisement, Self.train(0, at: 0)]
    for time in [3_000, 5_500, 8_000, 13_000] as [Int64] {
      var record = Self.record("785632ef", "0004 aabbccdd", 0xBE_EF01)
      record.microseconds = time
      records.append(record)
    }
    let session = MadeRecord.session(records)
    #expect(session.links[0].packets == 4)
    #expect(session.streams[0].packets == [0, 2])
    #expect(session.counts.air.retransmissions == 2)
  }

  /// The clock is set back by an hour, or forward by two days: the same packet then belongs to another BIG event.
  @Test(arguments: [-3_600, 172_800] as [Int64]) func clockStep(_ step: Int64) {
    var records = [Self.advertisement, Self.train(0, at: 0)]
    for (time, seconds) in [(3_000, 0), (5_500, 0), (8_000, step), (10_500, step)]
      as [(Int64, Int64)]
    {
      var record = Self.record("785632ef", "0004 aabbccdd", 0xBE_EF01)
      (record.time, record.microseconds) = (seconds, time)
      records.append(record)
    }
    let session = MadeRecord.session(records)
    #expect(session.streams[0].packets == [0, 2])
    #expect(session.counts.air.retransmissions == 2)
  }

  private static func ends(
    _ records: [MadeRecord]
  ) -> [(packet: UInt32, end: LinkLayerEvent.BroadcastGroupTerminated)] {
    MadeRecord.session(records).events.compactMap { event in
      guard case .linkLayer(.broadcastGroupTerminated(let it)) = event.content else { return nil }
      return (event.frames.last.number, it)
    }
  }

  /// AUX_SYNC_IND without ACAD, at a time in microseconds.
  private static func bare(at time: Int64) -> MadeRecord {
    var record = record("29417671", "0701 00", 0x11_2233)
    record.microseconds = time
    return record
  }

  /// The train continues without BIGInfo: the end of an encrypted group cannot be read. A packet of the group shows that it is
  /// still there. 4.4.6.11
  @Test func noLongerAnnounced() throws {
    let bare = [100_000, 200_000, 300_000].map { Self.bare(at: $0) }
    let ends = Self.ends([Self.advertisement, Self.train(0, at: 0)] + bare)
    #expect(ends.map(\.packet) == [5])
    #expect(ends.first?.end == .init(group: 0x1234_5678, cause: .notAnnounced))
    var data = Self.record("785632ef", "0004 aabbccdd", 0xBE_EF01)
    data.microseconds = 250_000
    #expect(
      Self.ends([Self.advertisement, Self.train(0, at: 0)] + bare.prefix(2) + [data, bare[2]])
        .isEmpty)
    // BIGInfo is back after it was missing twice.
    #expect(
      Self.ends(
        [Self.advertisement, Self.train(0, at: 0)] + bare.prefix(2)
          + [Self.train(25, at: 250_000), bare[2]]
      ).isEmpty)
  }

  /// The longest synchronization timeout is 163.84 s. Vol 4, Part E, 7.8.67
  @Test(arguments: [(160, []), (170, [3])] as [(Int64, [UInt32])])
  func outOfReach(_ time: Int64, _ packets: [UInt32]) {
    var last = Self.advertisement
    last.time = time
    let ends = Self.ends([Self.advertisement, Self.train(0, at: 0), last])
    #expect(ends.map(\.packet) == packets)
    #expect(ends.allSatisfy { $0.end.cause == .notReceived && $0.end.reason == nil })
  }

  /// The clock was set forward by more than a day: how long nothing was received is known only since then.
  @Test(arguments: [(160, []), (170, [4])] as [(Int64, [UInt32])])
  func outOfReachAfterClockStep(_ time: Int64, _ packets: [UInt32]) {
    let step: Int64 = 100_000
    let later = [step, step + time].map { time in
      var record = Self.advertisement
      record.time = time
      return record
    }
    let ends = Self.ends([Self.advertisement, Self.train(0, at: 0)] + later)
    #expect(ends.map(\.packet) == packets)
    #expect(ends.allSatisfy { $0.end.cause == .notReceived })
  }

  /// What another sniffer receives does not put off looking at the groups of this one.
  @Test func outOfReachOfOneSniffer() {
    var (other, last) = (Self.advertisement, Self.advertisement)
    (other.time, other.controller) = (170, 1)
    (last.time, last.microseconds) = (170, 500_000)
    let ends = Self.ends([Self.advertisement, Self.train(0, at: 0), other, last])
    #expect(ends.map(\.packet) == [4])
  }

  /// NSE 4, BN 1, IRC 2, PTO 1: the last two subevents of a BIG event carry the payloads of the next and of the second event.
  /// Also if all payloads are alike, each counts once. 4.4.6.3 to 4.4.6.6
  @Test(arguments: [["aa", "bb", "cc", "dd"], ["aa", "aa", "aa", "aa"]])
  func pretransmissions(_ payloads: [String]) {
    let info = Self.bigInfo.replacing("10000410", with: "64000410")
      .replacing("24c40900 e20440", with: "24c40910 e20420")
    // BIG_Offset 100 × 30 µs, ISO_Interval 10 ms, Sub_Interval 2.5 ms: the events begin at 3 and 13 ms.
    let sent: [(time: Int64, payload: Int)] = [
      (3_000, 0), (5_500, 0), (8_000, 1), (10_500, 2), (13_000, 1), (15_500, 1), (18_010, 2),
      (20_510, 3),
    ]
    var records = [
      Self.advertisement, Self.record("29417671", "0725 2400 222c" + info, 0x11_2233),
    ]
    for (time, payload) in sent {
      var record = Self.record("785632ef", "0004 aabbcc" + payloads[payload], 0xBE_EF01)
      record.microseconds = time
      records.append(record)
    }
    let session = MadeRecord.session(records)
    #expect(session.streams[0].packets == [0, 4])
    #expect(session.counts.air.retransmissions == 4)
  }

  /// Framed data of a BIS whose BIGInfo was not received: LLID 0b10, as L2CAP PDUs of connections have it. Segmentation Headers
  /// with CMPLT and 7 octets, Time_Offset 10,000 µs; or a continuation of 4 octets. Vol 6, Part G, 4.2
  @Test func framedWithoutBIGInfo() {
    let session = MadeRecord.session([
      Self.record("78569010", "0209 0207 102700 aabbccdd", 0xBE_EF01),
      Self.record("78569010", "0209 0207 102700 11223344", 0xBE_EF01),
      Self.record("78569010", "0a0f 0304 01020304 0207 102700 55667788", 0xBE_EF01),
    ])
    #expect(session.links.isEmpty)
    #expect(session.counts.air.strange == 3)
  }

  /// Encrypted, they have no sequence numbers; the next PDU of a connection has others.
  @Test(arguments: [("02", 0), ("0a", 1)]) func encryptedWithoutBIGInfo(
    _ header: String, _ links: Int
  ) {
    let session = MadeRecord.session([
      Self.record("78569010", "0209 f1e2d3c4b5a6978879", 0xBE_EF01),
      Self.record("78569010", "0209 0a1b2c3d4e5f607182", 0xBE_EF01),
      Self.record("78569010", header + "09 99aabbccddeeff0011", 0xBE_EF01),
    ])
    #expect(session.links.count == links)
  }
}
