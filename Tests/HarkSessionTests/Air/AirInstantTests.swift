import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Changes of a connection take effect at their instant. Core Specification, Vol 6, Part B, 4.5.1, 4.5.3, 5.1.
@Suite struct AirInstantTests {
  /// A connection whose packets have the times of its events. CONNECT_IND at 0: 352 µs, transmitWindowDelay 1.25 ms, WinOffset
  /// 9 × 1.25 ms: the window of 2.5 ms begins 12,852 µs after its start. The interval is 30 ms.
  struct Timed {
    var air = MadeAir()
    /// connEventCount of the next event.
    var count = 0
    /// When that begins, in microseconds.
    var time: Int64 = 13_500
    var interval: Int64 = 30_000

    init() { air.connect() }

    /// An event in which the Central sends `hex`, or nothing.
    mutating func event(_ hex: String? = nil) {
      if let hex { air.control(0, hex) } else { air.send(0, llid: 1, []) }
      for (index, offset) in [(air.records.count - 2, 0), (air.records.count - 1, 230)] {
        air.records[index].time = 0
        air.records[index].microseconds = time + Int64(offset)
      }
      pass()
    }

    mutating func events(to last: Int) { while count < last { event() } }

    /// An event of which nothing is received, and after which both sides have sent what they send next.
    mutating func pass() {
      count += 1
      time += interval
    }
  }

  static func parameters(_ events: [Event]) -> [UInt32] {
    events.compactMap { event in
      if case .link(.change(.parameters)) = event.content { event.frames.first.number } else { nil }
    }
  }

  static func channelMaps(_ events: [Event]) -> [UInt32] {
    events.compactMap { event in
      if case .linkLayer(.channelMap) = event.content { event.frames.first.number } else { nil }
    }
  }

  static func passed(_ events: [Event]) -> [LinkLayerEvent.InstantPassed] {
    events.compactMap { event in
      if case .linkLayer(.instantPassed(let passed)) = event.content { passed } else { nil }
    }
  }

  /// LL_CHANNEL_MAP_IND in event 5, instant 10: the packets of event n are 2n + 2 and 2n + 3.
  @Test func channelMap() {
    var link = Timed()
    link.events(to: 5)
    link.event("01 ffff00001f 0a00")
    link.events(to: 12)
    let events = link.air.session()
    #expect(Self.channelMaps(events) == [22])
    #expect(Self.passed(events).isEmpty)
  }

  /// The recorder receives nothing of events 8 to 40.
  @Test func lostEvents() {
    var link = Timed()
    link.events(to: 5)
    link.event("01 ffff00001f 0a00")
    link.events(to: 8)
    // 300 ppm, within 250 ppm of the Central and 100 ppm of the sniffer.
    while link.count < 41 { link.pass() }
    link.time += 297
    link.event()
    // Events 42 to 60, of which the last is the instant.
    link.event("01 ffff00001f 3c00")
    link.events(to: 62)
    #expect(Self.channelMaps(link.air.session()) == [18, 18 + 2 * 19])
  }

  /// The link ends before the instant.
  @Test func neverCame() {
    var link = Timed()
    link.events(to: 5)
    link.event("01 ffff00001f c800")
    link.events(to: 8)
    link.event("02 13")
    #expect(Self.channelMaps(link.air.session()).isEmpty)
  }

  /// LL_CONNECTION_UPDATE_IND in event 5: WinSize 1, WinOffset 4 (5 ms), 60 ms, latency 0, 1 s, instant 10. The next instant is
  /// 14, counted with the new interval.
  @Test func parameters() {
    var link = Timed()
    link.events(to: 5)
    link.event("00 01 0400 3000 0000 6400 0a00")
    link.events(to: 10)
    link.time += 5_500
    link.interval = 60_000
    link.event()
    link.event("01 ffff00001f 0e00")
    link.events(to: 16)
    // Event 17, instant 12.
    link.event()
    link.event("18 02 02 0c00")
    let events = link.air.session()
    #expect(Self.parameters(events) == [22])
    #expect(Self.channelMaps(events) == [30])
    #expect(Self.passed(events).map(\.count) == [17])
  }

  /// The recorder does not receive event 5 with an LL_CONNECTION_UPDATE_IND: 60 ms from event 10 on, WinOffset 0. All anchor
  /// points fit the old interval, too, and event 30 seems to be event 50. 5.1.1
  @Test func missedChange() {
    var link = Timed()
    link.events(to: 5)
    link.pass()
    link.events(to: 10)
    link.interval = 60_000
    link.events(to: 30)
    link.event("01 ffff00001f 2800")
    link.event()
    let events = link.air.session()
    #expect(Self.passed(events).isEmpty)
    #expect(Self.channelMaps(events).count == 1)
  }

  /// LL_PHY_UPDATE_IND in event 30, instant 20; the PHY stays. (20 - 30) mod 65,536 ≥ 32,767. 5.1.10
  @Test func past() throws {
    var link = Timed()
    link.events(to: 30)
    link.event("18 02 02 1400")
    link.event()
    let session = MadeRecord.session(link.air.records)
    let event = try #require(
      session.events.first {
        if case .linkLayer(.instantPassed) = $0.content { true } else { false }
      })
    #expect(event.severity == .warning)
    #expect(event.frames.first.number == 62)
    let passed = try #require(Self.passed(session.events).first)
    #expect(passed.byPeripheral == false)
    #expect(passed.opcode == 0x18)
    #expect((passed.instant, passed.count) == (20, 30))
    #expect(session.links.first?.txPHY == nil)
  }

  /// The Central's Empty PDUs of events 3 and 4 have the same SN: it sends the PDU again. With three events between them,
  /// of which nothing was received, it may be another one. 4.5.9
  @Test(arguments: [(0, true), (3, false)])
  func sentAgain(_ lost: Int, _ isRetransmission: Bool) {
    var link = Timed()
    link.events(to: 4)
    for _ in 0..<lost { link.pass() }
    // Neither side has received what the other sent.
    link.air.skip(0)
    link.air.skip(1)
    link.event()
    var found: [Int] = []
    var missing = 0
    _ = link.air.session { session, index in
      if session.tables.record.linkLayer.isRetransmission { found.append(index) }
      missing = session.counts.air.missing
    }
    #expect(found == (isRetransmission ? [9, 10] : []))
    #expect(missing == 0)
  }

  /// Times that fit no interval show no count: a change counts at once, as after a capture that began midway.
  @Test func unknownCount() {
    var link = Timed()
    link.events(to: 5)
    link.time += 11_000
    link.event()
    link.event("18 02 02 0100")
    link.event("01 ffff00001f c800")
    let events = link.air.session()
    #expect(Self.passed(events).isEmpty)
    #expect(Self.channelMaps(events) == [16])
  }

  /// The nRF Sniffer states the count: flags (right CRC, from the Central), channel, RSSI, event counter, time.
  @Test func statedCount() {
    func packet(_ count: String, _ pdu: String) -> MadeRecord {
      let packet = AirStrangerTests.packet("e9c3a750", pdu, crcInit: MadeAir.crcInit)
      let size = 10 + packet.count / 2
      return MadeRecord(
        kind: .nordicBLE, isReceived: false,
        hex: "01" + Hex.text([UInt8(size), 0]) + "03 0700 06 0a 03 05 30" + count + "00000000"
          + packet)
    }
    let session = MadeRecord.session([
      packet("0001", "0306" + "0c0959000102"),
      packet("0101", "0f08" + "01ffff00001f0501"),
      packet("0401", "0100"),
      packet("0501", "0900"),
      packet("0601", "0708" + "01ffffff001f0301"),
    ])
    #expect(Self.channelMaps(session.events) == [4])
    #expect(Self.passed(session.events).map(\.count) == [0x0106])
    #expect(Self.passed(session.events).map(\.instant) == [0x0103])
  }
}
