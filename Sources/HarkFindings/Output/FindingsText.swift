import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Findings for people: by severity, a block for each.
public struct FindingsText: FindingsWriter {
  private let style: Style
  private var captures = 0

  public init(style: Style = .plain) { self.style = style }

  /// How many things that could not be judged are reported; JSON has all.
  static let mostUndecided = 12

  public mutating func write(
    _ name: String, _ findings: Findings, _ session: borrowing Session, _ end: CaptureEnd,
    to out: inout TextBuffer
  ) {
    if captures > 0 { out.byte(0x0A) }
    captures += 1
    let start = session.counts.firstTime
    style.write(.strong, to: &out) { $0.printable(name) }
    out.string(": \(findings.summary)\n")
    if let problem = end.problem {
      style.write(.error, to: &out) { paragraph(problem, indent: 0, to: &$0) }
    }
    let sorted = findings.sorted
    for severity in Finding.Severity.allCases.reversed() {
      let some = sorted.filter { $0.severity == severity }
      guard !some.isEmpty else { continue }
      out.byte(0x0A)
      style.write(.title, to: &out) { $0.string("\(severity.noun)s".uppercased()) }
      out.byte(0x0A)
      for finding in some { write(finding, since: start, to: &out) }
    }
    if findings.omitted > 0 {
      out.string("\n\(Names.count(findings.omitted, "more finding")) of the same rules not shown\n")
    }
    if let difference = findings.difference { write(difference, to: &out) }
    write(findings.undecided, to: &out)
    out.byte(0x0A)
    paragraph(closing(findings, session), indent: 0, to: &out)
  }

  private func write(_ difference: FindingsBaseline.Difference, to out: inout TextBuffer) {
    if difference.isOfNewCapture { out.text("\nThe baseline does not have this capture.\n") }
    if difference.accepted > 0 {
      out.string("\n\(Names.count(difference.accepted, "finding")) of the baseline not shown\n")
    }
    for subject in difference.gone {
      if subject == difference.gone.first { out.byte(0x0A) }
      out.printable(subject.reported)
      out.byte(0x0A)
    }
  }

  private func closing(_ findings: Findings, _ session: borrowing Session) -> String {
    let noun = findings.areOfExpectations ? "expectation" : "rule"
    let packets = session.packets.count
    var text = "\(Names.count(findings.descriptions.count, noun)) applied"
    // Files of an app have none.
    if packets > 0 { text += " to \(Names.count(packets, "packet"))" }
    if !findings.framings.isEmpty {
      text += " with messages of \(Names.list(findings.framings.sorted(), "and"))"
    }
    text += "."
    let notJudged = findings.notJudged
    let (hidden, idle) = (notJudged.count(where: \.isHidden), notJudged.count { !$0.isHidden })
    if idle > 0 {
      let absent = findings.absent
      text += " \(Names.count(idle)) had nothing to check"
      text += absent.isEmpty ? "." : "; the capture has no \(Names.list(absent, "or"))."
    }
    if hidden > 0 { text += " \(Names.count(hidden)) could check only a part." }
    let truncated = findings.coverage.truncated
    if truncated > 0 {
      text +=
        " \(Names.count(truncated, "data packet was", "data packets were")) truncated by the recorder: "
        + "mistakes in the missing bytes cannot be found."
    }
    let early = session.links.count(where: \.wasOpenBefore)
    if early > 0 {
      text += " \(Names.count(early, "link was", "links were")) open before the capture began."
    }
    let locked = findings.lockedLinks
    if locked > 0 {
      text += " \(Names.count(locked, "link was", "links were")) encrypted and not decrypted."
    }
    return text
  }

  private func write(
    _ finding: Finding, since start: Timestamp?, to out: inout TextBuffer
  ) {
    out.byte(0x0A)
    let role: Style.Role =
      switch finding.severity {
      case .error: .error
      case .warning: .warning
      case .info: .strong
      }
    // A file of expectations has their names, and may have control characters.
    style.write(role, to: &out) { $0.printable(finding.rule.title) }
    out.text("  ")
    style.write(.faint, to: &out) { $0.string("[\(finding.rule.id)]") }
    out.byte(0x0A)
    let place = Self.place(finding.place, since: start)
    if !place.isEmpty { line("where", place, to: &out) }
    let repetition = finding.repetition.map { " (\($0))" } ?? ""
    line("observed", finding.observed + repetition, to: &out)
    line("expected", finding.expected, to: &out)
    if finding.confidence != .certain { line("certainty", finding.confidence.rawValue, to: &out) }
    // What somebody expects has no reasons here.
    if finding.rule.id.hasPrefix(Expectation.prefix) { return }
    line("why", finding.rule.meaning, to: &out)
    line("fix", finding.rule.fix, to: &out)
    line("source", finding.rule.source, to: &out)
  }

  /// `Acme Watch, 14:02:06.891 (+6.890), #154, #160`; where a log shows it, `…, journal.ndjson:3`.
  static func place(_ place: Place, since start: Timestamp?) -> String {
    let evidence = place.frames.map { "#\($0.number)" } + [place.log?.text].compactMap { $0 }
    // What an app declares happens at no time.
    if place.frames.isEmpty, place.time == Timestamp(nanoseconds: 0) {
      return ([place.label].filter { !$0.isEmpty } + evidence).joined(separator: ", ")
    }
    var time = TextBuffer()
    time.timeOfDay(place.time)
    time.cut(to: min(time.count, 12))
    if let start {
      time.text(" (")
      if place.time >= start { time.byte(UInt8(ascii: "+")) }
      time.seconds(place.time.since(start), decimals: 3)
      time.text(")")
    }
    return ([place.label].filter { !$0.isEmpty } + [time.string] + evidence)
      .joined(separator: ", ")
  }

  private func write(_ undecided: [Undecided], to out: inout TextBuffer) {
    guard !undecided.isEmpty else { return }
    out.byte(0x0A)
    style.write(.title, to: &out) { $0.text("CANNOT TELL") }
    out.text("\n\n")
    let groups = Self.byCause(undecided)
    for group in groups.prefix(Self.mostUndecided) {
      guard let first = group.first else { continue }
      let label = first.place.label.isEmpty ? "" : "\(first.place.label): "
      paragraph("\(label)\(first.reason)", indent: 2, to: &out)
      for one in group {
        let title = Timeline.printable(one.rule.title)
        paragraph("[\(one.rule.id)] \(title)\(Self.evidence(one))", indent: 4, to: &out)
      }
    }
    let left = groups.dropFirst(Self.mostUndecided).reduce(0) { $0 + $1.count }
    if left > 0 { out.string("  and \(left) more\n") }
  }

  /// What one cause hides of one device together, in the order of the first of each.
  private static func byCause(_ undecided: [Undecided]) -> [[Undecided]] {
    var groups: [[Undecided]] = []
    var places: [String: Int] = [:]
    for one in undecided {
      let key = "\(one.place.label)\n\(one.reason)"
      if let place = places[key] {
        if let same = groups[place].firstIndex(where: { $0.rule.id == one.rule.id }) {
          groups[place][same].occurrences += one.occurrences
        } else {
          groups[place].append(one)
        }
      } else {
        places[key] = groups.count
        groups.append([one])
      }
    }
    return groups
  }

  /// ` (#12), 3 times`
  private static func evidence(_ one: Undecided) -> String {
    let shown = one.place.log?.text ?? one.place.frames.first.map { "#\($0.number)" }
    return (shown.map { " (\($0))" } ?? "")
      + (one.occurrences == 1 ? "" : ", \(Names.count(one.occurrences)) times")
  }

  private func line(_ label: StaticString, _ text: String, to out: inout TextBuffer) {
    out.text("  ")
    let start = out.count
    style.write(.faint, label, to: &out)
    let used = style.isColored ? 8 : 0
    out.pad(to: 10 + used, from: start)
    paragraph(text, indent: 12, isBegun: true, to: &out)
  }

  private func paragraph(
    _ text: String, indent: Int, isBegun: Bool = false, to out: inout TextBuffer
  ) {
    let text = Timeline.printable(text)
    let lines = style.width.map { Columns.lines(of: text, width: max(20, $0 - indent)) } ?? [text]
    for (index, line) in lines.enumerated() {
      if index > 0 || !isBegun { for _ in 0..<indent { out.byte(0x20) } }
      out.string(line)
      out.byte(0x0A)
    }
  }
}
