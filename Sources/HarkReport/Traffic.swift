import HarkCore
import HarkSession

/// How much was sent when, and how long answers took: for pictures.
struct Traffic: Sendable {
  /// Bytes of ACL, synchronous and isochronous data in each of the equal parts of the capture.
  private(set) var sent = [UInt64](repeating: 0, count: Traffic.parts)
  private(set) var received = [UInt64](repeating: 0, count: Traffic.parts)
  /// How long the capture is, in nanoseconds.
  private(set) var duration: Int64 = 0
  /// How many requests were answered within this many nanoseconds, and later than in the part before.
  private(set) var answers = [Int](repeating: 0, count: Traffic.limits.count)
  private(set) var answered = 0
  /// In nanoseconds; 0 if nothing was answered.
  private(set) var median: Int64 = 0
  private(set) var longest: Int64 = 0

  static let parts = 240
  /// 1 ms to 10 s, and all above.
  static let limits: [Int64] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    .map { $0 * 1_000_000 } + [.max]
  /// The same in words, short enough for a phone.
  static let limitNames = [
    "1 ms", "2", "5", "10", "20", "50", "100", "200", "500", "1 s", "2", "5", "10", "more",
  ]

  init(_ session: borrowing Session) {
    guard let first = session.counts.earliestTime, let duration = session.counts.duration else {
      return
    }
    self.duration = duration
    let part = max(1, duration / Int64(Self.parts) + 1)
    var times: [Int64] = []
    for number in 1...UInt32(clamping: max(1, session.packets.count)) {
      guard let row = session.packets[number] else { break }
      count(row, row.time.since(first) / part)
      guard row.related > number, let answer = session.packets[row.related] else { continue }
      let time = session.elapsed(
        from: row.time, in: PacketID(number), to: answer.time, in: PacketID(row.related))
      // Clocks go back.
      if let time, time >= 0, times.count < Self.mostTimes { times.append(time) }
    }
    times.sort()
    (answered, median, longest) = (
      times.count, times.isEmpty ? 0 : times[times.count / 2], times.last ?? 0
    )
    for time in times {
      answers[Self.limits.firstIndex { time <= $0 } ?? Self.limits.count - 1] += 1
    }
  }

  private static let mostTimes = 1_000_000

  private mutating func count(_ row: PacketRow, _ part: Int64) {
    guard [.acl, .sco, .iso].contains(row.kind), sent.indices.contains(Int(clamping: part))
    else { return }
    if row.flags.contains(.received) {
      received[Int(part)] += UInt64(row.count)
    } else {
      sent[Int(part)] += UInt64(row.count)
    }
  }

  var isEmpty: Bool { !sent.contains { $0 > 0 } && !received.contains { $0 > 0 } }
}
