import HarkCore
import HarkSession

/// What `hark doctor` found, for people and for programs.
public struct DoctorReport: Sendable {
  private let checks: [DoctorCheck]

  public init(_ checks: [DoctorCheck]) { self.checks = checks }

  /// Whether something does not work.
  public var hasErrors: Bool { checks.contains { $0.status == .error } }

  /// - Parameter subject: What was looked at.
  public func write(_ subject: String, style: Style, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.printable(subject) }
    out.byte(0x0A)
    let width = (checks.map(\.name.count).max() ?? 0) + 2
    for check in checks {
      out.text("  ")
      style.write(Self.role(check.status), to: &out) { out in
        Columns.pad(check.status.rawValue, to: 9, into: &out)
      }
      Columns.pad(check.name, to: width, into: &out)
      lines(check.text, indent: 11 + width, style, to: &out)
      guard let fix = check.fix else { continue }
      Columns.pad("", to: 11 + width, into: &out)
      out.text("→ ")
      lines(fix, indent: 13 + width, style, to: &out)
    }
    out.byte(0x0A)
    out.string(summary)
    out.byte(0x0A)
  }

  private var summary: String {
    let errors = count(.error)
    let warnings = count(.warning)
    if errors + warnings == 0 {
      return checks.contains { $0.fix != nil }
        ? "Nothing is wrong; → marks what you can still do." : "Everything is in place."
    }
    return Names.count(errors, "error") + ", " + Names.count(warnings, "warning")
  }

  private func count(_ status: DoctorCheck.Status) -> Int {
    checks.count { $0.status == status }
  }

  private static func role(_ status: DoctorCheck.Status) -> Style.Role? {
    switch status {
    case .ok: nil
    case .info: .faint
    case .warning: .warning
    case .error: .error
    }
  }

  private func lines(
    _ text: String, indent: Int, _ style: Style, to out: inout TextBuffer
  ) {
    let text = Timeline.printable(text)
    let lines = style.width.map { Columns.lines(of: text, width: max(20, $0 - indent)) } ?? [text]
    for (index, line) in lines.enumerated() {
      if index > 0 { Columns.pad("", to: indent, into: &out) }
      out.string(line)
      out.byte(0x0A)
    }
  }

  /// One JSON object.
  public func writeJSON(_ subject: String, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("subject", subject)
      json.objects("checks", checks) { check, json in
        json.string("check", check.name)
        json.string("status", check.status.rawValue)
        json.string("text", check.text)
        if let fix = check.fix { json.string("fix", fix) }
      }
      json.number("errors", UInt64(count(.error)))
      json.number("warnings", UInt64(count(.warning)))
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }
}
