import Foundation
import HarkTestSupport
import Testing

/// Captures whose clock shows local time: told in UTC with --time-zone, and noticed without.
@Suite struct ClockTests {
  /// PacketLogger put together by hand: length of what follows, seconds, microseconds, type, packet.
  static func packetLogger(_ packets: [(seconds: Int, type: UInt8, packet: [UInt8])]) -> Data {
    func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    return Data(
      packets.flatMap {
        big(9 + $0.packet.count) + big($0.seconds) + big(0) + [$0.type] + $0.packet
      })
  }

  static let reset: [UInt8] = [0x03, 0x0C, 0x00]
  static let complete: [UInt8] = [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

  /// 2026-11-20 16:41:05 of the clock, two hours ahead.
  static let capture = packetLogger([
    (1_795_192_865, 0, reset), (1_795_192_925, 1, complete),
  ])

  static func run(_ arguments: [String], modified: Double? = nil) throws -> String {
    let place = try LiveRecordingTests.Place()
    let file = place.file("iphone.pklg")
    try capture.write(to: file)
    if let modified {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: file.path)
    }
    return try HarkProgram.transcript([arguments[0], file.path] + arguments.dropFirst())
  }

  @Test func reportedInUTC() throws {
    let packets = try Self.run(["packets", "--absolute-time", "--time-zone", "+02:00"])
    #expect(packets.contains("2026-11-20 14:41:05"))
    let found = try Self.run(["packets", "--time-zone", "+02:00", "-Y", "time in {14:41..14:42}"])
    #expect(found.contains("HCI_Reset"))
    let info = try Self.run(["info", "--time-zone", "+02:00"])
    #expect(info.contains("2026-11-20 14:41:05"))
    #expect(info.contains("Shown in UTC: the capture records +02:00."))
    let json = try Self.run(["info", "--time-zone", "+02:00", "-f", "json"])
    #expect(json.contains(#""time_zone":{"name":"+02:00","seconds_east":7200}"#))
    let timeline = try Self.run(["timeline", "--time-zone", "Europe/Kyiv"])
    #expect(timeline.contains("clock: it records Europe/Kyiv; hark shows UTC"))
    #expect(timeline.contains("\n14:41:05.000     +0.000  hci0"))
  }

  @Test func unknownZone() throws {
    let found = try Self.run(["info", "--time-zone", "Berlin/Europe"])
    #expect(found.contains("this system has no time zone 'Berlin/Europe'"))
    #expect(found.hasSuffix("? 64\n"))
  }

  /// No file is written last before its last packet came, unless the clock is ahead.
  @Test(
    arguments: [
      // Written at once, half a minute later; 14:42:35 is 16:42:05 less two hours, and 30 s.
      (1_795_192_925 - 7_200, "+02:00"), (1_795_192_925 - 7_200 + 30, "+02:00"),
      (1_795_192_925 - 20_700 + 5, "+05:45"),
      // Copied later; another clock that is wrong; a file from elsewhere.
      (1_795_192_925 - 7_200 + 600, nil), (1_795_192_925 - 6_900, nil), (1_795_192_925 + 5, nil),
      (1_795_192_925 + 7_200, nil), (1_795_192_925 - 100_000, nil),
    ] as [(Double, String?)])
  func noticed(_ modified: Double, _ zone: String?) throws {
    let info = try Self.run(["info"], modified: modified)
    let timeline = try Self.run(["timeline"], modified: modified)
    let json = try Self.run(["info", "-f", "json"], modified: modified)
    #expect(json.contains(#""kind":"local-time""#) == (zone != nil))
    guard let zone else {
      #expect(!info.contains("local time, UTC") && !timeline.contains("local time"))
      return
    }
    for text in [info, timeline] {
      #expect(text.contains("seems to show local time, UTC\(zone); with --time-zone \(zone)"))
    }
    let reported = try Self.run(["timeline", "--time-zone", zone], modified: modified)
    #expect(!reported.contains("seems to show"))
  }

  private static func live(_ arguments: [String], ahead: Int) throws -> [String] {
    let live = try LiveTests.Running(["live", "-"] + arguments)
    let writer = live.input.fileHandleForWriting
    let now = { Int(Date().timeIntervalSince1970) + ahead }
    try writer.write(
      contentsOf: packetLogger([(now(), 0, reset), (now(), 1, complete)]))
    _ = try live.read(until: "controller reset")
    usleep(100_000)
    try writer.write(
      contentsOf: packetLogger([(now(), 0, reset), (now(), 1, complete)]))
    try writer.close()
    return try live.end().output.split(separator: "\n").map(String.init)
  }

  @Test func noticedLive() throws {
    let text = "clock: it seems to show local time, UTC-08:00; with --time-zone -08:00, hark shows"
    #expect(try Self.live([], ahead: -28_800).contains { $0.contains(text) })
    #expect(try !Self.live([], ahead: 0).contains { $0.contains("clock: ") })
    #expect(try !Self.live([], ahead: -5_000).contains { $0.contains("clock: ") })
    let wrong = try Self.live(["--time-zone", "+01:00"], ahead: 7_200)
    #expect(
      wrong.contains { $0.contains("clock: its times are UTC+01:00 now: its clock does not show") })
    let right = try Self.live(["--time-zone", "+02:00"], ahead: 7_200)
    #expect(!right.contains { $0.contains("times are UTC") })
  }
}
