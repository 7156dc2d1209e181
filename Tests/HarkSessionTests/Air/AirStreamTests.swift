import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Streams and trains that Link Layers create over the air. Core Specification, Vol 6, Part B, 2.4.2, 2.6, 4.5.13.
@Suite struct AirStreamTests {
  /// LL_CIS_IND: access address 0x31234567, offsets, connEventCount.
  private static let stream = "21 67452331 e80300 e80300 e80300 0500"

  /// The packets of a CIS are not noise: they belong to its connection.
  @Test func packetsOfAStream() {
    var air = MadeAir()
    air.connect()
    air.control(0, Self.stream)
    for octet in ["01", "02"] {
      air.records.append(
        MadeRecord(
          kind: .leLinkLayer, isReceived: false,
          hex: AirStrangerTests.packet("67452331", "0002aa\(octet)", crcInit: MadeAir.crcInit),
          time: air.records.last?.time ?? 0))
    }
    let session = MadeRecord.session(air.records)
    #expect(session.counts.air.strange == 0)
    #expect(session.counts.air.wrongCRCs == 0)
    #expect(session.links.map(\.transport) == [.le, .iso])
    #expect(session.lastRow?.link == session.links[1].id)
    #expect(session.links[1].air?.accessAddress == 0x3123_4567)
    #expect(session.links[1].peer == MadeAir.peripheral)
    #expect(session.links[1].air?.central == MadeAir.central)
    #expect(session.links[1].packets == 2)
    #expect(session.links[1].closed == nil)
  }

  /// LL_CIS_REQ: CIG 1, CIS 2. 2.4.2.29
  private static let request =
    "1f 01 02 02 02 6400 6400 102700 102700 6400 6400 02 e20400 11 01 01 0800 f40100 f40100 0500"

  /// The stream is named by its request, and ends by LL_CIS_TERMINATE_IND, not with the connection after it.
  @Test func lifeOfAStream() {
    var air = MadeAir()
    air.connect()
    air.control(0, Self.request)
    air.control(0, Self.stream)
    air.control(0, "22 01 02 13")
    let end = air.records.count - 1
    air.control(0, "02 13")
    let session = MadeRecord.session(air.records)
    #expect(session.links.count == 2)
    let link = session.links[1]
    #expect(link.closed == PacketID(UInt32(end)))
    #expect((link.reason, link.endedWithACL) == (0x13, false))
    #expect(session.streams.map(\.name) == ["CIG 1, CIS 2"])
    #expect(session.streams[0].closed == link.closed)
    let ends = air.session().filter {
      "\($0.content.described.kind.name)" == "isochronous-stream-ended"
    }
    #expect(ends.count == 1)
  }

  /// LL_TERMINATE_IND ends the connection, and its streams. 4.5.2
  @Test func streamOfAConnection() throws {
    var air = MadeAir()
    air.connect()
    air.control(0, Self.request)
    air.control(0, Self.stream)
    air.control(1, "02 13")
    let session = MadeRecord.session(air.records)
    #expect(session.links[1].closed == session.links[0].closed)
    #expect(session.links[1].closed != nil)
    #expect((session.links[1].reason, session.links[1].endedWithACL) == (0x13, true))
    let event = try #require(
      air.session().first { "\($0.content.described.kind.name)" == "isochronous-stream-ended" })
    guard case .linkLayer(.isochronousStreamEnded(let ended)) = event.content else { return }
    #expect((ended.group, ended.stream, ended.error) == (1, 2, 0x13))
    #expect(ended.byPeripheral == nil && ended.isWithACL)
    #expect(event.severity == .info)
  }

  /// LL_CIS_TERMINATE_IND: CIG 1, CIS 2, Connection Timeout. 2.4.2.32
  @Test func endOfAStream() throws {
    var air = MadeAir()
    air.connect()
    air.control(1, "22 01 02 08")
    let event = try #require(
      air.session().first { "\($0.content.described.kind.name)" == "isochronous-stream-ended" })
    #expect(event.severity == .warning)
    guard case .linkLayer(.isochronousStreamEnded(let ended)) = event.content else { return }
    #expect(ended.byPeripheral == true)
    #expect((ended.group, ended.stream, ended.error) == (1, 2, 8))
  }

  /// LL_SUBRATE_IND: factor 4, base event 0, latency 1, continuation number 2, timeout 4 s. 2.4.2.39
  @Test func subrate() {
    var air = MadeAir()
    air.connect()
    air.control(0, "27 0400 0000 0100 0200 9001")
    let found = air.session().compactMap { event in
      if case .link(.change(.subrate(let subrate))) = event.content { subrate } else { nil }
    }
    #expect(found.count == 1)
    #expect(found.first?.factor == 4)
    #expect(found.first?.latency == 1)
    #expect(found.first?.continuation == 2)
    #expect(found.first?.timeout == 400)
  }

  /// LL_FRAME_SPACE_REQ of 52 to 150 µs, LL_FRAME_SPACE_RSP: 100 µs, LE 2M, T_IFS_ACL_CP and T_IFS_ACL_PC. 2.4.2.54
  @Test func frameSpace() {
    var air = MadeAir()
    air.connect()
    air.control(0, "3b 3400 9600 02 0300")
    air.control(1, "3c 6400 02 0300")
    let found = air.session().compactMap { event in
      if case .link(.change(.frameSpace(let space))) = event.content { space } else { nil }
    }
    #expect(found.count == 1)
    #expect(found.first?.initiator == nil)
    #expect(found.first?.space == 100)
    #expect(found.first?.phys == 2)
    #expect(found.first?.types == 3)
  }

  /// Channel Sounding: LL_CS_SEC_REQ and its answer; LL_CS_CONFIG_REQ of configuration 1, main mode 2, no sub mode; LL_CS_REQ with a
  /// Procedure_Interval of 10 and a Procedure_Count of 100; LL_CS_TERMINATE_REQ. 2.4.2.42 to 2.4.2.53
  @Test func sounding() {
    var air = MadeAir()
    air.connect()
    let octets = String(repeating: "11", count: 20)
    let timing = "0100 01 0000 881300"
    air.control(0, "39 \(octets)")
    air.control(1, "2d \(octets)")
    air.control(0, "30 41 ffffffffffffffffffff 01 02 ff 03 06 01 03 01 00 00 02 0a 0a 0f 0a 00")
    air.control(1, "31 01")
    air.control(0, "32 01 0500 e80300 d00700 2000 \(timing) 0a00 6400 00 00 02 00 00")
    air.control(1, "33 01 0500 e80300 d00700 \(timing) 00 02 00 00")
    air.control(0, "34 01 0500 e80300 \(timing) 00 02 00 00")
    air.control(0, "35 01 0300 13")
    air.control(1, "3a 01 0300 13")
    let session = MadeRecord.session(air.records)
    let sentences = session.events.compactMap { event in
      if case .link(.sounding) = event.content {
        Event.sentence(of: event.content.described, event, session).text
      } else {
        nil
      }
    }
    #expect(
      sentences == [
        "Channel Sounding: security enabled",
        "Channel Sounding: configuration 1 created, Mode-2",
        "Channel Sounding: procedures of configuration 1 enabled, one every 10 connection events, 100 in total",
        "Channel Sounding: procedures of configuration 1 disabled",
      ])
  }

  /// Both sides begin to configure 0, and then to enable its procedures, at once. The Central rejects what the Peripheral proposes,
  /// which accepts what the Central proposed: Mode-1, every 10 events, 5 in total. 5.3
  @Test func soundingThatCollides() {
    var air = MadeAir()
    air.connect()
    func configure(_ mode: String) -> String {
      "30 40 ffffffffffffffffffff 01 \(mode) ff 03 06 01 03 01 00 00 02 0a 0a 0f 0a 00"
    }
    let timing = "0100 01 0000 881300"
    func enable(_ times: String) -> String {
      "32 00 0500 e80300 d00700 2000 \(timing) \(times) 00 00 02 00 00"
    }
    air.control(0, configure("01"))
    air.control(1, configure("02"))
    air.control(0, "11 30 23")
    air.control(1, "31 00")
    air.control(0, enable("0a00 0500"))
    air.control(1, enable("4d00 0900"))
    air.control(0, "11 32 23")
    air.control(1, "33 00 0500 e80300 d00700 \(timing) 00 02 00 00")
    air.control(0, "34 00 0500 e80300 \(timing) 00 02 00 00")
    // Procedures of the Peripheral alone.
    air.control(1, enable("4d00 0900"))
    air.control(0, "34 00 0500 e80300 \(timing) 00 02 00 00")
    let session = MadeRecord.session(air.records)
    let sentences = session.events.compactMap { event in
      if case .link(.sounding) = event.content {
        Event.sentence(of: event.content.described, event, session).text
      } else {
        nil
      }
    }
    #expect(
      sentences == [
        "Channel Sounding: configuration 0 created, Mode-1",
        "Channel Sounding: procedures of configuration 0 enabled, one every 10 connection events, 5 in total",
        "Channel Sounding: procedures of configuration 0 enabled, one every 77 connection events, 9 in total",
      ])
  }

  /// LL_PERIODIC_SYNC_IND: SyncInfo with access address 0x71764129, SID 3, a random address. 2.4.2.27
  @Test func periodicSync() {
    var air = MadeAir()
    air.connect()
    air.control(
      0, "1c 0000 6400 5000 ffffffff1f 29417671 563412 0700 0500 0600 13 01 6655443322c1 0500")
    let found = air.session().compactMap { event in
      if case .linkLayer(.periodicSync(let sync)) = event.content { sync } else { nil }
    }
    #expect(found.count == 1)
    #expect(found.first?.accessAddress == 0x7176_4129)
    #expect(
      found.first?.advertiser
        == .init(sid: 3, address: BluetoothAddress(0xC122_3344_5566, .random)))
  }
}
