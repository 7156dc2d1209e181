import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// What lasts across a step of the capture's clock has no duration, and a single wrong time does not set that of the capture.
@Suite struct ClockStepTests {
  private static let day: Int64 = 86_400

  private static func events(at times: [Int64]) -> Session {
    MadeRecord.session(
      times.map { time in
        var record = MadeRecord.event("13 05 01 4000 0100")
        record.time = time
        return record
      })
  }

  /// The first, the last, or another packet is days or years from all others. Those last 20 s.
  @Test(
    arguments: [
      ([1_700_000_000, 100, 110, 120], 1), ([0, 1_700_000_000, 1_700_000_010, 1_700_000_020], 1),
      ([100, 110, 120, 1_700_000_000], 4), ([1_700_000_000, 1_700_000_020, 0], 3),
      ([100, 110, 100 + 5 * day, 120], 3),
    ] as [([Int64], UInt32)])
  func singleWrongTime(_ times: [Int64], _ packet: UInt32) throws {
    let counts = Self.events(at: times).counts
    #expect(counts.duration == 20_000_000_000)
    let odd = try #require(counts.oddTimes)
    #expect(odd.count == 1 && odd.packet == PacketID(packet))
    let (wrong, others) = (
      times[Int(packet) - 1], times.filter { $0 != times[Int(packet) - 1] }
    )
    #expect(counts.earliestTime == others.min().map { Timestamp(seconds: $0, nanoseconds: 0) })
    #expect(counts.firstTime == Timestamp(seconds: others[0], nanoseconds: 0))
    #expect(odd.isLater == (wrong > others[0]))
  }

  /// Where several packets have it, the clock was set; of two packets, nothing shows which is wrong.
  @Test(
    arguments: [
      [0, 10, 1_700_000_000, 1_700_000_010], [100, 1_700_000_100], [0, 3_600, 0, 10], [5],
      // Two sources with different clocks.
      [0, 1_700_000_000, 1, 1_700_000_001, 2, 1_700_000_002],
    ] as [[Int64]])
  func severalTimes(_ times: [Int64]) {
    let counts = Self.events(at: times).counts
    #expect(counts.duration == ((times.max() ?? 0) - (times.min() ?? 0)) * 1_000_000_000)
    #expect(counts.oddTimes == nil)
    #expect(counts.firstTime == Timestamp(seconds: times[0], nanoseconds: 0))
  }

  /// An hour back in the third packet, and two days forward in the fifth.
  @Test func between() {
    let times: [Int64] = [10_000, 10_001, 6_400, 6_401, 6_401 + 2 * Self.day, 6_402 + 2 * Self.day]
    let session = Self.events(at: times)
    func elapsed(_ first: UInt32, _ last: UInt32) -> Int64? {
      session.elapsed(
        from: Timestamp(seconds: times[Int(first) - 1], nanoseconds: 0), in: PacketID(first),
        to: Timestamp(seconds: times[Int(last) - 1], nanoseconds: 0), in: PacketID(last))
    }
    #expect(
      [elapsed(1, 2), elapsed(3, 4), elapsed(5, 6)] == [
        1_000_000_000, 1_000_000_000, 1_000_000_000,
      ])
    #expect([elapsed(2, 3), elapsed(1, 4), elapsed(4, 5), elapsed(1, 6)] == [nil, nil, nil, nil])
    #expect(elapsed(4, 3) == -1_000_000_000)
    let steps = (1...6).map { session.clockStep(until: PacketID($0)).number }
    #expect(steps == [0, 0, 3, 3, 5, 5])
  }

  @Test func manySteps() {
    var steps = ClockSteps()
    for number in 1...10_000 as ClosedRange<UInt32> { steps.note(PacketID(number * 2)) }
    #expect(steps.isSet(after: PacketID(3), until: PacketID(4)))
    #expect(!steps.isSet(after: PacketID(4), until: PacketID(5)))
    // Which of these are steps is no longer known.
    #expect(steps.isSet(after: PacketID(15_000), until: PacketID(15_001)))
    #expect(!steps.isSet(after: PacketID(20_000), until: PacketID(20_001)))
  }

  /// A response after more than 30 s, and the clock is set in between, back by an hour or forward by two days. Core
  /// Specification, Vol 3, Part F, 3.3.3
  @Test(arguments: [(0, 5), (-3_600, nil), (2 * day, nil)] as [(Int64, Int64?)])
  func answeredLate(_ step: Int64, _ more: Int64?) {
    let session = MadeRecord.session([
      .pdu(4, "0a 0300", received: false, at: 10_000),
      .pdu(4, "1b 0500 01", received: true, at: 10_040),
      .pdu(4, "1b 0500 02", received: true, at: 10_040 + step),
      .pdu(4, "0b ab", received: true, at: 10_045 + step),
    ])
    let late = session.events.compactMap { event -> Int64?? in
      if case .attribute(.answeredLate(let it)) = event.content { it.nanoseconds } else { nil }
    }
    #expect(late == [more.map { ($0 + 40) * 1_000_000_000 }])
  }

  /// The level falls at uneven times, once across a step of the clock: it is a battery nevertheless. Battery Service 1.0, 3.1
  @Test(arguments: [-3_600, 2 * day] as [Int64]) func battery(_ step: Int64) {
    let levels: [(UInt8, Int64)] = [
      (90, 60), (89, 160), (88, 300), (87, 310 + step), (86, 510 + step), (85, 590 + step),
    ]
    // A characteristic's format in percent. Assigned Numbers, 2.4
    let session = MadeRecord.session(
      [
        .pdu(4, "0a 2300", received: false, at: 10),
        .pdu(4, "0b 0400ad27010601", received: true, at: 10),
      ] + levels.map { .pdu(4, "1b2200" + Hex.text([$0.0]), received: true, at: $0.1) })
    let isRecognized = session.events.contains {
      if case .attribute(.recognized(let it)) = $0.content { it.handle == 0x22 } else { false }
    }
    #expect(isRecognized)
  }

  private static func record(_ record: MadeRecord, at time: Int64) -> MadeRecord {
    var record = record
    record.time = time
    return record
  }

  /// HCI_Flush and HCI_Flush_Occurred of BR/EDR link 0x000B: at once, and 10 s after the clock was set in between. Core
  /// Specification, Vol 4, Part E, 7.3.4, 7.7.17
  @Test(
    arguments: [
      (0, 0, .host), (0, 10, .timeout), (-3_600, 0, .host), (-3_600, 10, .timeout),
      (2 * day, 0, .host), (2 * day, 10, .timeout),
    ] as [(Int64, Int64, LinkChangeEvent.DataFlushed.Cause)])
  func flushed(_ step: Int64, _ wait: Int64, _ cause: LinkChangeEvent.DataFlushed.Cause) {
    let session = MadeRecord.session([
      Self.record(.event("03 0b 00 0b00 665544332211 01 00"), at: 10_000),
      Self.record(.command("08 0c 02 0b00"), at: 10_100),
      Self.record(.event("0e 06 01 080c 00 0b00"), at: 10_100),
      Self.record(.event("13 05 01 0b00 0100"), at: 10_100 + step),
      Self.record(.event("11 02 0b00"), at: 10_100 + step + wait),
    ])
    let causes = session.events.compactMap { event -> LinkChangeEvent.DataFlushed.Cause?? in
      if case .link(.change(.dataFlushed(let it))) = event.content { it.cause } else { nil }
    }
    #expect(causes == [cause])
  }

  /// HCI_Read_BD_ADDR twice, and one answer: 10 s after the clock was set, it is that of the second command. Vol 4, Part E,
  /// 7.4.6
  @Test(arguments: [(0, 0, 1), (0, 10, 4), (-3_600, 10, 4), (2 * day, 10, 4), (-3_600, 0, 1)])
  func commandSentAgain(_ step: Int64, _ wait: Int64, _ answered: UInt32) {
    let command = MadeRecord.command("09 10 00")
    let session = MadeRecord.session([
      Self.record(command, at: 10_000),
      Self.record(.event("0e 03 02 0000"), at: 10_000),
      Self.record(.event("0e 03 02 0000"), at: 10_000 + step),
      Self.record(command, at: 10_000 + step + wait),
      Self.record(.event("0e 0a 02 0910 00 665544332211"), at: 10_000 + step + wait),
    ])
    #expect(session.row(of: 5 as UInt32)?.related == answered)
  }

  /// Media soon after AVDTP_SUSPEND, but an hour before or two days after it by the clock, which was set meanwhile. Media that
  /// go on are late nevertheless. AVDTP 1.3, 6
  @Test(arguments: [-3_600, 2 * day] as [Int64]) func queuedMedia(_ step: Int64) {
    typealias Audio = SessionAudioTests
    let suspended =
      Audio.opened + Audio.started + [1, 2].map { Audio.media($0, at: $0) }
      + [">0041 50 09 04", "<0040 52 09"]
    func isReported(_ count: Int, after wait: Int64) -> Bool {
      let media = (0..<count).map { Audio.media(3 + $0, at: 3 + $0) }
      return Audio.reported(suspended + ["+\(wait)"] + media).names.contains("idleMedia")
    }
    #expect(isReported(1, after: 10))
    #expect(!isReported(5, after: step))
    #expect(isReported(20, after: step))
  }
}
