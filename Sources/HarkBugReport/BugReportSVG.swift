import HarkCore
import HarkReport

/// Pictures of a report, drawn into the page. Colours come from its style sheet.
enum BugReportSVG {
  // MARK: Sequence

  private static let width = 900
  private static let host = 150
  private static let device = 750
  private static let step = 42
  /// So many characters fit between the lines of life.
  private static let characters = 88

  static func write(_ diagram: SequenceDiagram, to out: inout TextBuffer) {
    let height = 56 + diagram.steps.count * step
    begin(height, "Messages between this host and \(diagram.device)", to: &out)
    label("this host", at: host, 22, class: "party", to: &out)
    label(diagram.device, at: device, 22, class: "party", to: &out)
    for x in [host, device] {
      out.string("<line class=\"life\" x1=\"\(x)\" y1=\"34\" x2=\"\(x)\" y2=\"\(height - 8)\"/>\n")
    }
    for (index, one) in diagram.steps.enumerated() {
      write(one, at: 64 + index * step, to: &out)
    }
    out.string("</svg>\n")
  }

  private static func write(
    _ one: SequenceDiagram.Step, at y: Int, to out: inout TextBuffer
  ) {
    let severity: StaticString =
      switch one.severity {
      case .info: ""
      case .warning: " warning"
      case .error: " error"
      }
    out.string("<g class=\"step\(severity)\(one.isMarked ? " marked" : "")\"><title>")
    BugReportText.escape("\(one.text)  \(one.frames)", to: &out)
    out.string("</title>")
    if one.isMarked {
      out.string(
        "<rect x=\"4\" y=\"\(y - 26)\" width=\"\(width - 8)\" height=\"\(step - 6)\" rx=\"6\"/>")
    }
    label(BugReportText.relative(one.relative), at: 12, y + 4, class: "time", to: &out)
    label(cut(one.text), at: (host + device) / 2, y - 8, class: "text", to: &out)
    let (from, to) =
      switch one.direction {
      case .toHost: (device, host)
      case .toDevice, .unknown: (host, device)
      }
    out.string("<line class=\"arrow\" x1=\"\(from)\" y1=\"\(y)\" x2=\"\(to)\" y2=\"\(y)\"/>")
    if one.direction != .unknown {
      let back = to > from ? -9 : 9
      out.string("<path d=\"M\(to) \(y)l\(back) -5v10z\"/>")
    }
    label(one.frames, at: device + 14, y + 4, class: "frames", to: &out)
    out.string("</g>\n")
  }

  private static func cut(_ text: String) -> String {
    text.count <= characters ? text : text.prefix(characters - 1) + "…"
  }

  // MARK: Plots

  private static let plotHeight = 130

  /// Bytes a second: what is sent upwards, what is received downwards.
  static func throughput(_ traffic: Traffic, to out: inout TextBuffer) {
    begin(plotHeight, "Data sent and received over time", to: &out)
    let most = max(1, (traffic.sent + traffic.received).max() ?? 1)
    let middle = plotHeight / 2
    for (amounts, isSent) in [(traffic.sent, true), (traffic.received, false)] {
      var path = ""
      for (index, amount) in amounts.enumerated() where amount > 0 {
        let x = index * width / Traffic.parts
        let height = max(1, Int(amount * UInt64(middle - 14) / most))
        let next = max(x + 2, (index + 1) * width / Traffic.parts) - 1
        path += "M\(x) \(middle)v\(isSent ? -height : height)H\(next)V\(middle)z"
      }
      out.string("<path class=\"\(isSent ? "sent" : "received")\" d=\"\(path)\"/>")
    }
    out.string("<line class=\"life\" x1=\"0\" y1=\"\(middle)\" x2=\"\(width)\" y2=\"\(middle)\"/>")
    let rate = Double(most) / max(0.000_001, Double(traffic.duration) / 1e9 / Double(Traffic.parts))
    let peak = Names.size(Int64(min(rate, 1e15)))
    label("sent, up to \(peak)/s", at: 4, 12, class: "axis", to: &out)
    label("received", at: 4, plotHeight - 4, class: "axis", to: &out)
    out.string("</svg>\n")
  }

  /// How many requests were answered how fast.
  static func latency(_ traffic: Traffic, to out: inout TextBuffer) {
    begin(plotHeight, "Time from requests to their answers", to: &out)
    let most = max(1, traffic.answers.max() ?? 1)
    let column = width / Traffic.limits.count
    for (index, count) in traffic.answers.enumerated() {
      let height = count == 0 ? 0 : max(1, count * (plotHeight - 44) / most)
      let x = index * column + 6
      let y = plotHeight - 20 - height
      out.string(
        "<rect class=\"received\" x=\"\(x)\" y=\"\(y)\" width=\"\(column - 12)\" height=\"\(height)\"/>"
      )
      if count > 0 { label("\(count)", at: x + column / 2 - 6, y - 4, class: "count", to: &out) }
      let limit = Traffic.limits[index]
      let name = limit == .max ? "more" : "≤ \(Names.duration(limit))"
      label(name, at: x + column / 2 - 6, plotHeight - 5, class: "count", to: &out)
    }
    out.string("</svg>\n")
  }

  // MARK: Parts

  private static func begin(_ height: Int, _ name: String, to out: inout TextBuffer) {
    out.string("<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"")
    BugReportText.escape(name, to: &out)
    out.string("\">\n")
  }

  private static func label(
    _ text: String, at x: Int, _ y: Int, class name: StaticString, to out: inout TextBuffer
  ) {
    out.string("<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">")
    BugReportText.escape(text, to: &out)
    out.string("</text>")
  }
}
