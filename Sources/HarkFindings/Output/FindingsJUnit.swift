import HarkCapture
import HarkCore
import HarkPresentation
import HarkSession

/// Findings as JUnit's XML, which continuous integration shows: a suite for each capture, a test case
/// for each rule. A rule that found something at or above `failing` fails; one that found nothing and
/// had nothing to judge, or could not judge everything, is skipped.
public struct FindingsJUnit: FindingsWriter {
  private let failing: Finding.Severity

  public init(failing: Finding.Severity = .warning) { self.failing = failing }

  public mutating func begin(to out: inout TextBuffer) {
    out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
  }

  public mutating func write(
    _ name: String, _ findings: Findings, _ session: borrowing Session, _ end: CaptureEnd,
    to out: inout TextBuffer
  ) {
    let start = session.counts.firstTime
    let sorted = findings.sorted
    let notJudged = findings.notJudged
    var (failures, skipped) = (0, 0)
    var cases = TextBuffer()
    for rule in findings.descriptions {
      let mine = sorted.filter { $0.rule.id == rule.id }
      let failed = mine.filter { $0.severity >= failing }
      let open = findings.undecided.filter { $0.rule.id == rule.id }
      cases.string(
        "    <testcase classname=\"hark.\(findings.areOfExpectations ? "expect" : "findings")\" name="
      )
      Self.attribute(rule.id, to: &cases)
      cases.text(">\n")
      if let first = failed.first {
        failures += 1
        cases.text("      <failure type=")
        Self.attribute(first.severity.name, to: &cases)
        cases.text(" message=")
        Self.attribute(rule.title, to: &cases)
        cases.text(">")
        Self.text(failed.map { Self.reported($0, start) }.joined(separator: "\n"), to: &cases)
        cases.text("</failure>\n")
      } else if mine.isEmpty,
        let reason = open.first.map({ "cannot tell: \($0.reason)" })
          ?? notJudged.first(where: { $0.rule.id == rule.id })?.reason
      {
        skipped += 1
        cases.text("      <skipped message=")
        Self.attribute(reason, to: &cases)
        cases.text("/>\n")
      }
      let others = mine.filter { $0.severity < failing }
      if !others.isEmpty {
        cases.text("      <system-out>")
        Self.text(others.map { Self.reported($0, start) }.joined(separator: "\n"), to: &cases)
        cases.text("</system-out>\n")
      }
      cases.text("    </testcase>\n")
    }
    out.text("  <testsuite name=")
    Self.attribute(name, to: &out)
    out.string(
      " tests=\"\(findings.descriptions.count)\" failures=\"\(failures)\" errors=\"0\""
        + " skipped=\"\(skipped)\">\n")
    if let problem = end.problem {
      out.text("    <properties><property name=\"capture\" value=")
      Self.attribute(problem, to: &out)
      out.text("/></properties>\n")
    }
    out.append(cases.bytes)
    if let gone = findings.difference?.gone, !gone.isEmpty {
      out.text("    <system-out>")
      Self.text(gone.map(\.reported).joined(separator: "\n"), to: &out)
      out.text("</system-out>\n")
    }
    if let problem = end.problem {
      out.text("    <system-err>")
      Self.text("\(name): \(problem)", to: &out)
      out.text("</system-err>\n")
    }
    out.text("  </testsuite>\n")
  }

  public mutating func write(
    _ name: String, unopened problem: String, to out: inout TextBuffer
  ) {
    out.text("  <testsuite name=")
    Self.attribute(name, to: &out)
    out.text(" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n")
    out.text("    <testcase classname=\"hark.findings\" name=\"capture\">\n")
    out.text("      <error type=\"capture\" message=")
    Self.attribute(problem, to: &out)
    out.text("/>\n    </testcase>\n  </testsuite>\n")
  }

  public mutating func finish(to out: inout TextBuffer) { out.text("</testsuites>\n") }

  private static func reported(_ finding: Finding, _ start: Timestamp?) -> String {
    "\(FindingsText.place(finding.place, since: start)): \(finding.observed)"
      + (finding.repetition.map { " (\($0))" } ?? "")
      + "; expected: \(finding.expected)\n\(finding.rule.fix)"
  }

  private static func attribute(_ value: String, to out: inout TextBuffer) {
    out.byte(UInt8(ascii: "\""))
    text(value, to: &out)
    out.byte(UInt8(ascii: "\""))
  }

  /// Characters that XML 1.0, 2.2, does not have are replaced, and those that could disguise text escaped.
  private static func text(_ value: String, to out: inout TextBuffer) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": out.text("&amp;")
      case "<": out.text("&lt;")
      case ">": out.text("&gt;")
      case "\"": out.text("&quot;")
      case "\n", "\t": out.byte(UInt8(truncatingIfNeeded: scalar.value))
      default:
        let isCharacter = scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value)
        out.printable(String(isCharacter ? scalar : "\u{FFFD}"))
      }
    }
  }
}
