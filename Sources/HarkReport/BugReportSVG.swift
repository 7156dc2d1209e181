import HarkCore
import HarkPresentation
import HarkSession

/// Plots of a report, and what all its pictures share. They are drawn into the page, whose style sheet
/// has the colors. Plots take the width that there is: places are parts of it, letters keep their size.
enum BugReportSVG {
  private static let height = 130
  private static let width = 1000

  /// Bytes a second: what is sent upwards, what is received downwards.
  static func throughput(_ traffic: Traffic, to out: inout TextBuffer) {
    beginPlot("Data sent and received over time", to: &out)
    let most = max(1, (traffic.sent + traffic.received).max() ?? 1)
    let middle = height / 2
    out.string("<svg viewBox=\"0 0 \(width) \(height)\" preserveAspectRatio=\"none\">")
    for (amounts, isSent) in [(traffic.sent, true), (traffic.received, false)] {
      var path = ""
      for (index, amount) in amounts.enumerated() where amount > 0 {
        let x = index * width / Traffic.parts
        let height = max(1, Int(amount * UInt64(middle - 16) / most))
        let next = max(x + 2, (index + 1) * width / Traffic.parts) - 1
        path += "M\(x) \(middle)v\(isSent ? -height : height)H\(next)V\(middle)z"
      }
      out.string("<path class=\"\(isSent ? "sent" : "received")\" d=\"\(path)\"/>")
    }
    out.string("<line class=\"life\" x1=\"0\" y1=\"\(middle)\" x2=\"\(width)\" y2=\"\(middle)\"/>")
    out.string("</svg>")
    let rate = Double(most) / max(0.000_001, Double(traffic.duration) / 1e9 / Double(Traffic.parts))
    let peak = Names.size(Int64(min(rate, 1e15)))
    label("sent; full height is \(peak)/s", at: 6, 13, class: "axis", to: &out)
    label("received", at: 6, height - 5, class: "axis", to: &out)
    out.string("<svg x=\"100%\" overflow=\"visible\">")
    label("+\(Names.duration(traffic.duration))", at: -6, height - 5, class: "axis end", to: &out)
    out.string("</svg></svg>\n")
  }

  /// How many requests were answered how fast.
  static func latency(_ traffic: Traffic, to out: inout TextBuffer) {
    beginPlot("Time from requests to their answers", to: &out)
    let most = max(1, traffic.answers.max() ?? 1)
    let columns = Traffic.limits.count
    for (index, count) in traffic.answers.enumerated() {
      let tall = count == 0 ? 0 : max(1, count * (height - 44) / most)
      let y = height - 20 - tall
      out.string(
        "<rect class=\"received\" x=\"\(percent(index * 5 + 1, of: columns * 5))\" y=\"\(y)\" "
          + "width=\"\(percent(3, of: columns * 5))\" height=\"\(tall)\"/>")
      let middle = percent(index * 2 + 1, of: columns * 2)
      out.string("<svg x=\"\(middle)\" overflow=\"visible\">")
      if count > 0 { label("\(count)", at: 0, y - 4, class: "count", to: &out) }
      label(Traffic.limitNames[index], at: 0, height - 5, class: "count", to: &out)
      out.string("</svg>")
    }
    out.string("</svg>\n")
  }

  // MARK: Parts

  /// `12.5%`
  static func percent(_ part: Int, of whole: Int) -> String {
    let thousandths = part * 100_000 / max(1, whole)
    let rest = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(rest)%"
  }

  private static func beginPlot(_ name: String, to out: inout TextBuffer) {
    out.string("<svg class=\"plot\" height=\"\(height)\" role=\"img\" aria-label=\"")
    BugReportText.escape(name, to: &out)
    out.string("\">\n")
  }

  static func begin(
    _ width: Int, _ height: Int, _ name: String, class kind: StaticString, to out: inout TextBuffer
  ) {
    out.string(
      "<svg class=\"\(kind)\" viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"")
    BugReportText.escape(name, to: &out)
    out.string("\">\n")
  }

  static func label(
    _ text: String, at x: Int, _ y: Int, class name: StaticString, to out: inout TextBuffer
  ) {
    out.string("<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">")
    BugReportText.escape(text, to: &out)
    out.string("</text>")
  }
}
