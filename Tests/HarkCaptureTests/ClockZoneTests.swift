import Foundation
import HarkCore
import Testing

@testable import HarkCapture

/// One after another: the process has one zone of its own, by which tables are looked up.
@Suite(.serialized) struct ClockZoneTests {
  /// `2026-11-20T16:41:05Z`: the `Z` stands for whatever the clock shows.
  private static func time(_ text: String) throws -> Timestamp {
    Timestamp(
      seconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970), nanoseconds: 5)
  }

  @Test(arguments: [
    ("UTC", 0), ("Z", 0), ("+02:00", 7_200), ("+0200", 7_200), ("+2", 7_200), ("-03:30", -12_600),
    ("+12", 43_200), ("+14:00", 50_400), ("-0945", -35_100), ("+00:00", 0),
  ])
  func offsets(_ text: String, _ seconds: Int64) throws {
    let zone = try #require(ClockZone(text))
    #expect(zone.secondsEast(at: Timestamp(seconds: 1_795_082_462, nanoseconds: 0)) == seconds)
    #expect(zone.name == text)
  }

  @Test(arguments: [
    "", "+", "+053", "+1:0", "+15:00", "+02:60", "+2:000", "02:00", "Nowhere/City",
    "../../etc/passwd", "Europe", "+02:00:00", "/usr/share/zoneinfo/UTC", "+٢", "Europe/Berlin ",
  ])
  func refused(_ text: String) { #expect(ClockZone(text) == nil) }

  /// What `date -u -d 'TZ="Europe/Berlin" 2026-07-01 12:00:00'` and so on say.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin"),
      "tzdata is not installed"),
    arguments: [
      ("Europe/Berlin", "2026-07-01T12:00:00Z", "2026-07-01T10:00:00Z"),
      ("Europe/Berlin", "2026-11-20T16:41:05Z", "2026-11-20T15:41:05Z"),
      ("Europe/Berlin", "2026-03-29T01:59:59Z", "2026-03-29T00:59:59Z"),
      ("Europe/Berlin", "2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z"),
      ("America/Los_Angeles", "2026-11-20T16:41:05Z", "2026-11-21T00:41:05Z"),
      ("Asia/Kathmandu", "2026-11-20T00:10:00Z", "2026-11-19T18:25:00Z"),
    ])
  func tables(_ name: String, _ local: String, _ utc: String) throws {
    let zone = try #require(ClockZone(name))
    #expect(zone.utc(try Self.time(local)) == (try Self.time(utc)))
    // What was looked up before does not stick.
    _ = zone.utc(try Self.time("2026-01-01T00:00:00Z"))
    #expect(zone.utc(try Self.time(local)) == (try Self.time(utc)))
  }

  @Test func clocksThatWereNotSet() throws {
    let time = Timestamp(seconds: 5, nanoseconds: 0)
    #expect(try #require(ClockZone("+02:00")).utc(time) == time)
  }

  @Test(
    arguments: [
      (7_200, 7_200), (7_210, 7_200), (7_190, 7_200), (7_225, nil), (7_175, nil), (0, nil),
      (15, nil),
      (-28_800, -28_800), (20_700, 20_700), (50_400, 50_400), (51_300, nil), (-90_000, nil),
      (450, nil), (2_700, nil), (-34_200, -34_200), (46_800, 46_800), (-46_800, nil),
    ] as [(Int64, Int64?)])
  func guesses(_ ahead: Int64, _ zone: Int64?) throws {
    let now = try Self.time("2026-11-20T16:41:05Z")
    let clock = Timestamp(nanoseconds: now.nanoseconds + ahead * 1_000_000_000)
    #expect(ClockZone.guess(clock, at: now, before: 20, behind: 20) == zone)
  }

  /// A damaged record may have any time.
  @Test(arguments: ["-05:00", "+14:00", "America/New_York"]) func lastMoment(_ zone: String) throws
  {
    let last = Timestamp(nanoseconds: .max)
    #expect(try #require(ClockZone(zone)).utc(last) <= last)
    #expect(try #require(ClockZone("-05:00")).utc(last) == last)
  }

  /// Records are handed out in UTC; what is found in the file does not depend on it.
  @Test func records() throws {
    for sample in samples {
      let plain = try Capture(bytes: sample.bytes.all, name: "test")
      let zoned = try Capture(bytes: sample.bytes.all, name: "test")
      zoned.zone = ClockZone("-03:30")
      var times: [Timestamp] = []
      _ = plain.forEachRecord { record, _ in
        times.append(record.time)
        return true
      }
      var index = 0
      let end = zoned.forEachRecord { record, _ in
        let ahead: Int64 = times[index].isDated ? 12_600_000_000_000 : 0
        #expect(record.time.nanoseconds == times[index].nanoseconds + ahead)
        index += 1
        return true
      }
      #expect(index == times.count && end.status == .complete)
      #expect(zoned.info.zone?.name == "-03:30" && plain.info.zone == nil)
    }
  }
}
