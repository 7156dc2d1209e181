import HarkCapture
import HarkCore
import HarkFilter
import HarkSelection
import HarkSession

/// Something that must happen in a capture, or must not.
public struct Expectation: Sendable {
  public enum Condition: Sendable {
    /// So many events match; nil if any number from the lower bound on will do.
    case count(Filter, ClosedRange<Int>)
    /// After each event that matches `of` one that matches `event` comes within nanoseconds, of the same device where
    /// both are of one.
    case within(event: Filter, of: Filter, Int64)
    /// An event matches, and none that matches `other` came earlier.
    case before(event: Filter, other: Filter)
    /// The rules named find nothing that is at least as severe.
    case noFindings(Finding.Severity, rules: [any Rule.Type])
  }

  /// How the names of the rules begin that expectations are reported as.
  static let prefix = "expect."

  public let name: String
  /// What follows `expect.` in reports: `key-exchange-in-time`.
  public private(set) var id: String
  public let severity: Finding.Severity
  public let condition: Condition
  /// A pattern of the names of files it holds for; nil for all.
  public let captures: String?

  public init(
    name: String, severity: Finding.Severity, condition: Condition, captures: String? = nil
  ) {
    (self.name, self.severity, id) = (name, severity, Self.id(of: name))
    (self.condition, self.captures) = (condition, captures)
  }

  /// How a rule that did not hold is reported.
  var about: RuleDescription {
    RuleDescription(
      id: Self.prefix + id, title: name, severity: severity, needs: [],
      meaning: "The capture does not show what is expected of it.",
      source: "the expectations given to hark expect",
      fix: "Look at the packets named, or at the timeline around them.")
  }

  /// Numbers those whose names differ only in case or in characters that identifiers do not have: reports must not
  /// mistake one for another.
  public static func identified(_ expectations: [Expectation]) -> [Expectation] {
    var used = Set(expectations.map(\.id))
    var seen: Set<String> = []
    return expectations.map { expectation in
      var one = expectation
      guard !seen.insert(one.id).inserted else { return one }
      var number = 2
      while !used.insert("\(one.id)-\(number)").inserted { number += 1 }
      one.id += "-\(number)"
      return one
    }
  }

  /// Letters of all scripts, and digits.
  private static func id(of name: String) -> String {
    let letters = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let id = String(letters).split(separator: "-").joined(separator: "-")
    return id.isEmpty ? "unnamed" : id
  }
}

/// Expectations at work on a capture.
public struct ExpectationCheck: ~Copyable {
  /// An event, and how many came before it.
  private struct Match {
    let event: Event
    let number: Int

    /// Whether it comes after another, in the same packet, too; an event does not come after itself.
    func follows(_ other: Match) -> Bool {
      let (mine, theirs) = (event.frames.last, other.event.frames.last)
      return theirs < mine || theirs == mine && other.number < number
    }
  }

  /// One filter of an expectation, and the events that it matched.
  private struct Part {
    var filter: EventFilter
    var matches: [Match] = []
    var count = 0
  }

  private struct Run {
    let expectation: Expectation
    var parts: [Part]
    var findings: Findings?
  }

  /// Events that are remembered of each filter.
  private static let most = 100_000

  private var runs: [Run]
  private var packet = PacketReading()
  /// The events of the session so far.
  private var eventCount = 0
  /// What the filters ask of packets, for the session that is to be read.
  public let wantsMessages: Bool
  public let kindsWithFields: [Bool]?

  public init(_ expectations: [Expectation]) {
    runs = expectations.map { expectation in
      switch expectation.condition {
      case .count(let filter, _): Run(expectation: expectation, parts: [Self.part(filter)])
      case .within(let event, let other, _), .before(let event, let other):
        Run(expectation: expectation, parts: [Self.part(event), Self.part(other)])
      case .noFindings(_, let rules):
        Run(expectation: expectation, parts: [], findings: Findings(rules))
      }
    }
    let filters = runs.flatMap { $0.parts.map(\.filter.filter) }
    wantsMessages = filters.contains { !$0.paths.isEmpty }
    let asking = filters.filter(\.asksPackets).map(\.kindsWithFields)
    kindsWithFields =
      asking.isEmpty
      ? nil : asking[0].indices.map { kind in asking.contains { $0[kind] } }
  }

  /// The findings for expectations that do not hold.
  public static func rules(of expectations: [Expectation]) -> [RuleDescription] {
    expectations.map(\.about)
  }

  private static func part(_ filter: Filter) -> Part { Part(filter: EventFilter(filter)) }

  /// Takes the record that `session` has indexed last. Call it for each, before its events.
  public mutating func take(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ session: inout Session
  ) {
    for run in runs.indices {
      for part in runs[run].parts.indices {
        runs[run].parts[part].filter.take(record, bytes, &packet, &session)
      }
    }
  }

  /// Takes the session's events since they were last dropped.
  public mutating func take(_ session: borrowing Session) {
    for run in runs.indices {
      runs[run].findings?.take(session)
      for part in runs[run].parts.indices {
        for (place, event) in session.events.enumerated()
        where runs[run].parts[part].filter.matches(event, session) {
          runs[run].parts[part].count += 1
          if runs[run].parts[part].matches.count < Self.most {
            runs[run].parts[part].matches.append(Match(event: event, number: eventCount + place))
          }
        }
      }
    }
    eventCount += session.events.count
  }

  /// What did not hold, as findings. Call it when the capture has ended.
  public mutating func finish(_ session: borrowing Session) -> Findings {
    var broken: [Finding] = []
    var undecided: [Undecided] = []
    for index in runs.indices {
      runs[index].findings?.finish(session)
      for fault in Self.faults(runs[index], session) {
        var place =
          fault.event.map { Place($0, and: fault.frames) }
          ?? Place(endOf: session, and: fault.frames)
        place.name(session)
        if fault.isUndecided {
          let text = FindingText("\(fault.observed); expected: \(fault.expected)")
          undecided.append(
            Undecided(
              rule: runs[index].expectation.about, place: place, explanation: text,
              cause: fault.observed))
          continue
        }
        broken.append(
          Finding(
            rule: runs[index].expectation.about, severity: runs[index].expectation.severity,
            confidence: .certain, place: place, observation: FindingText(fault.observed),
            expectation: FindingText(fault.expected), lastFrame: place.lastFrame,
            lastLog: place.log))
      }
    }
    return Findings(broken, undecided, of: runs.map(\.expectation.about))
  }

  private struct Fault {
    var event: Event?
    var frames: [PacketID] = []
    let observed: String
    let expected: String
    /// Whether the capture ends too early to show it.
    var isUndecided = false
  }

  private static func faults(_ run: Run, _ session: borrowing Session) -> [Fault] {
    switch run.expectation.condition {
    case .count(_, let range):
      let part = run.parts[0]
      guard !range.contains(part.count) else { return [] }
      return [
        Fault(
          event: part.matches.first?.event,
          observed: "\(Names.count(part.count, "event")) \(part.count == 1 ? "matches" : "match")",
          expected: Self.text(range))
      ]
    case .within(_, _, let limit):
      return lateness(run.parts[0].matches, of: run.parts[1].matches, limit, session)
    case .before:
      guard let first = run.parts[0].matches.first?.event else {
        return [Fault(observed: "no event matches", expected: "one comes first")]
      }
      guard let other = run.parts[1].matches.first?.event, other.frames.last < first.frames.last
      else {
        return []
      }
      return [
        Fault(
          event: first, frames: [other.frames.last],
          observed: "#\(other.frames.last.number), which matches `before`, comes first",
          expected: "no such event before #\(first.frames.last.number)")
      ]
    case .noFindings(let severity, _):
      let found = run.findings?.sorted.filter { $0.severity >= severity } ?? []
      return found.map { finding in
        Fault(
          frames: finding.place.frames,
          observed: "\(finding.rule.id): \(finding.observed)", expected: finding.expected)
      }
    }
  }

  private static func lateness(
    _ events: [Match], of others: [Match], _ limit: Int64, _ session: borrowing Session
  ) -> [Fault] {
    let wanted = "an event within \(milliseconds(limit))"
    guard !others.isEmpty else {
      return [Fault(observed: "no event matches “of”", expected: wanted)]
    }
    var faults: [Fault] = []
    for other in others {
      let (event, device) = (other.event, other.event.device)
      let next = events.first { one in
        one.follows(other)
          && (one.event.device == nil || device == nil || one.event.device == device)
      }
      guard let next else {
        let doubt = doubt(of: event, limit, session)
        faults.append(
          Fault(
            event: event, observed: "no event follows" + (doubt.map { ", but \($0)" } ?? ""),
            expected: wanted, isUndecided: doubt != nil))
        continue
      }
      let (mine, theirs) = (event.frames.last, next.event.frames.last)
      guard
        let took = session.elapsed(from: event.time, in: mine, to: next.event.time, in: theirs)
      else {
        faults.append(
          Fault(
            event: event, frames: [theirs],
            observed:
              "the clock of the capture was set between #\(mine.number) and #\(theirs.number)",
            expected: wanted, isUndecided: true))
        continue
      }
      guard took > limit else { continue }
      faults.append(
        Fault(
          event: event, frames: [theirs],
          observed: "it took \(milliseconds(took)), to #\(theirs.number)", expected: wanted))
    }
    return faults
  }

  /// Why the capture may end too early to show what follows an event within a limit; nil if it does not.
  private static func doubt(
    of event: Event, _ limit: Int64, _ session: borrowing Session
  ) -> String? {
    guard let end = session.counts.lastTime else { return nil }
    let last = PacketID(UInt32(clamping: session.packetCount))
    if let rest = session.elapsed(from: event.time, in: event.frames.last, to: end, in: last) {
      return rest < 0 || rest >= limit ? nil : "the capture ends \(milliseconds(rest)) later"
    }
    // After the last step of the clock, time is known again.
    let step = session.lastClockStep
    let rest = session.packets[step].map { end.since($0.time) } ?? 0
    return rest >= limit
      ? nil : "the clock of the capture was set in #\(step.number), and the capture ends soon after"
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    if nanoseconds.magnitude < 1_000_000_000 { return Names.duration(nanoseconds) }
    var text = TextBuffer()
    text.seconds(nanoseconds, decimals: 3)
    return text.string + " s"
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    if range == 0...0 { return "none" }
    if range.upperBound == .max { return "at least \(range.lowerBound)" }
    return range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
