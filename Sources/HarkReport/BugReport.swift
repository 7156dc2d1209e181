import HarkFindings
import HarkPresentation
import HarkSession

/// A report of what went wrong, for somebody who was not there: one file.
public struct BugReport: Sendable {
  let title: String
  let version: String
  let captures: [ReportedCapture]

  /// - Parameter title: Nil for one made of what was found.
  public init(title: String?, version: String, _ captures: [ReportedCapture]) {
    (self.version, self.captures) = (version, captures)
    self.title = title.map(Timeline.printable) ?? Self.title(of: captures)
  }

  private static func title(of captures: [ReportedCapture]) -> String {
    let worst = captures.flatMap(\.findings).max { $0.severity < $1.severity }
    if let worst, worst.severity > .info {
      let device = worst.place.label
      return worst.rule.title + (device.isEmpty ? "" : ": \(Timeline.printable(device))")
    }
    let files = captures.map { String($0.name.split(separator: "/").last ?? "") }
    return "Events in \(files.joined(separator: ", "))"
  }

  /// Findings too frequent to be listed each time; nil if there are none.
  static func omitted(_ capture: ReportedCapture) -> String? {
    capture.findingsOmitted > 0
      ? "\(Names.count(capture.findingsOmitted, "more finding")) of the same rules" : nil
  }

  /// A few sentences of what the captures show.
  static func summary(of capture: ReportedCapture) -> [String] {
    var sentences = ["The capture has \(Names.count(capture.packets, "packet"))."]
    let counted = Finding.Severity.allCases.reversed().compactMap { severity in
      let count = capture.count(severity)
      return count > 0 ? severity.counted(count) : nil
    }
    let omitted = omitted(capture).map { [$0] } ?? []
    if let worst = capture.findings.first, worst.severity > .info {
      sentences.append("Found: \((counted + omitted).joined(separator: ", ")).")
      sentences.append("Most severe: \(worst.rule.title.lowercasedFirst): \(worst.observed).")
      sentences.append(worst.rule.fix)
    } else {
      sentences.append(
        counted.isEmpty
          ? capture.hasNothingToCheck
            ? "It has nothing that hark's rules check." : "No rule found anything wrong."
          : "No errors; \((counted + omitted).joined(separator: ", ")).")
    }
    let (read, locked) = capture.exchanges.reduce((0, 0)) { ($0.0 + $1.read, $0.1 + $1.locked) }
    if read + locked > 0 {
      sentences.append(
        "hark decrypted \(read) of \(Names.count(read + locked, "sealed message"))"
          + (locked > 0 ? "; \(locked) stayed locked." : "."))
    }
    if !capture.damage.isEmpty { sentences.append("The capture is damaged or truncated.") }
    if !capture.undecided.isEmpty {
      sentences.append(
        "This capture cannot answer \(Names.count(capture.undecided.count, "question")).")
    }
    return sentences.map(Timeline.printable)
  }
}

extension String {
  /// As it stands inside a sentence; abbreviations keep their capitals.
  var lowercasedFirst: String {
    guard let second = dropFirst().first, second.isLowercase || second == " " else { return self }
    return prefix(1).lowercased() + dropFirst()
  }
}
