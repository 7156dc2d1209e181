import HarkCore
import HarkPresentation

/// A sequence diagram, drawn for one width. A page has two: the one that fits is shown.
struct SequenceSVG {
  /// In the units of the drawing, which are pixels where there is as much room.
  private let width: Int
  private let host: Int
  private let device: Int
  /// So many characters of a text fit between the lines of life.
  private let characters: Int
  private let mostLines: Int
  /// Whether times and packets stand beside the lines of life, or below the arrows.
  private let isWide: Bool
  private let name: StaticString

  /// For windows and paper.
  static let wide = SequenceSVG(
    width: 1000, host: 90, device: 870, characters: 104, mostLines: 2, isWide: true, name: "wide")
  /// For phones.
  static let narrow = SequenceSVG(
    width: 360, host: 10, device: 350, characters: 44, mostLines: 4, isWide: false, name: "narrow")

  private static let line = 16

  func write(_ diagram: SequenceDiagram, to out: inout TextBuffer) {
    let texts = diagram.steps.map { lines($0.text) }
    let height = 44 + texts.reduce(0) { $0 + self.height($1) }
    BugReportSVG.begin(
      width, height, "Messages between this host and \(diagram.device)", class: name, to: &out)
    BugReportSVG.label("this host", at: host, 20, class: "party from", to: &out)
    BugReportSVG.label(diagram.device, at: device, 20, class: "party to", to: &out)
    for x in [host, device] {
      out.string("<line class=\"life\" x1=\"\(x)\" y1=\"30\" x2=\"\(x)\" y2=\"\(height - 6)\"/>\n")
    }
    var y = 36
    for (one, lines) in zip(diagram.steps, texts) {
      write(one, lines, at: y, to: &out)
      y += self.height(lines)
    }
    out.string("</svg>\n")
  }

  private func height(_ lines: [String]) -> Int {
    lines.count * Self.line + (isWide ? 22 : 36)
  }

  /// - Parameter top: Where the room of the step begins.
  private func write(
    _ one: SequenceDiagram.Step, _ lines: [String], at top: Int, to out: inout TextBuffer
  ) {
    let severity: StaticString =
      switch one.severity {
      case .info: ""
      case .warning: " warning"
      case .error: " error"
      }
    out.string("<g class=\"step\(severity)\(one.isMarked ? " marked" : "")\"><title>")
    BugReportText.escape("\(one.text)  \(Timeline.frames(one.frames))", to: &out)
    out.string("</title>")
    if one.isMarked {
      out.string(
        "<rect x=\"3\" y=\"\(top)\" width=\"\(width - 6)\" height=\"\(height(lines) - 2)\" rx=\"6\"/>"
      )
    }
    var y = top
    for line in lines {
      y += Self.line
      BugReportSVG.label(line, at: (host + device) / 2, y, class: "text", to: &out)
    }
    y += 9
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
    let below = isWide ? y + 4 : y + 15
    BugReportSVG.label(
      BugReportText.relative(one.relative), at: isWide ? 10 : host + 6, below, class: "time",
      to: &out)
    BugReportSVG.label(
      BugReportText.frames(one.frames), at: isWide ? device + 12 : device - 6, below,
      class: isWide ? "frames" : "frames end", to: &out)
    out.string("</g>\n")
  }

  /// A text in lines that fit; what is more than there is room for is cut.
  private func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      let part = rest.prefix(characters)
      guard part.endIndex < rest.endIndex else {
        lines.append(String(rest))
        break
      }
      guard lines.count + 1 < mostLines else {
        lines.append(String(part.dropLast()) + "…")
        break
      }
      // Words stay whole, except those that fill a line alone.
      let blank = part.lastIndex(of: " ").flatMap { $0 > part.startIndex ? $0 : nil }
      lines.append(String(rest[..<(blank ?? part.endIndex)]))
      rest = rest[(blank ?? part.endIndex)...]
      if rest.first == " " { rest = rest.dropFirst() }
    }
    return lines
  }
}
