import HarkCore
import HarkPresentation
import HarkSession

/// Where a rule puts what it finds.
public struct RuleReport: Sendable {
  struct Item: Sendable {
    let place: Place
    /// Distinguishes findings of one rule about one device.
    let subject: String
    let content: Content
    /// Whether it only counts if the capture goes on after its packets.
    var isDeferred = false

    enum Content: Sendable {
      case finding(
        Finding.Severity, Finding.Confidence, observed: FindingText, expected: FindingText)
      /// - Parameter cause: Why it cannot be reported, where the reason does not begin with it.
      case undecided(FindingText, cause: FindingText?)
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

  public internal(set) var horizon = CaptureCoverage()
  var items: [Item] = []
  /// The severity that the rule usually has.
  var severity = Finding.Severity.warning

  /// What the timeline says of an event: the only text that a rule does not make itself.
  /// - Parameter session: As it was when the event was emitted.
  static func text(of event: Event, _ session: borrowing Session) -> FindingText {
    FindingText(EventText.sentence(of: event, session))
  }

  /// Adds a finding.
  /// - Parameters:
  ///   - observed: Left out: what the timeline says of the event.
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

  /// Adds that something never came, unless the capture may only not show it.
  /// - Parameter start: From where on it may have come; nil where that is after the place.
  mutating func missing(
    _ place: Place, since start: PacketID? = nil, observed: FindingText, expected: FindingText,
    severity: Finding.Severity? = nil, confidence: Finding.Confidence = .likely,
    subject: String = ""
  ) {
    if let gap = horizon.gap(since: start ?? place.lastFrame, on: place.link) {
      return cannotTell(place, "\(gap): it may be in that gap", subject: subject)
    }
    found(
      place, observed: observed, expected: expected, severity: severity, confidence: confidence,
      subject: subject)
  }

  /// As `missing`, of what ended with a link or a stream. Where that is the end of the capture, it may
  /// only not show the rest.
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

  /// What was added last only counts if the capture goes on, or the event's link has ended.
  mutating func deferLast(_ event: Event, _ session: borrowing Session) {
    guard !items.isEmpty, session.link(event)?.closed == nil else { return }
    items[items.count - 1].isDeferred = true
  }

  /// Adds that nobody can tell.
  /// - Parameters:
  ///   - cause: What is reported once of a device, however often it comes up. Left out: what stands in the
  ///     reason before a colon, but for its numbers.
  ///   - subject: Distinguishes what is of no device.
  mutating func cannotTell(
    _ place: Place, _ reason: FindingText, cause: FindingText? = nil, subject: String = ""
  ) {
    items.append(
      Item(place: place, subject: subject, content: .undecided(reason, cause: cause)))
  }
}
