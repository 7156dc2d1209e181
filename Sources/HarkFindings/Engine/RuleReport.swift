import HarkCore
import HarkSession

/// Receives the findings of a rule.
public struct RuleReport: Sendable {
  struct Item: Sendable {
    let place: Place
    /// Distinguishes findings of one rule about one device.
    let subject: String
    let content: Content
    /// Whether it counts only if the capture continues after its packets.
    var isDeferred = false

    enum Content: Sendable {
      case finding(
        Finding.Severity, Finding.Confidence, observed: FindingText, expected: FindingText)
      /// - Parameter cause: What several reasons have in common.
      case undecided(FindingText, cause: String)
    }

    var order: (PacketID, String, String) {
      let text =
        switch content {
        case .finding(_, _, let observed, _): observed.text
        case .undecided(let reason, _): reason.text
        }
      return (place.lastFrame, subject, text)
    }
  }

  public internal(set) var coverage = CaptureCoverage()
  var items: [Item] = []
  /// The usual severity of the rule.
  var severity = Finding.Severity.warning

  /// The timeline's sentence of an event: the only text that a rule does not write itself.
  /// - Parameter session: Its state when the event was emitted.
  static func text(of event: Event, _ session: borrowing Session) -> FindingText {
    FindingText(EventText.sentence(of: event, session))
  }

  /// Adds a finding.
  /// - Parameters:
  ///   - observed: By default, the timeline's sentence of the event.
  ///   - subject: Findings of one rule about one device and subject are counted, not repeated.
  mutating func found(
    _ event: Event, _ session: borrowing Session, observed: FindingText? = nil,
    expected: FindingText,
    severity: Finding.Severity? = nil, confidence: Finding.Confidence = .certain,
    subject: String = "", frames: [PacketID] = []
  ) {
    found(
      Place(event, and: frames), observed: observed ?? Self.text(of: event, session),
      expected: expected, severity: severity, confidence: confidence, subject: subject)
  }

  mutating func found(
    _ place: Place, observed: FindingText, expected: FindingText, severity: Finding.Severity? = nil,
    confidence: Finding.Confidence = .certain, subject: String = ""
  ) {
    items.append(
      Item(
        place: place, subject: subject,
        content: .finding(
          severity ?? self.severity, confidence, observed: observed, expected: expected)))
  }

  /// Adds a finding that was held back.
  /// - Parameter more: What followed the event.
  mutating func found(_ held: HeldFinding, and more: FindingText = "") {
    found(
      held.place, observed: held.observed + more, expected: held.expected, severity: held.severity,
      confidence: held.confidence, subject: held.subject)
  }

  /// Adds that something is missing, unless the capture may just not show it.
  /// - Parameter start: The earliest place where it may be; nil if that is after the place.
  mutating func missing(
    _ place: Place, since start: PacketID? = nil, observed: FindingText, expected: FindingText,
    severity: Finding.Severity? = nil, confidence: Finding.Confidence = .likely,
    subject: String = ""
  ) {
    if let gap = coverage.gap(since: start ?? place.lastFrame, on: place.link) {
      return cannotTell(place, gap, "it may be in that gap", subject: subject)
    }
    found(
      place, observed: observed, expected: expected, severity: severity, confidence: confidence,
      subject: subject)
  }

  /// Adds that what a rule waited for is missing, unless the capture may just not show it.
  mutating func missing(
    _ held: HeldFinding, since start: PacketID? = nil, and more: FindingText = ""
  ) {
    missing(
      held.place, since: start, observed: held.observed + more, expected: held.expected,
      severity: held.severity, confidence: held.confidence, subject: held.subject)
  }

  /// As `missing`, for something that ended with a link or a stream. If the capture ended there, it may
  /// just not show the rest.
  mutating func missingAtEnd(
    _ event: Event, _ session: borrowing Session, observed: FindingText, expected: FindingText,
    severity: Finding.Severity? = nil, confidence: Finding.Confidence = .likely,
    subject: String = ""
  ) {
    let count = items.count
    missing(
      Place(event), since: session.link(event)?.opened, observed: observed, expected: expected,
      severity: severity, confidence: confidence, subject: subject)
    if items.count > count { deferLast(event, session) }
  }

  /// The last addition counts only if the capture continues, or the event's link has ended.
  mutating func deferLast(_ event: Event, _ session: borrowing Session) {
    guard !items.isEmpty, session.link(event)?.closed == nil else { return }
    items[items.count - 1].isDeferred = true
  }

  /// Adds that this cannot be judged.
  /// - Parameters:
  ///   - cause: Reported once per device, however often it occurs; by default, the reason without its values.
  ///   - subject: Distinguishes reports without a device.
  mutating func cannotTell(
    _ place: Place, _ reason: FindingText, cause: String? = nil, subject: String = ""
  ) {
    items.append(
      Item(
        place: place, subject: subject,
        content: .undecided(reason, cause: cause ?? reason.words)))
  }

  /// Whether something has waited for `limit` since a place. If the clock was set after that, the wait is over, too: how
  /// long it took is unknown, and `missing` reports that.
  /// - Parameter start: When the wait began; by default, at the time of the place.
  func isOver(
    _ limit: Int64, since place: Place, at time: Timestamp, from start: Timestamp? = nil
  ) -> Bool {
    time.since(start ?? place.time) >= limit || coverage.isClockSet(since: place.lastFrame)
  }

  /// The nanoseconds from a packet to an event; nil if the clock was set meanwhile.
  func elapsed(since time: Timestamp, in packet: PacketID, _ event: Event) -> Int64? {
    coverage.isClockSet(since: packet) ? nil : event.time.since(time)
  }

  /// Whether no more than `limit` may have passed since a place: two events may belong together. If the clock was set
  /// meanwhile, only the time since then counts.
  func isSoon(_ limit: Int64, after place: Place, at time: Timestamp) -> Bool {
    coverage.elapsedAtLeast(since: place.time, in: place.lastFrame, at: time) <= limit
  }

  /// Adds that it cannot be judged how long something waited, if the event sets the clock while it did.
  /// - Parameter waiting: How many of the rule's transactions wait.
  mutating func cannotMeasure(
    _ event: Event, _ waiting: KeyPath<CaptureEvent.ClockSetBack.Waiting, Int>, _ what: FindingText
  ) {
    let (pending, step): (CaptureEvent.ClockSetBack.Waiting, FindingText)
    if case .capture(.clockSetBack(let it)) = event.content {
      (pending, step) = (it.waiting, "the clock of the capture goes back")
    } else if case .capture(.clockSetForward(let it)) = event.content {
      (pending, step) = (it.waiting, "the clock of the capture jumps forward")
    } else {
      return
    }
    guard pending[keyPath: waiting] > 0 else { return }
    cannotTell(
      Place(event),
      "\(step) at #\(event.frames.last.number), so it is unknown how long \(what) waited",
      cause: step.text)
  }

  /// Adds that this cannot be judged because of a gap in the capture, and what may be in it.
  mutating func cannotTell(
    _ place: Place, _ gap: FindingText, _ doubt: FindingText, subject: String = ""
  ) {
    cannotTell(place, "\(gap): \(doubt)", cause: gap.words, subject: subject)
  }
}

/// A finding that a rule holds back until what follows shows whether it counts.
struct HeldFinding: Sendable {
  let place: Place
  let observed: FindingText
  let expected: FindingText
  let severity: Finding.Severity?
  let confidence: Finding.Confidence
  let subject: String

  /// - Parameter observed: By default, the timeline's sentence of the event.
  init(
    _ event: Event, _ session: borrowing Session, observed: FindingText? = nil,
    expected: FindingText, severity: Finding.Severity? = nil,
    confidence: Finding.Confidence = .certain, subject: String = ""
  ) {
    place = Place(event)
    self.observed = observed ?? RuleReport.text(of: event, session)
    (self.expected, self.severity) = (expected, severity)
    (self.confidence, self.subject) = (confidence, subject)
  }
}

extension Array {
  /// Removes the elements that are over, and returns them in order.
  mutating func take(where isOver: (Element) -> Bool) -> [Element] {
    let over = filter(isOver)
    if !over.isEmpty { removeAll(where: isOver) }
    return over
  }
}
