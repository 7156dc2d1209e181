import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog

@Suite struct ClockFitTests {
  private static func app(_ kind: AppEvent.Kind, size: Int) -> Landmark? {
    var event = AppEvent(kind, AppEvent.Origin(file: "", line: 1))
    event[.size] = "\(size)"
    event[.keyType] = "publicKey"
    event[.direction] = "HostToAccessory"
    return Landmark(event)
  }

  /// Messages of a log that is `ahead` by nanoseconds, and of its capture, with `wrong` of them told
  /// eight seconds late.
  private static func marks(
    ahead: Int64, drift: Double = 0, wrong: Int = 0, count: Int = 20
  ) -> (app: [(mark: Landmark, time: Timestamp)], wire: [(mark: Landmark, time: Timestamp)]) {
    let start = Timestamp(nanoseconds: 1_767_323_045_000_000_000)
    var (app, wire): ([(mark: Landmark, time: Timestamp)], [(mark: Landmark, time: Timestamp)]) =
      ([], [])
    var state: UInt64 = 7
    for index in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      guard let mark = Self.app(.transportMessage, size: 40 + Int(state >> 60)) else { continue }
      let seconds = Double(index) * 13.7 + Double(state >> 40 & 0xFFF) / 1000
      let jitter = Int64(state >> 33 & 0x7FFFFF)
      let time = start.adding(Int64(seconds * 1e9))
      wire.append((mark, time))
      let late: Int64 = index < wrong ? 8_000_000_000 : 0
      app.append((mark, time.adding(ahead + Int64(seconds * drift * 1e9) + jitter + late)))
    }
    return (app, wire)
  }

  @Test(arguments: [0, 731_000_000, -2_500_000_000, 7_200_000_000_000, -19_800_250_000_000])
  func offset(_ ahead: Int64) {
    let marks = Self.marks(ahead: ahead, wrong: 3)
    let clock = ClockFit.fit(marks.app, marks.wire)
    #expect(clock.basis == .matches)
    #expect(abs(clock.offset + ahead) < 12_000_000)
    #expect(clock.matches == 17)
    #expect((clock.error ?? .max) < 12_000_000)
  }

  @Test func zone() {
    let marks = Self.marks(ahead: -19_800_250_000_000)
    #expect(ClockFit.fit(marks.app, marks.wire).zone == 19_800)
    let near = Self.marks(ahead: 3_000_000_000)
    #expect(ClockFit.fit(near.app, near.wire).zone == nil)
  }

  @Test func drift() {
    let marks = Self.marks(ahead: 1_000_000_000, drift: 80e-6, count: 200)
    let clock = ClockFit.fit(marks.app, marks.wire)
    #expect(abs(clock.drift + 80_000) < 2_000)
    let last = marks.wire[199]
    #expect(abs(clock.captureTime(marks.app[199].time).since(last.time)) < 12_000_000)
  }

  @Test func nothing() {
    let marks = Self.marks(ahead: 0)
    #expect(ClockFit.fit([], marks.wire).basis == .none)
    #expect(ClockFit.fit(marks.app, []).basis == .none)
    let other = Self.app(.securityMessage, size: 65).map { [(mark: $0, time: marks.app[0].time)] }
    #expect(ClockFit.fit(other ?? [], marks.wire).basis == .none)
  }

  /// Times at the ends of the type trap nothing.
  @Test func extremes() throws {
    let mark = try #require(Self.app(.securityMessage, size: 65))
    let ends = [Int64.min, -1, 0, .max].map { (mark: mark, time: Timestamp(nanoseconds: $0)) }
    for a in ends {
      for b in ends {
        let clock = ClockFit.fit([a], [b])
        _ = clock.captureTime(a.time)
      }
    }
    #expect(ClockFit.fit(ends, ends).basis == .matches)
  }

  /// Of a log without matches only a time zone is taken to be off.
  @Test func zones() {
    let start = Timestamp(nanoseconds: 1_763_700_000_000_000_000)
    let span = start...start.adding(60_000_000_000)
    let hour: Int64 = 3_600_000_000_000
    func offset(_ times: Int64...) -> AppClock {
      AppClock.none(times.map { start.adding($0) }, span)
    }
    #expect(offset(hour + 5_000_000_000, hour + 9_000_000_000).offset == -hour)
    #expect(offset(hour + 5_000_000_000).basis == .zone)
    #expect(offset(5_000_000_000).basis == .none)
    #expect(offset(hour + 500_000_000_000).basis == .none)
    #expect(offset(400 * hour).basis == .none)
  }

  /// A journal and a log that has it too.
  @Test func once() {
    func entry(_ time: Int64, _ log: Int, _ isCertain: Bool, _ size: String)
      -> LogDeduplication.Entry
    {
      var event = AppEvent(.securityMessage, AppEvent.Origin(file: "\(log)", line: 1), text: "x")
      (event.process, event.isCertain) = ("Acme", isCertain)
      event[.size] = size
      return (Timestamp(nanoseconds: time * 1_000_000), log, event)
    }
    let all = LogDeduplication.entries([
      entry(0, 0, false, "65"), entry(5, 1, true, "65"), entry(10, 1, true, "64"),
      entry(20, 1, true, "65"), entry(5_000, 0, false, "64"),
    ])
    #expect(all.map { $0.event[.size] } == ["65", "64", "65", "64"])
    #expect(all.map(\.event.isCertain) == [true, true, true, false])
  }

  /// The second half of a log is written after its clock was set back by 90 s.
  @Test func setMeanwhile() throws {
    let start: Int64 = 1_763_700_000_000_000_000
    let sizes = (0..<12).map { 30 + $0 }
    let wire = try sizes.enumerated().map { index, size in
      (
        mark: try #require(Landmark(Self.message(size, line: 1))),
        time: Timestamp(nanoseconds: start + Int64(index) * 4_000_000_000)
      )
    }
    let entries = sizes.enumerated().map { index, size in
      let back: Int64 = index < 5 ? 0 : 90_000_000_000
      return AppLog.Entry(
        time: Timestamp(nanoseconds: start + Int64(index) * 4_000_000_000 - back),
        event: Self.message(size, line: index + 1))
    }
    let stretches = PiecewiseClockMap(entries.sorted { $0.time < $1.time }, wire)
    #expect(stretches.clocks.count == 2)
    #expect(stretches.clocks.map(\.offset) == [0, 90_000_000_000])
    #expect(stretches.clocks.map(\.lines) == [1...5, 6...12])
    #expect(stretches.index(of: 5) == 0)
    #expect(stretches.index(of: 6) == 1)
    #expect(PiecewiseClockMap(Array(entries.prefix(5)), wire).clocks.count == 1)
  }

  /// Two phones send messages of the same sizes half a second apart, each in its own session.
  @Test func sessionsOfOneSize() throws {
    let start = Timestamp(nanoseconds: 1_767_323_045_000_000_000)
    func mark(_ session: String?, _ size: Int) throws -> Landmark {
      var event = Self.message(size, line: 1)
      event[.session] = session
      return try #require(Landmark(event))
    }
    var wire: [(mark: Landmark, time: Timestamp)] = []
    var app: [(mark: Landmark, time: Timestamp)] = []
    var unnamed: [(mark: Landmark, time: Timestamp)] = []
    for index in 0..<3 {
      let time = start.adding(Int64(index) * 2_000_000_000)
      for (session, late) in [("A", Int64(0)), ("B", 500_000_000)] {
        wire.append((try mark(session, 60 + index), time.adding(late)))
        wire.append((try mark(nil, 60 + index), time.adding(late)))
      }
      app.append((try mark("b", 60 + index), time.adding(500_000_000)))
      unnamed.append((try mark("other", 60 + index), time))
    }
    #expect(ClockFit.fit(app, wire).offset == 0)
    #expect(ClockFit.fit(app, wire).matches == 3)
    // Some framings have no session: then the size decides.
    #expect(ClockFit.fit(unnamed, wire).matches == 3)
  }

  /// Only one of two clocks can show local time.
  @Test func disputedZones() {
    func map(_ zones: Int64?...) -> PiecewiseClockMap {
      var map = PiecewiseClockMap(AppClock(.matches))
      map.clocks = zones.map { AppClock(.matches, zone: $0) }
      return map
    }
    func left(_ maps: [PiecewiseClockMap], _ haveZones: [Bool]) -> [[Int64?]] {
      var maps = maps
      AppSide.dropDisputedZones(&maps, haveZones: haveZones)
      return maps.map { $0.clocks.map(\.zone) }
    }
    #expect(left([map(3_600)], [true]) == [[3_600]])
    // A log whose clock was set by an hour.
    #expect(left([map(nil, -3_600)], [true]) == [[nil, nil]])
    // Two phones, of which one agrees with the capture.
    #expect(left([map(nil), map(-3_600)], [true, true]) == [[nil], [nil]])
    // The end of summer time, and a log without a time zone beside one that has one.
    #expect(left([map(7_200, 3_600)], [true]) == [[7_200, 3_600]])
    #expect(left([map(nil), map(-3_600)], [true, false]) == [[nil], [-3_600]])
  }

  private static func message(_ size: Int, line: Int) -> AppEvent {
    var event = AppEvent(.transportMessage, AppEvent.Origin(file: "x", line: line))
    event[.direction] = "HostToAccessory"
    event[.size] = "\(size)"
    return event
  }
}
