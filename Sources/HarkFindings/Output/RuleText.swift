import HarkCore
import HarkPresentation

/// What rules say about themselves, for people and for programs.
public struct RuleText: Sendable {
  private let style: Style

  public init(style: Style = .plain) { self.style = style }

  /// A line for each: id, severity, title.
  public func list(_ rules: [RuleDescription], to out: inout TextBuffer) {
    let width = rules.map { Columns.of($0.id) }.max() ?? 0
    for rule in rules {
      Columns.pad(rule.id, to: width + 2, into: &out)
      Columns.pad(rule.severity.name, to: 9, into: &out)
      out.string(rule.title)
      out.byte(0x0A)
    }
  }

  public func explain(_ rule: RuleDescription, to out: inout TextBuffer) {
    style.write(.strong, to: &out) { $0.string(rule.title) }
    out.string("\n\n")
    let parts = [
      ("rule", rule.id), ("severity", rule.severity.name), ("why", rule.meaning),
      ("fix", rule.fix), ("source", rule.source),
    ]
    for (label, text) in parts {
      Columns.pad(label, to: 10, into: &out)
      let lines = style.width.map { Columns.lines(of: text, width: max(20, $0 - 10)) } ?? [text]
      for (index, line) in lines.enumerated() {
        if index > 0 { Columns.pad("", to: 10, into: &out) }
        out.string(line)
        out.byte(0x0A)
      }
    }
  }

  public static func json(_ rule: RuleDescription, to out: inout TextBuffer) {
    var json = JSONText()
    json.object { json in
      json.string("rule", rule.id)
      json.string("title", rule.title)
      json.string("severity", rule.severity.name)
      json.string("meaning", rule.meaning)
      json.string("fix", rule.fix)
      json.string("source", rule.source)
    }
    out.append(json.text.bytes)
    out.byte(0x0A)
  }
}
