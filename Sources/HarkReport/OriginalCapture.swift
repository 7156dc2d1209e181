import HarkFindings
import HarkPresentation
import HarkSession

/// What was found in a capture with its keys, for the report on a redacted copy of it.
public struct OriginalCapture: Sendable {
  let findings: Findings
  let exchanges: [ReportedCapture.Exchange]
  /// How many messages of which framings can be read, as a fact of the capture has it.
  let messageCounts: String?
  /// Why some messages cannot be read with the keys either, a sentence each.
  let locked: [String]
  /// What its timeline says where keys matter.
  private(set) var wordings = DecryptedSummaries()
  private let rewording: SentenceRewording

  /// Gives a sentence in the words of the copy; nil if that cannot be. The second has words that
  /// belong to no one, such as a sentence of the copy.
  public typealias SentenceRewording = @Sendable (String, String) -> String?

  init(
    findings: Findings, exchanges: [ReportedCapture.Exchange], messageCounts: String?,
    locked: [String], wordings: DecryptedSummaries, rewording: @escaping SentenceRewording
  ) {
    (self.findings, self.exchanges, self.messageCounts) = (findings, exchanges, messageCounts)
    (self.locked, self.wordings, self.rewording) = (locked, wordings, rewording)
  }

  func restate(_ sentence: String) -> String? { rewording(sentence, "") }

  func restate(_ text: FindingText) -> String? { rewording(text.text, text.ownWords) }

  /// Puts what the capture says with its keys into a line of the copy.
  mutating func judge(_ line: inout Timeline.Line, _ event: Event, _ accessory: AccessoryEvent) {
    guard let saying = wordings.next(like: event, accessory) else { return }
    // The copy shows a session only where messages name it outside of what is encrypted.
    let session = restate(saying.session) ?? ""
    if case .message(let message) = accessory.content, saying.isOpened {
      let withheld = TransportedMessage.withheld(
        accessory.direction, size: message.size,
        message.sessionID.isEmpty ? session : message.sessionID)
      line = line.saying(withheld.text, saying.severity)
    } else if case .blank(let blank) = accessory.content, saying.isOpened,
      case .message(let sessionID) = blank.subject
    {
      let withheld = TransportedMessage.withheld(
        accessory.direction, size: blank.size, sessionID.isEmpty ? session : sessionID)
      line = line.saying(withheld.text, saying.severity)
    } else if let text = rewording(saying.text, line.text) {
      line = line.saying(text, saying.severity)
    }
  }

  /// What that fact is called.
  static let messages = "messages"

  /// Adds what keys have to do with the report.
  /// - Parameter unreported: How many findings cannot be reported.
  func remark(unreported: Int, in limits: inout [CaptureReport.Limit]) {
    limits.removeAll { $0.kind == "locked" }
    limits += locked.compactMap(restate).map { ("locked", $0) }
    let opened = exchanges.reduce(0) { $0 + $1.read }
    if opened > 0 {
      limits.append(
        (
          "keys-withheld",
          "The findings use keys that decrypt \(Names.count(opened, "encrypted message")). A redacted report "
            + "does not contain \(opened == 1 ? "its" : "their") content."
        ))
    }
    if unreported > 0 {
      limits.append(
        (
          "findings-withheld",
          "\(Names.count(unreported, "finding")) would reveal something that was removed: "
            + "`hark findings` on the original capture lists everything."
        ))
    }
  }
}
