import HarkFindings
import HarkPresentation

extension BugReport {
  /// A text of a report that is not the same in every report, and what it belongs to.
  public struct Part: Sendable {
    /// `the title`, `the timeline`.
    public let name: String
    public let text: String
    /// Whether a capture or a person gave all of it; otherwise, it is a sentence of hark's, in which other people's texts are
    /// quoted.
    public let isValue: Bool

    fileprivate init(_ name: String, _ text: String, isValue: Bool = false) {
      (self.name, self.text, self.isValue) = (name, text, isValue)
    }
  }

  /// The places where something from a capture may stand. Headings, labels, keys and the style sheet are not among them.
  public var parts: [Part] {
    [Part("the title", title, isValue: hasOwnTitle)] + captures.flatMap(Self.parts(of:))
  }

  private static func parts(of capture: ReportedCapture) -> [Part] {
    var parts = [Part("the name of a capture", capture.name, isValue: true)]
    parts += capture.facts.map { Part("the facts about a capture", $0.text) }
    parts += (capture.limits + capture.damage).map { Part("the limits of a capture", $0) }
    for device in capture.devices {
      parts += ([device.name] + device.addresses).map { Part("the devices", $0, isValue: true) }
      parts += device.links.map { Part("the devices", $0) }
    }
    for exchange in capture.exchanges {
      parts += [exchange.device, exchange.session].map { Part("the sessions", $0, isValue: true) }
      if let reason = exchange.reason { parts.append(Part("the sessions", reason)) }
    }
    for finding in capture.findings {
      parts.append(Part("the findings", finding.place.label, isValue: true))
      parts += [finding.observed, finding.expected].map { Part("the findings", $0) }
    }
    parts += capture.undecided.map { Part("the findings", $0.reason) }
    parts += capture.notes.map { Part("the notes", $0.text, isValue: true) }
    for line in capture.lines {
      parts.append(Part("the timeline", line.device, isValue: true))
      parts.append(Part("the timeline", line.text))
    }
    for excerpt in capture.excerpts {
      parts += excerpt.text.split(separator: "\n").map { Part("the packets", String($0)) }
    }
    return parts
  }
}
