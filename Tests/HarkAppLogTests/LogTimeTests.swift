import HarkCore
import Testing

@testable import HarkAppLog

/// Expected values are Python's `datetime.fromisoformat(...).timestamp()`.
@Suite struct LogTimeTests {
  @Test(
    arguments: [
      ("2022-08-25 15:22:01.008417+0100 0x4a7f", 1_661_437_321_008_417_000, true, 31),
      ("2026-01-02T03:04:05.5Z", 1_767_323_045_500_000_000, true, 22),
      ("2026-01-02 03:04:05-03:30", 1_767_335_645_000_000_000, true, 25),
      ("2024-02-29 00:00:00 x", 1_709_164_800_000_000_000, false, 19),
    ] as [(String, Int64, Bool, Int)])
  func reads(_ text: String, _ nanoseconds: Int64, _ hasZone: Bool, _ count: Int) throws {
    let time = try #require(LogTime(Array(text.utf8)))
    #expect(time.time.nanoseconds == nanoseconds)
    #expect(time.hasZone == hasZone)
    #expect(time.count == count)
  }

  @Test(arguments: [
    "2023-02-29 00:00:00", "2026-13-01 00:00:00", "2026-01-02 24:00:00", "2026-01-02", "",
    "Timestamp",
    "20x6-01-02 03:04:05",
  ])
  func refuses(_ text: String) { #expect(LogTime(Array(text.utf8)) == nil) }

  /// Without a year, the one that brings the time nearest.
  @Test func year() throws {
    let near = Timestamp(nanoseconds: 1_767_225_660_000_000_000)  // 2026-01-01 00:01:00
    let before = try #require(LogTime(Array("Dec 31 23:59:00.25 iPhone".utf8), near: near))
    #expect(before.time.nanoseconds == 1_767_225_540_250_000_000)
    let behind = try #require(LogTime(Array("Jan  1 00:02:00 iPhone".utf8), near: near))
    #expect(behind.time.nanoseconds == 1_767_225_720_000_000_000)
  }
}
