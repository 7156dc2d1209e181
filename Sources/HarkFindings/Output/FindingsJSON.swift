import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Findings as JSON, an object on a line for each capture. The form is described in
/// docs/reports-json.md.
public struct FindingsJSON: FindingsWriter {
  public init() {}

  public mutating func write(
    _ name: String, _ findings: Findings, _ session: borrowing Session, _ end: CaptureEnd,
    to out: inout TextBuffer
  ) {
    var json = JSONText()
    let start = session.counts.firstTime
    let notJudged = findings.notJudged
    json.object { json in
      json.string("name", name)
      json.members(of: end)
      json.number("packets", session.packets.count)
      json.number("rules", findings.descriptions.count)
      json.array("framings") { json in
        for framing in findings.framings.sorted() { json.element(framing) }
      }
      json.object("counts") { json in
        json.number("error", findings.count(.error))
        json.number("warning", findings.count(.warning))
        json.number("info", findings.count(.info))
        json.number("omitted", findings.omitted)
        json.number("cannot_tell", findings.undecided.count)
        json.number("not_judged", notJudged.count)
      }
      if let difference = findings.difference {
        json.object("baseline") { json in
          json.flag("new_capture", difference.isOfNewCapture)
          json.number("accepted", difference.accepted)
          json.objects("gone", difference.gone) { subject, json in
            json.string("rule", subject.rule)
            if !subject.device.isEmpty { json.string("device", subject.device) }
          }
        }
      }
      json.objects("findings", findings.sorted) { finding, json in
        Self.members(of: finding, since: start, to: &json)
      }
      json.objects("cannot_tell", findings.undecided) { one, json in
        json.string("rule", one.rule.id)
        json.string("title", one.rule.title)
        Self.members(of: one.place, since: start, to: &json)
        json.string("reason", one.reason)
        json.number("occurrences", one.occurrences)
      }
      json.objects("not_judged", notJudged) { one, json in
        json.string("rule", one.rule.id)
        json.flag("hidden", one.isHidden)
        json.string("reason", one.reason)
      }
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  public mutating func write(
    _ name: String, unopened problem: String, to out: inout TextBuffer
  ) {
    var json = JSONText()
    json.object { json in
      json.string("name", name)
      json.string("status", "unopened")
      json.string("problem", problem)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }

  package static func members(
    of finding: Finding, since start: Timestamp?, to json: inout JSONText
  ) {
    json.string("rule", finding.rule.id)
    json.string("title", finding.rule.title)
    json.string("severity", finding.severity.name)
    json.string("confidence", finding.confidence.rawValue)
    members(of: finding.place, since: start, to: &json)
    json.number("occurrences", finding.occurrences)
    json.number("last_frame", finding.lastFrame.number)
    if let log = finding.lastLog { member("last_log", log, to: &json) }
    json.string("observed", finding.observed)
    json.string("expected", finding.expected)
    json.string("meaning", finding.rule.meaning)
    json.string("fix", finding.rule.fix)
    json.string("source", finding.rule.source)
  }

  private static func members(
    of place: Place, since start: Timestamp?, to json: inout JSONText
  ) {
    json.recorded("time", place.time)
    json.seconds("time_relative", start.map { place.time.since($0) } ?? 0)
    if !place.label.isEmpty { json.string("device", place.label) }
    json.number("link", place.link.map { $0.index + 1 })
    json.array("frames") { json in for frame in place.frames { json.element(frame.number) } }
    if let log = place.log { member("log", log, to: &json) }
  }

  private static func member(
    _ name: StaticString, _ log: AppEvent.Origin, to json: inout JSONText
  ) {
    json.object(name) { json in
      json.string("file", log.file)
      json.number("line", log.line)
    }
  }
}
