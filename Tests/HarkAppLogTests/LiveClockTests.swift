import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog

/// The clock of a log that grows beside a live capture.
@Suite struct LiveClockTests {
  private static let second: Int64 = 1_000_000_000
  private static let now = Timestamp(nanoseconds: 1_767_323_045_000_000_000)

  private static func entry(_ size: Int, at time: Timestamp) -> AppLog.Entry {
    var event = AppEvent(.transportMessage, AppEvent.Origin(file: "", line: 1))
    (event[.size], event[.direction]) = ("\(size)", "HostToAccessory")
    return AppLog.Entry(time: time, event: event)
  }

  /// By when lines come: exactly where the difference is no time zone's, otherwise by that zone; no difference
  /// where the lines take less than two seconds.
  @Test(arguments: [
    (0, 0, AppClock.Basis.none), (1, 0, .none), (7_201, 7_200, .arrival),
    (-3_599, -3_600, .arrival),
    (300, 300, .arrival),
  ])
  func arrival(_ behind: Int64, _ seconds: Int64, _ basis: AppClock.Basis) {
    var clock = LiveClock(offset: nil)
    clock.came(Self.now.adding(-behind * Self.second), at: Self.now)
    clock.compare([], isNew: false, captureLag: 0)
    #expect(clock.clock.basis == basis && clock.clock.offset == seconds * Self.second)
    let first = clock.news()
    #expect(first?.basis == basis)
    #expect(clock.news() == nil)
  }

  /// The capture's clock may be wrong as well.
  @Test func captureBehind() {
    var clock = LiveClock(offset: nil)
    clock.came(Self.now, at: Self.now)
    clock.compare([], isNew: false, captureLag: 3_600 * Self.second)
    #expect(clock.clock.offset == -3_600 * Self.second)
  }

  /// Events that both show are nearer than when lines come; one event that is hours away is another one.
  @Test func matches() throws {
    var clock = LiveClock(offset: nil)
    var wire: [LiveClock.Mark] = []
    for index in 0..<5 {
      let time = Self.now.adding(Int64(index) * 7 * Self.second)
      let entry = Self.entry(40 + index, at: time)
      clock.came(time, at: time.adding(Self.second))
      clock.note(entry)
      wire.append((try #require(Landmark(entry.event)), time.adding(-Self.second * 3 / 2)))
    }
    clock.compare(wire, isNew: true, captureLag: 0)
    #expect(clock.clock.basis == .matches && clock.clock.offset == -1_500_000_000)
    var other = LiveClock(offset: nil)
    other.came(Self.now, at: Self.now)
    other.note(Self.entry(40, at: Self.now))
    other.compare(
      [(wire[0].mark, Self.now.adding(9_000 * Self.second))], isNew: true, captureLag: 0)
    #expect(other.clock.basis == .none && other.clock.offset == 0)
  }

  @Test func given() {
    var clock = LiveClock(offset: 5)
    clock.came(Self.now.adding(-7_200 * Self.second), at: Self.now)
    clock.compare([], isNew: true, captureLag: 0)
    #expect(clock.clock.basis == .given && clock.clock.offset == 5)
  }

  /// Pieces of any size give the same lines; what is too long is cut, and said to be.
  @Test func lines() {
    let text = Array("\u{FEFF}one\r\n\ntwo\nthree".utf8)
    for size in 1...text.count {
      var splitter = LineSplitter()
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        splitter.take(Array(text[start..<min(start + size, text.count)])) { line, isWhole in
          #expect(isWhole)
          lines.append(String(decoding: line, as: UTF8.self))
        }
      }
      #expect(lines == ["one", "", "two"])
      splitter.finish { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
      #expect(lines == ["one", "", "two", "three"])
    }
    var splitter = LineSplitter()
    var cut: [(Int, Bool)] = []
    let long = [UInt8](repeating: 0x61, count: LogLines.longest)
    for part in [long, [0x61], [0x0A], long, [0x0A]] {
      splitter.take(part) { cut.append(($0.count, $1)) }
    }
    #expect(cut.map(\.0) == [LogLines.longest, LogLines.longest] && cut.map(\.1) == [false, true])
  }
}
