import HarkCore
import HarkPresentation
import HarkSession

/// Where in time each lane has something: marks that lead to the lines of the timeline.
struct TimelineOverview {
  struct Mark {
    /// From 0 to `parts`.
    let part: Int
    /// The first of the worst lines there.
    var line: Int
    var severity: Event.Severity
    var count = 1
  }

  static let parts = 200

  private(set) var lanes: [(lane: Event.Lane, marks: [Mark])] = []
  /// The lines that marks lead to.
  let targets: Set<Int>

  init(_ lines: [Timeline.Line]) {
    // Logs of the app's side begin before captures and end after them.
    // Clocks may be further apart than a number of nanoseconds says.
    let first = Double(lines.lazy.map(\.relative).min() ?? 0)
    let duration = max(1, Double(lines.lazy.map(\.relative).max() ?? 0) - first)
    var targets: Set<Int> = []
    for lane in Event.Lane.allCases {
      var marks: [Int: Mark] = [:]
      for (index, line) in lines.enumerated() where line.lane == lane {
        let part = Int((Double(line.relative) - first) / duration * Double(Self.parts))
        guard var mark = marks[part] else {
          marks[part] = Mark(part: part, line: index, severity: line.severity)
          continue
        }
        mark.count += 1
        if line.severity > mark.severity { (mark.line, mark.severity) = (index, line.severity) }
        marks[part] = mark
      }
      guard !marks.isEmpty else { continue }
      let sorted = marks.values.sorted { $0.part < $1.part }
      targets.formUnion(sorted.map(\.line))
      lanes.append((lane, sorted))
    }
    self.targets = targets
  }

  /// The rules that put marks in their places. Attributes would need a policy that allows any style.
  static let style = (0...parts).map {
    ".overview .p\($0) { left: \(BugReportSVG.percent($0, of: parts)); }\n"
  }
  .joined()

  func write(_ lines: [Timeline.Line], capture number: Int, to out: inout TextBuffer) {
    out.string("<nav class=\"overview\" aria-label=\"Lanes over time\">\n")
    for (lane, marks) in lanes {
      out.string("<div data-lane=\"\(lane.name)\"><span>\(lane.name)</span><p>")
      for mark in marks {
        let name: StaticString =
          switch mark.severity {
          case .info: ""
          case .warning: " warning"
          case .error: " error"
          }
        let line = lines[mark.line]
        out.string("<a href=\"#t\(number)-\(mark.line)\" class=\"p\(mark.part)\(name)\" title=\"")
        var text = "\(BugReportText.relative(line.relative)) \(line.text)"
        if text.count > 120 { text = text.prefix(119) + "…" }
        if mark.count > 1 { text += " (and \(mark.count - 1) more)" }
        BugReportText.escape(text, to: &out)
        out.text("\"></a>")
      }
      out.string("</p></div>\n")
    }
    out.string("</nav>\n")
  }
}
