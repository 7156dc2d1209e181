import Crypto
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A report as one HTML file that needs nothing else.
public struct BugReportHTML {
  /// How many lines a timeline may have that is shown unfolded.
  private static let mostUnfolded = 40

  var text = TextBuffer()

  public init() {}

  public mutating func write(_ report: BugReport, to out: inout TextBuffer) {
    let script = "\n" + BugReportPage.script
    head(
      report.title, report.version, style: "\n" + BugReportPage.style + TimelineOverview.style,
      script: script)
    for (index, capture) in report.captures.enumerated() {
      write(capture, isOnly: report.captures.count == 1, number: index)
    }
    text.string("</main>\n<script>\(script)</script>\n</html>\n")
    out.append(text.bytes)
  }

  /// Everything up to the end of the page's header.
  mutating func head(_ title: String, _ version: String, style: String, script: String? = nil) {
    text.string("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
    text.string("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    // Whatever a capture says, the page runs nothing but what stands here. CSP Level 3, 6.7.3.3.
    let scripts = script.map { "script-src \(Self.hash(of: $0)); " } ?? ""
    text.string(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        + "style-src \(Self.hash(of: style)); \(scripts)base-uri 'none'; form-action 'none'\">\n")
    element("title", title)
    text.string("<style>\(style)</style>\n<main>\n<header>\n")
    element("h1", title)
    text.string("<p class=\"by\">hark ")
    escaped(version)
    text.string("</p>\n</header>\n")
  }

  /// What a policy calls the contents of an element.
  private static func hash(of content: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Array(content.utf8))).base64EncodedString())'"
  }

  private mutating func write(_ capture: ReportedCapture, isOnly: Bool, number: Int) {
    text.string("<article data-capture=\"\(number)\">\n")
    if !isOnly { element("h2", capture.name, class: "capture") }
    text.string("<section class=\"summary\">\n")
    element("p", BugReport.summary(of: capture).joined(separator: " "))
    text.string("</section>\n")
    findings(capture, number)
    notes(capture, number)
    if let comparison = capture.comparison { write(comparison) }
    table(
      "Sessions", ["Device", "Session", "Framing", "Decrypted", "Not decrypted", "Why", "Packets"],
      capture.exchanges.map {
        [
          $0.device, $0.name, $0.framing, "\($0.read)", "\($0.locked)", $0.reason ?? "",
          Names.packets($0.first, $0.last),
        ]
      })
    table(
      "Devices", ["Name", "Addresses", "Services", "Links"],
      capture.devices.map {
        [
          $0.name, $0.addresses.joined(separator: ", "),
          $0.services == 0 ? "" : "\($0.services), \($0.characteristics) characteristics",
          $0.links.joined(separator: "; "),
        ]
      })
    diagrams(capture)
    traffic(capture.traffic)
    timeline(capture, number)
    excerpts(capture, number)
    environment(capture)
    text.string("</article>\n")
  }

  // MARK: Findings

  private mutating func findings(_ capture: ReportedCapture, _ number: Int) {
    element("h2", "Findings")
    if capture.findings.isEmpty { element("p", "None.") }
    let shown = Set(capture.evidence)
    for finding in capture.findings {
      text.string("<section class=\"finding \(finding.severity.name)\">\n<h3>")
      text.string("<span class=\"severity\">\(finding.severity.name)</span> ")
      escaped(finding.rule.title)
      text.string(" <code>")
      escaped(finding.rule.id)
      text.string("</code></h3>\n<dl>")
      var place = [finding.place.label].filter { !$0.isEmpty }
      place.append(BugReportText.time(finding.place.time))
      if let log = finding.place.log { place.append(log.text) }
      term("Where", place.joined(separator: ", "))
      frames(finding.place.frames, shown, number)
      let repetition = finding.repetition.map { " (\($0))" } ?? ""
      term("Observed", finding.observed + repetition)
      term("Expected", finding.expected)
      if finding.confidence != .certain { term("Certainty", finding.confidence.rawValue) }
      term("Why it matters", finding.rule.meaning)
      term("How to fix", finding.rule.fix)
      term("Source", finding.rule.source)
      text.string("</dl>\n</section>\n")
    }
    if let omitted = BugReport.omitted(capture) {
      element("p", omitted + ": not shown.", class: "note")
    }
    guard !capture.undecided.isEmpty else { return }
    text.string(
      "<details class=\"undecided\"><summary>Rules that hark could not check completely (")
    text.string("\(Set(capture.undecided.map(\.rule.id)).count))</summary><ul>\n")
    for one in capture.undecided {
      element("li", "[\(one.rule.id)] \(one.rule.title): \(one.reason)")
    }
    text.string("</ul></details>\n")
  }

  private mutating func term(_ name: StaticString, _ value: String) {
    text.string("<dt>\(name)</dt>")
    element("dd", value)
  }

  private mutating func frames(_ frames: [PacketID], _ shown: Set<PacketID>, _ number: Int) {
    guard !frames.isEmpty else { return }
    text.string("<dt>Packets</dt><dd>")
    for frame in frames { link(frame, shown, number) }
    text.string("</dd>")
  }

  private mutating func link(_ frame: PacketID, _ shown: Set<PacketID>, _ number: Int) {
    if shown.contains(frame) {
      text.string("<a href=\"#p\(number)-\(frame.number)\">#\(frame.number)</a> ")
    } else {
      text.string("#\(frame.number) ")
    }
  }

  private mutating func notes(_ capture: ReportedCapture, _ number: Int) {
    guard !capture.notes.isEmpty else { return }
    element("h2", "Notes")
    let shown = Set(capture.evidence)
    for remark in capture.remarks {
      text.string("<section class=\"finding\">\n")
      if !remark.note.text.isEmpty { element("h3", remark.note.text) }
      text.string("<dl>")
      if let event = remark.event { term("Event", event) }
      text.string("<dt>Packets</dt><dd>")
      if remark.note.first == remark.note.last {
        link(remark.note.last, shown, number)
      } else {
        text.string("\(remark.packets) ")
        if shown.contains(remark.note.last) { link(remark.note.last, shown, number) }
      }
      text.string("</dd></dl>\n</section>\n")
    }
  }

  // MARK: Tables and pictures

  mutating func table(_ title: String, _ head: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    let columns = head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    element("h2", title)
    text.string("<div class=\"scroll\"><table class=\"stack\"><thead><tr>")
    for column in columns { element("th", head[column]) }
    text.string("</tr></thead><tbody>\n")
    for row in rows {
      text.string("<tr>")
      // Phones show a cell a line, with its name in front.
      for column in columns { cell(head[column], row[column]) }
      text.string("</tr>\n")
    }
    text.string("</tbody></table></div>\n")
  }

  private mutating func diagrams(_ capture: ReportedCapture) {
    let diagrams = capture.diagrams.filter { !$0.steps.isEmpty }
    guard !diagrams.isEmpty else { return }
    element("h2", "Sequence")
    for diagram in diagrams {
      text.string("<figure>")
      element("figcaption", diagram.title)
      SequenceSVG.wide.write(diagram, to: &text)
      SequenceSVG.narrow.write(diagram, to: &text)
      text.string("</figure>\n")
    }
  }

  private mutating func traffic(_ traffic: Traffic) {
    guard !traffic.isEmpty else { return }
    element("h2", "Throughput and latency")
    text.string("<figure>")
    element("figcaption", BugReportText.throughput(traffic))
    BugReportSVG.throughput(traffic, to: &text)
    text.string("</figure>\n")
    guard traffic.answered > 0 else { return }
    text.string("<figure>")
    element("figcaption", BugReportText.latency(traffic))
    BugReportSVG.latency(traffic, to: &text)
    text.string("</figure>\n")
  }

  // MARK: Timeline and packets

  private mutating func timeline(_ capture: ReportedCapture, _ number: Int) {
    element("h2", "Timeline")
    guard !capture.lines.isEmpty else { return element("p", "The capture has no events.") }
    let overview = TimelineOverview(capture.lines)
    overview.write(capture.lines, capture: number, to: &text)
    // What is longer than a window opens when it is asked for, and scrolls by itself.
    let isLong = capture.lines.count > Self.mostUnfolded
    if isLong {
      text.string("<details class=\"long\"><summary>")
      text.string("\(Names.count(capture.lines.count, "event"))</summary>\n")
    }
    tools(capture.lines)
    text.string("<div class=\"scroll\"><table class=\"timeline\"><thead><tr>")
    for cell in ["Time", "Since start", "Device", "Lane", "Event", "Packets"] {
      element("th", cell)
    }
    text.string("</tr></thead><tbody>\n")
    let shown = Set(capture.evidence)
    for (index, line) in capture.lines.enumerated() {
      row(line, id: overview.targets.contains(index) ? "t\(number)-\(index)" : nil, shown, number)
    }
    text.string("</tbody></table></div>\n")
    if isLong { text.string("</details>\n") }
    if capture.linesLeftOut > 0 {
      element(
        "p",
        "\(Names.count(capture.linesLeftOut, "more line")) of the timeline not shown: "
          + "`hark timeline` shows all of them.", class: "note")
    }
  }

  private mutating func tools(_ lines: [Timeline.Line]) {
    text.string(
      "<form class=\"tools\" role=\"search\"><input type=\"search\" placeholder=\"Search\" ")
    text.string("aria-label=\"Search the timeline\">")
    for lane in Event.Lane.allCases where lines.contains(where: { $0.lane == lane }) {
      text.string("<label><input type=\"checkbox\" checked value=\"\(lane.name)\"> ")
      text.string("\(lane.name)</label>")
    }
    text.string("<output></output></form>\n")
  }

  private mutating func row(
    _ line: Timeline.Line, id: String?, _ shown: Set<PacketID>, _ number: Int
  ) {
    let name: StaticString =
      switch line.severity {
      case .info: ""
      case .warning: "warning"
      case .error: "error"
      }
    text.string("<tr data-lane=\"\(line.lane.name)\" class=\"\(name)\"")
    if let id { text.string(" id=\"\(id)\"") }
    text.text(">")
    element("td", BugReportText.time(line.time))
    element("td", BugReportText.relative(line.relative))
    element("td", line.device)
    text.string("<td><span class=\"lane \(line.lane.name)\">\(line.lane.name)</span></td>")
    element("td", line.text)
    text.string("<td>")
    if line.frames.count > 0, shown.contains(line.frames.last) {
      link(line.frames.last, shown, number)
    } else {
      escaped(Timeline.frames(line.frames))
    }
    text.string("</td></tr>\n")
  }

  private mutating func excerpts(_ capture: ReportedCapture, _ number: Int) {
    guard !capture.excerpts.isEmpty else { return }
    element("h2", "Packets")
    for excerpt in capture.excerpts {
      text.string("<details class=\"packet\" id=\"p\(number)-\(excerpt.packet.number)\">")
      element("summary", "Packet \(excerpt.packet.number)")
      text.text("<pre>")
      escaped(excerpt.text)
      text.text("</pre>")
      text.string("</details>\n")
    }
  }

  private mutating func environment(_ capture: ReportedCapture) {
    element("h2", "The capture")
    text.string("<dl class=\"facts\">")
    term("Name", capture.name)
    for fact in capture.facts {
      element("dt", fact.label)
      element("dd", fact.text)
    }
    text.string("</dl>\n")
    let remarks = capture.limits + capture.damage
    guard !remarks.isEmpty else { return }
    element("h3", "Notes")
    text.string("<ul>")
    for remark in remarks { element("li", remark) }
    text.string("</ul>\n")
  }

  // MARK: Text

  mutating func element(_ tag: StaticString, _ content: String, class name: String? = nil) {
    text.string("<\(tag)" + (name.map { " class=\"\($0)\"" } ?? "") + ">")
    marked(content)
    text.string("</\(tag)>")
  }

  mutating func cell(_ name: String, _ content: String) {
    text.string("<td data-name=\"\(name)\">")
    marked(content)
    text.string("</td>")
  }

  private mutating func marked(_ content: String) {
    // Texts of findings and verdicts put what is to be read letter by letter between backticks.
    let parts = content.split(separator: "`", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() where parts.count % 2 == 1 {
      if index % 2 == 1 { text.text("<code>") }
      escaped(String(part))
      if index % 2 == 1 { text.text("</code>") }
    }
    if parts.count % 2 == 0 { escaped(content) }
  }

  mutating func escaped(_ content: String) { BugReportText.escape(content, to: &text) }
}
