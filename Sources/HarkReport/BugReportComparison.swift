import HarkCompare
import HarkCore
import HarkPresentation

// How a capture differs from one in which it went well.
extension BugReportHTML {
  static let mostDifferences = 400

  mutating func write(_ comparison: Comparison) {
    element("h2", "Compared with \(comparison.good)")
    element("p", comparison.sentence)
    for device in comparison.devices where !device.differences.isEmpty {
      element("h3", device.name)
      text.string("<div class=\"scroll\"><table class=\"stack differences\"><thead><tr>")
      for cell in ["", "Good capture", "This capture", "Difference"] { element("th", cell) }
      text.string("</tr></thead><tbody>\n")
      for difference in device.differences.prefix(Self.mostDifferences) {
        text.string("<tr class=\"\(difference.kind.rawValue)\">")
        element("td", difference.kind.rawValue)
        step(difference.good, "Good")
        step(difference.bad, "This one")
        cell("Differs", difference.details)
        text.string("</tr>\n")
      }
      text.string("</tbody></table></div>\n")
    }
  }

  private mutating func step(_ step: Step?, _ name: StaticString) {
    text.string("<td data-name=\"\(name)\">")
    if let step {
      escaped(step.text)
      element("span", " \(Timeline.frames(step.frames))", class: "frames")
    }
    text.string("</td>")
  }
}

extension Comparison {
  /// What there is to say about it in a report.
  package var sentence: String {
    var text = summary.prefix(1).uppercased() + summary.dropFirst() + "."
    if let (device, difference) = divergence, let step = difference.bad ?? difference.good {
      text +=
        " The first divergence, with \(device.name), is \(difference.kind.step): \(step.text) "
        + "\(Timeline.frames(step.frames))."
    }
    if count(.slower) > 0 { text += " Slower steps took \(Difference.explanation)." }
    let alone = [(good, onlyGood), (bad, onlyBad)].filter { !$0.1.isEmpty }
    for (name, parties) in alone {
      text += " Only in \(name): \(parties.map(\.label).joined(separator: ", "))."
    }
    return Timeline.printable(text)
  }
}
