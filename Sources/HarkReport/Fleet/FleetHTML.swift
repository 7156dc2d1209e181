import HarkCore
import HarkPresentation
import HarkSession

// The page over many captures. It runs no script.
extension BugReportHTML {
  public mutating func write(_ report: FleetReport, to out: inout TextBuffer) {
    head(report.name, report.version, style: "\n" + BugReportPage.style)
    text.string("<section class=\"summary\">\n")
    element("p", report.summary)
    text.string("</section>\n")
    for section in report.sections {
      if section.columns.first?.description == "day" { chart(report) }
      table(
        section.title, section.head, section.rows.map { row in row.map { $0 ?? "" } })
      if section.omitted > 0 {
        element("p", "\(Names.count(section.omitted, "more row")) not shown.", class: "note")
      }
    }
    text.string("</main>\n</html>\n")
    out.append(text.bytes)
  }

  /// Captures by day, and above them in another color those with errors.
  private mutating func chart(_ report: FleetReport) {
    guard report.days.count > 1 else { return }
    let most = max(1, report.days.map(\.captures).max() ?? 1)
    let height = 130
    text.string("<figure>")
    element(
      "figcaption",
      "Captures with errors (red) among all, \(report.days[0].day) to "
        + "\(report.days[report.days.count - 1].day); full height is \(Names.count(most))")
    text.string(
      "<svg class=\"plot error\" height=\"\(height)\" role=\"img\" aria-label=\"Captures by day\">\n"
    )
    for (index, day) in report.days.enumerated() {
      for (count, name) in [(day.captures, "received"), (day.errors, "errors")] where count > 0 {
        let tall = max(1, count * (height - 10) / most)
        text.string(
          "<rect class=\"\(name)\" x=\"\(BugReportSVG.percent(index * 5, of: report.days.count * 5))\" "
            + "y=\"\(height - tall)\" width=\"\(BugReportSVG.percent(4, of: report.days.count * 5))\" "
            + "height=\"\(tall)\"/>\n")
      }
    }
    text.string("</svg></figure>\n")
  }
}
