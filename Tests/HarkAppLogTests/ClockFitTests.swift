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
}
