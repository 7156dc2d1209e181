import HarkCompare
import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// A report as Markdown, for issues of GitHub, with the headings that BlueZ asks for, and for Feedback
/// Assistant.
public struct BugReportMarkdown {
  private var text = TextBuffer()

  /// An issue holds 65,536 characters; none of UTF-8 has less than a byte.
  static let longest = 65_000
  /// What findings and differences may take of it.
  static let longestDescription = 36_000
  /// And the environment, with that.
  static let longestEnvironment = 56_000
  static let mostLines = 120
  static let mostExcerpts = 6

  public init() {}

  public mutating func write(_ report: BugReport, to out: inout TextBuffer) {
    text.string("# \(MarkdownText.plain(report.title))\n\n")
    let isOnly = report.captures.count == 1
    for capture in report.captures {
      text.string(
        isOnly ? "### Description\n\n" : "### Description: \(MarkdownText.plain(capture.name))\n\n")
      describe(capture)
    }
    // Only the author knows. Readers of the issue do not see a comment.
    text.string(
      "### To reproduce\n\n<!-- List the steps that lead to the problem, and say how often it "
        + "happens. -->\n\n")
    files(report.captures)
    versions(report.captures)
    for capture in report.captures {
      text.string(
        isOnly ? "### Environment\n\n" : "### Environment: \(MarkdownText.plain(capture.name))\n\n")
      environment(capture)
    }
    for capture in report.captures {
      timeline(capture, isOnly ? "Timeline" : "Timeline: \(MarkdownText.plain(capture.name))")
      excerpts(capture, isOnly ? "Packet" : "\(MarkdownText.plain(capture.name)): packet")
    }
    text.string("---\nCreated by hark \(report.version).\n")
    out.append(text.bytes)
  }

  private mutating func describe(_ capture: ReportedCapture) {
    text.string(MarkdownText.plain(BugReport.summary(of: capture).joined(separator: " ")) + "\n\n")
    for (index, finding) in capture.findings.enumerated() {
      guard text.count < Self.longestDescription else {
        text.string(
          "\(Names.count(capture.findings.count - index, "more finding")): the HTML report has "
            + "them.\n\n")
        break
      }
      write(finding)
    }
    if let omitted = BugReport.omitted(capture) { text.string(omitted + ".\n\n") }
    notes(capture)
    if !capture.undecided.isEmpty {
      text.string("hark could not check these rules completely:\n\n")
      for one in capture.undecided.prefix(12) {
        text.string(
          "* `\(one.rule.id)` (\(MarkdownText.plain("\(one.rule.title)): \(one.reason)"))\n")
      }
      text.byte(0x0A)
    }
    if let comparison = capture.comparison { write(comparison) }
  }

  private mutating func notes(_ capture: ReportedCapture) {
    guard !capture.notes.isEmpty else { return }
    text.string("Notes:\n\n")
    for (index, remark) in capture.remarks.enumerated() {
      guard text.count < Self.longestDescription else {
        text.string("* \(Names.count(capture.notes.count - index, "more note"))\n")
        break
      }
      let parts = [remark.note.text, remark.event ?? ""].filter { !$0.isEmpty }
      text.string(
        "* \(remark.packets)\(parts.isEmpty ? "" : ": ")\(MarkdownText.plain(parts.joined(separator: " — ")))\n"
      )
    }
    text.byte(0x0A)
  }

  private mutating func write(_ finding: Finding) {
    let place =
      [finding.place.label, BugReportText.time(finding.place.time)]
      + finding.place.frames.map { "#\($0.number)" }
      + [finding.place.log?.text].compactMap { $0 }
    text.string(
      "#### \(finding.severity.name): \(MarkdownText.plain(finding.rule.title)) (`\(finding.rule.id)`)\n\n"
    )
    text.string(
      "* Where: \(MarkdownText.plain(place.filter { !$0.isEmpty }.joined(separator: ", ")))\n")
    text.string("* Observed: \(MarkdownText.plain(finding.observed))")
    if let repetition = finding.repetition { text.string(" (\(MarkdownText.plain(repetition)))") }
    text.string("\n* Expected: \(MarkdownText.plain(finding.expected))\n")
    if finding.confidence != .certain {
      text.string("* Certainty: \(finding.confidence.rawValue)\n")
    }
    text.string("* Why it matters: \(MarkdownText.plain(finding.rule.meaning))\n")
    text.string("* How to fix: \(MarkdownText.plain(finding.rule.fix))\n")
    text.string("* Source: \(MarkdownText.plain(finding.rule.source))\n\n")
  }

  private mutating func write(_ comparison: Comparison) {
    text.string("#### Compared with \(MarkdownText.plain(comparison.good))\n\n")
    text.string(MarkdownText.plain(comparison.sentence) + "\n\n")
    for device in comparison.devices where !device.differences.isEmpty {
      text.string(
        "\(MarkdownText.plain(device.name)):\n\n| | good capture | this capture | difference |\n")
      text.string("|---|---|---|---|\n")
      for difference in device.differences.prefix(Self.mostLines)
      where text.count < Self.longestDescription {
        let steps = [difference.good, difference.bad].map { step in
          step.map { MarkdownText.plain("\($0.text) \(Timeline.frames($0.frames))") } ?? ""
        }
        text.string(
          "| \(difference.kind.rawValue) | \(steps[0]) | \(steps[1]) | "
            + "\(MarkdownText.plain(difference.details)) |\n")
      }
      text.byte(0x0A)
    }
  }

  /// What belongs to the issue as files.
  private mutating func files(_ captures: [ReportedCapture]) {
    let isBtmon = captures.allSatisfy(\.isMonitor)
    text.string(isBtmon ? "### btmon trace\n\n" : "### Capture\n\n")
    for capture in captures {
      text.string("* \(MarkdownText.plain(capture.name))\n")
    }
    let isOne = captures.count == 1
    text.string(
      captures.allSatisfy(\.isRedacted)
        ? (isOne
          ? "\nThis is a redacted copy, made by `hark redact`."
          : "\nThese are redacted copies, made by `hark redact`.")
          + "\n\n<!-- Attach \(isOne ? "it" : "them"). -->\n\n"
        : "\n<!-- Attach \(isOne ? "it" : "them"). hark redact makes a copy without names, addresses, "
          + "keys and texts. -->\n\n")
  }

  private mutating func versions(_ captures: [ReportedCapture]) {
    text.string("### Versions\n\n")
    if captures.contains(where: \.isMonitor) {
      let bluez = captures.lazy.map(\.versions.bluez).first { !$0.isEmpty } ?? ""
      let kernel = captures.lazy.map(\.versions.kernel).first { !$0.isEmpty } ?? ""
      text.string("* BlueZ version: \(MarkdownText.plain(bluez))\n")
      text.string("* Kernel version: \(MarkdownText.plain(kernel))\n")
    } else {
      text.string("* System and version: <!-- of the phone or computer -->\n")
    }
    var devices: [String] = []
    for device in captures.flatMap(\.devices) {
      let name = ([device.name] + device.addresses.prefix(1)).filter { !$0.isEmpty }
        .joined(separator: ", ")
      if !devices.contains(name) { devices.append(name) }
    }
    let named = devices.prefix(8).joined(separator: "; ")
    text.string("* Problematic device: \(MarkdownText.plain(named))\n\n")
  }

  private mutating func environment(_ capture: ReportedCapture) {
    text.string("| | |\n|---|---|\n")
    row("capture", capture.name)
    for fact in capture.facts { row(fact.label, fact.text) }
    var rest = 0
    for device in capture.devices {
      if text.count > Self.longestEnvironment { rest += 1 } else { self.device(device) }
    }
    for one in capture.exchanges {
      if text.count > Self.longestEnvironment { rest += 1 } else { exchange(one) }
    }
    if rest > 0 {
      row(
        "…",
        "\(Names.count(rest, "more device or session", "more devices and sessions")): see the HTML report"
      )
    }
    text.byte(0x0A)
    for remark in capture.limits + capture.damage {
      text.string("* \(MarkdownText.plain(remark))\n")
    }
    text.byte(0x0A)
  }

  private mutating func device(_ device: ReportedCapture.Device) {
    row("device", ([device.name] + device.addresses).filter { !$0.isEmpty }.joined(separator: ", "))
    for link in device.links { row("link", link) }
  }

  private mutating func exchange(_ one: ReportedCapture.Exchange) {
    row(
      "session",
      "\(one.name) with \(one.device) (\(one.framing)): \(one.read) decrypted, \(one.locked) not decrypted"
        + (one.reason.map { ": \($0)" } ?? ""))
  }

  private mutating func row(_ label: String, _ value: String) {
    text.string("| \(MarkdownText.plain(label)) | \(MarkdownText.plain(value)) |\n")
  }

  // MARK: Blocks

  private mutating func timeline(_ capture: ReportedCapture, _ title: String) {
    let lines = Self.chosen(capture)
    guard !lines.isEmpty else { return }
    block(
      title,
      lines.map { place in
        guard let place else { return "…" }
        let line = capture.lines[place]
        let mark = line.severity > .info ? "!" : " "
        return Timeline.printable(
          "\(mark) \(BugReportText.time(line.time)) \(line.device)  \(line.lane.name)  \(line.text)  "
            + Timeline.frames(line.frames))
      })
  }

  /// The lines around the findings, where there are too many; nil stands for some left out.
  private static func chosen(_ capture: ReportedCapture) -> [Int?] {
    let count = capture.lines.count
    guard count > mostLines else { return Array(0..<count) }
    var wanted: Set<Int> = []
    for finding in capture.findings {
      guard let frame = finding.place.frames.last,
        let place = capture.lines.firstIndex(where: { $0.frames.last >= frame }),
        wanted.count < mostLines
      else { continue }
      wanted.formUnion(max(0, place - 6)...min(count - 1, place + 6))
    }
    if wanted.isEmpty { wanted.formUnion(count - mostLines..<count) }
    var places: [Int?] = []
    for place in wanted.sorted() {
      if (places.last ?? -1) != place - 1 { places.append(nil) }
      places.append(place)
    }
    return places
  }

  private mutating func excerpts(_ capture: ReportedCapture, _ title: String) {
    for excerpt in capture.excerpts.prefix(Self.mostExcerpts) {
      block("\(title) \(excerpt.packet.number)", [excerpt.text])
    }
  }

  /// Leaves a block out where the issue would be too long.
  private mutating func block(_ title: String, _ lines: [String]) {
    let content = MarkdownText.lines(lines.joined(separator: "\n"))
    guard text.count + content.utf8.count + 200 < Self.longest else {
      if text.count < Self.longest - 200 {
        text.string("\(title): too long for an issue; see the HTML report.\n\n")
      }
      return
    }
    // A fence is longer than any run of its characters inside.
    var (longest, run) = (2, 0)
    for byte in content.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    text.string("<details><summary>\(title)</summary>\n\n\(fence)\n\(content)")
    if text.last != 0x0A { text.byte(0x0A) }
    text.string("\(fence)\n</details>\n\n")
  }
}
