import HarkCapture
import HarkCore
import HarkSession

/// A capture that can be read only once, read twice nevertheless: the second reading is some packets behind
/// the first, which finds what is known about a packet only after it.
struct ReadAhead: ~Copyable {
  private let found: FirstPass
  private var first: Reading
  private let waiting = RecordQueue<CaptureRemark>()

  /// - Parameter reading: The second reading, which has not begun.
  init(_ found: FirstPass, of reading: borrowing Reading) {
    self.found = found
    first = Reading(reading.capture, keys: reading.keys)
    found.prepare(&first.session)
    found.isAhead = true
  }

  /// Continues with a new capture after the source has reconnected.
  mutating func goOn(with capture: Capture) { first.goOn(with: capture) }

  /// Reads until nothing more comes for now, or to the end. A second call continues there.
  /// - Parameters:
  ///   - reading: Is given those records that have waited long enough.
  ///   - after: As `Reading.take` has it, but for the result.
  mutating func take(
    _ reading: inout Reading,
    _ after: (inout Session, CaptureRecord, RawSpan, CaptureRemark) throws -> Void
  ) throws -> CaptureEnd {
    let (found, waiting, capture) = (self.found, self.waiting, first.capture)
    return try first.take { session, record, bytes in
      found.take(session)
      waiting.append(record, bytes, CaptureRemark(record, capture))
      while let entry = waiting.excess() { try Self.give(entry, found, &reading, after) }
      if case .timedOut = capture.wait(milliseconds: 0) { return false }
      while let entry = waiting.overdue() { try Self.give(entry, found, &reading, after) }
      return true
    }
  }

  /// Waits until more comes, and gives the second reading meanwhile what has waited long enough.
  func pause(
    _ reading: inout Reading,
    _ after: (inout Session, CaptureRecord, RawSpan, CaptureRemark) throws -> Void
  ) throws {
    while case .timedOut = first.capture.wait(milliseconds: waiting.delay ?? -1) {
      while let entry = waiting.overdue() { try Self.give(entry, found, &reading, after) }
    }
  }

  /// Gives the second reading all that still waits, with what is known only as the capture has ended.
  mutating func finish(
    _ end: CaptureEnd, _ reading: inout Reading,
    _ after: (inout Session, CaptureRecord, RawSpan, CaptureRemark) throws -> Void
  ) throws {
    let found = found
    try first.finish(end) { session in found.finish(session) }
    try release(&reading, after)
  }

  /// Gives the second reading all that still waits, as the source may continue only later.
  mutating func release(
    _ reading: inout Reading,
    _ after: (inout Session, CaptureRecord, RawSpan, CaptureRemark) throws -> Void
  ) throws {
    while let entry = waiting.first() { try Self.give(entry, found, &reading, after) }
  }

  /// As `Reading.packets` has it.
  mutating func packets(
    _ reading: inout Reading, _ after: (inout Session, CaptureRecord?, RawSpan) throws -> Void
  ) throws -> CaptureEnd {
    while true {
      let end = try take(&reading) { session, record, bytes, _ in try after(&session, record, bytes)
      }
      guard end.status != .stopped else {
        try pause(&reading) { session, record, bytes, _ in try after(&session, record, bytes) }
        continue
      }
      try finish(end, &reading) { session, record, bytes, _ in try after(&session, record, bytes) }
      try reading.finish(end) { session in try after(&session, nil, RawSpan()) }
      return end
    }
  }

  private static func give(
    _ entry: RecordQueue<CaptureRemark>.Entry, _ found: FirstPass, _ reading: inout Reading,
    _ after: (inout Session, CaptureRecord, RawSpan, CaptureRemark) throws -> Void
  ) throws {
    found.begin(packet: UInt32(truncatingIfNeeded: reading.session.packets.count + 1))
    let bytes = entry.bytes
    reading.give(entry.record, bytes.raw, entry.remark)
    try after(&reading.session, entry.record, bytes.raw, entry.remark)
    reading.session.dropEvents()
  }
}
