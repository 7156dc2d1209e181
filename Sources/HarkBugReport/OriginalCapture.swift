import HarkFindings
import HarkReport

/// What was found in a capture with its keys, for the report on a redacted copy of it.
public struct OriginalCapture: Sendable {
  let findings: Findings
  let exchanges: [ReportedCapture.Exchange]
  /// How many messages of which framings can be read, as a fact of the capture has it.
  let messageCounts: String?
  /// Why some messages cannot be read with the keys either, a sentence each.
  let locked: [String]
  /// Gives a sentence in the words of the copy; nil where that cannot be.
  let retell: @Sendable (String) -> String?

  /// What that fact is called.
  static let messages = "messages"

  /// Says what keys have to do with the report.
  /// - Parameter untold: How many findings cannot be told.
  func remark(untold: Int, in limits: inout [CaptureReport.Limit]) {
    limits.removeAll { $0.kind == "locked" }
    limits += locked.compactMap(retell).map { ("locked", $0) }
    let opened = exchanges.reduce(0) { $0 + $1.read }
    if opened > 0 {
      limits.append(
        (
          "keys-withheld",
          "The findings were made with keys that open \(Names.count(opened, "sealed message")). What "
            + "\(opened == 1 ? "it says is" : "they say is") in no redacted report."
        ))
    }
    if untold > 0 {
      limits.append(
        (
          "findings-withheld",
          "\(Names.count(untold, "finding")) cannot be told without something that was removed: "
            + "`hark findings` tells all of the capture itself."
        ))
    }
  }
}
