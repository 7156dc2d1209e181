import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import Testing

@testable import HarkPresentation
@testable import HarkSession

/// Each event has the time of its last frame, or of what was reported before it if that is later; each line
/// of a timeline has the time of an event, and no line is earlier than the one above.
@Suite struct TimelineTimeTests {
  /// Captures that were not made for hark, where there are some.
  static let others: [String] = {
    guard let folder = ProcessInfo.processInfo.environment["HARK_CORPUS"] else { return [] }
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let logs = files.filter { $0.hasSuffix(".log") || $0.hasSuffix(".log.last") }.sorted()
    return logs.prefix(60).map { folder + "/" + $0 }
  }()

  /// A blank stays between the time and the seconds, however long the capture is.
  @Test(arguments: [
    (1_000_000, "     +0.001"), (99_999_999_000_000, " +99999.999"),
    (103_012_922_000_000, " +103012.92"), (900_000_922_000_000, " +900000.92"),
    (-103_012_922_000_000, " -103012.92"), (1_036_800_000_000_000, "      +12 d"),
  ])
  func seconds(nanoseconds: Int64, expected: String) {
    var text = TextBuffer()
    Timeline.relative(nanoseconds, to: &text)
    #expect(text.string == expected)
  }

  @Test(arguments: Sample.all)
  func bundled(_ name: String) throws {
    try check(Sample.path(name, Sample.firstFile(name)))
  }

  @Test(arguments: others)
  func foreign(_ path: String) throws {
    try check(path)
  }

  private func check(_ path: String) throws {
    let capture = try Capture(path: path)
    var session = Session()
    var timeline = Timeline()
    var out = TextBuffer()
    var times: [UInt32: Set<String>] = [:]
    var order: [Timestamp] = []
    var lastReported: PacketID?
    func take(_ event: Event, _ session: borrowing Session) {
      var time = TextBuffer()
      time.timeOfDay(event.time)
      time.cut(to: 12)
      times[event.frames.last.number, default: []].insert(time.string)
      // Damage lies between two packets.
      if case .capture(.damage) = event.content {
      } else if let reported = lastReported, event.frames.last < reported {
        #expect(event.time == session.packets[reported]?.time, "\(path): \(event)")
      } else {
        #expect(event.time == session.packets[event.frames.last]?.time, "\(path): \(event)")
        lastReported = event.frames.last
      }
      order.append(event.time)
      timeline.write(event, session, to: &out)
    }
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      for event in session.events { take(event, session) }
      session.dropEvents()
      return true
    }
    session.finish()
    for event in session.events { take(event, session) }
    timeline.flush(to: &out)
    // Where the clock of the capture itself goes back, so does its timeline.
    let goesForward = zip(order, order.dropFirst()).allSatisfy { $0 <= $1 }
    var rows: [String] = []
    for line in out.string.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^(\d\d:\d\d:\d\d\.\d{3}) .*  #(?:\d+–)?(\d+)/)
      else {
        rows.removeAll()
        continue
      }
      let frame = try #require(UInt32(match.2))
      #expect(times[frame]?.contains(String(match.1)) == true, "\(path): \(line)")
      if let last = rows.last, goesForward { #expect(last <= match.1, "\(path): \(line)") }
      rows.append(String(match.1))
    }
  }
}

/// Reported cases, made small.
@Suite struct TimelineHeldTests {
  private func rows(_ contents: [(seconds: Int64, Event.Content)]) -> [String] {
    let session = Session()
    var timeline = Timeline()
    var out = TextBuffer()
    for (index, (seconds, content)) in contents.enumerated() {
      let event = Event(
        time: Timestamp(nanoseconds: seconds * 1_000_000_000),
        frames: Event.Frames(PacketID(UInt32(index + 1))), controller: 0, content: content)
      timeline.write(event, session, to: &out)
    }
    timeline.flush(to: &out)
    return out.string.split(separator: "\n").dropFirst().map {
      "\($0.prefix(8)) \($0[($0.lastIndex(of: "#") ?? $0.startIndex)...])"
    }
  }

  @Test func failedAttemptsKeepTheirTimes() {
    let failed = Event.Content.link(
      .failed(.init(status: 0x04, peer: nil, transport: .le)))
    let lines = rows([
      (1, failed), (2, failed), (3, .controller(.reset)), (4, failed), (5, failed), (90, failed),
    ])
    #expect(
      lines == [
        "00:00:01 #1", "00:00:02 #2", "00:00:03 #3", "00:00:05 #4–5 (2 packets)", "00:01:30 #6",
      ])
  }
}
