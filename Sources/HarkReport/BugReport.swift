import HarkCore
import HarkFindings
import HarkPresentation
import HarkSession

/// A report of what went wrong, for somebody who was not there: one file.
public struct BugReport: Sendable {
  let title: String
  /// Whether somebody chose the title.
  let hasOwnTitle: Bool
  let version: String
  let captures: [ReportedCapture]

  /// - Parameter title: Nil for one made of what was found.
  public init(title: String?, version: String, _ captures: [ReportedCapture]) {
    (self.version, self.captures, hasOwnTitle) = (version, captures, title != nil)
    self.title = title.map(Timeline.printable) ?? Self.title(of: captures)
  }

  private static func title(of captures: [ReportedCapture]) -> String {
    let worst = captures.flatMap(\.findings).max { $0.severity < $1.severity }
    if let worst, worst.severity > .info {
      let device = worst.place.label
      return worst.rule.title + (device.isEmpty ? "" : ": \(Timeline.printable(device))")
    }
    let files = captures.map(\.name.fileName)
    return "Events in \(files.joined(separator: ", "))"
  }

  /// Findings too frequent to be listed each time; nil if there are none.
  static func omitted(_ capture: ReportedCapture) -> String? {
    capture.findingsOmitted > 0
      ? "\(Names.count(capture.findingsOmitted, "more finding")) of the same rules" : nil
  }

  /// A few sentences of what the captures show.
  static func summary(of capture: ReportedCapture) -> [String] {
    var sentences: [String] = []
    let packets = Names.count(capture.packets, "packet")
    let counted = Finding.Severity.allCases.reversed().compactMap { severity in
      let count = capture.count(severity)
      return count > 0 ? severity.counted(count) : nil
    }
    let counts = Names.list(counted + (omitted(capture).map { [$0] } ?? []), "and")
    if let worst = capture.findings.first, worst.severity > .info {
      let what = worst.rule.title.lowercasedFirst + evidence(of: worst)
      sentences +=
        capture.findings.count == 1
        ? ["hark found \(counts) in \(packets): \(what)."]
        : ["hark found \(counts) in \(packets).", "The most serious: \(what)."]
      sentences.append("Suggested fix: \(worst.rule.fix)")
    } else if counted.isEmpty {
      sentences = [
        "The capture has \(packets).",
        capture.hasNothingToCheck
          ? "It has nothing that hark's rules check." : "No rule found anything wrong.",
      ]
    } else {
      sentences.append("hark found no errors or warnings in \(packets), only \(counts).")
    }
    let (read, locked) = capture.exchanges.reduce((0, 0)) { ($0.0 + $1.read, $0.1 + $1.locked) }
    if read + locked > 0 {
      sentences.append(
        "hark decrypted \(read) of \(Names.count(read + locked, "encrypted message")).")
    }
    if !capture.damage.isEmpty { sentences.append("The capture is damaged or truncated.") }
    if !capture.undecided.isEmpty {
      let rules = Set(capture.undecided.map(\.rule.id)).count
      sentences.append("hark could not check \(Names.count(rules, "rule")) completely.")
    }
    return sentences.map(Timeline.printable)
  }

  /// ` (#154, #160)`; empty if no packet shows it.
  private static func evidence(of finding: Finding) -> String {
    let packets = finding.place.frames.prefix(3).map { "#\($0.number)" }
    return packets.isEmpty ? "" : " (\(packets.joined(separator: ", ")))"
  }
}

extension String {
  /// As it stands inside a sentence; abbreviations keep their capitals.
  var lowercasedFirst: String {
    // Names such as CoreBluetooth and iAP2 stay as they are.
    let rest = prefix { $0 != " " }.dropFirst()
    guard rest.allSatisfy({ !$0.isUppercase && !$0.isNumber }) else { return self }
    return prefix(1).lowercased() + dropFirst()
  }
}
