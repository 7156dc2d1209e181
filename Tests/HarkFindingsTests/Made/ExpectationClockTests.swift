import HarkCapture
import HarkCore
import HarkFilter
import HarkFindings
import HarkSession
import Testing

/// How long an event took is unknown if the clock of the capture was set meanwhile.
@Suite struct ExpectationClockTests {
  /// A connection at 0 s, and after the Disconnection Complete of `end`, an event of no link at `last`.
  private static func check(
    _ records: [(time: Int64, hex: String)], limit: Int64
  ) throws -> (found: [String], undecided: [String]) {
    let condition = Expectation.Condition.within(
      event: try Filter("event == \"link-closed\""), of: try Filter("event == \"link-opened\""),
      limit * 1_000_000_000)
    var check = ExpectationCheck([
      Expectation(name: "closed", severity: .error, condition: condition)
    ])
    var session = Session()
    for (index, one) in records.enumerated() {
      let bytes = Hex.bytes(one.hex) ?? []
      var record = CaptureRecord()
      record.number = UInt32(index + 1)
      record.kind = .event
      record.time = Timestamp(seconds: 1_700_000_000 + one.time, nanoseconds: 0)
      record.direction = .controllerToHost
      (record.count, record.originalCount) = (bytes.count, bytes.count)
      session.index(record, bytes.raw)
      check.take(record, bytes.raw, &session)
      check.take(session)
      session.dropEvents()
    }
    session.finish()
    check.take(session)
    let findings = check.finish(session)
    return (
      findings.sorted.map(\.observed), findings.undecided.map { "\($0.reason)" }
    )
  }

  private static let opened = "3e 13 01 00 4000 00 00 aabbccddeeff 1800 0000 f401 00"
  private static let closed = "05 04 00 4000 13"
  private static let other = "13 05 01 4000 0100"

  /// 5 s, with and without a step back by an hour or forward by two days.
  @Test func steps() throws {
    let plain = try Self.check([(0, Self.opened), (5, Self.closed)], limit: 2)
    #expect(plain.found == ["it took 5.000 s, to #2"] && plain.undecided.isEmpty)
    for step in [-3_600, 172_800] as [Int64] {
      let set = try Self.check([(0, Self.opened), (step, Self.closed)], limit: 2)
      #expect(set.found.isEmpty)
      #expect(
        set.undecided.first?.contains("the clock of the capture was set between #1 and #2") == true)
      // The event does not follow: after the step, the capture shows a second, or a minute.
      let short = try Self.check(
        [(0, Self.opened), (step, Self.other), (step + 1, Self.other)], limit: 2)
      #expect(short.found.isEmpty && short.undecided.count == 1)
      let long = try Self.check(
        [(0, Self.opened), (step, Self.other), (step + 60, Self.other)], limit: 2)
      #expect(long.found == ["no event follows"] && long.undecided.isEmpty)
    }
  }
}
