import HarkSession

struct BufferOverflow: Rule {
  static let about = RuleDescription(
    id: "link.buffer-overflow", title: "The host overflowed its controller's buffers",
    severity: .error, needs: .links,
    meaning:
      "The controller drops data that does not fit into its buffers: parts of messages are "
      + "missing, and nothing on the link shows it.",
    source:
      "Core Specification, Vol 4, Part E, 4.1.1 (host to controller data flow control), 7.7.26 "
      + "(Data Buffer Overflow)",
    fix:
      "Count the buffers reported by HCI_Read_Buffer_Size or HCI_LE_Read_Buffer_Size, use one for "
      + "each packet sent, and release it only with Number Of Completed Packets."
  )
  static let wants: Set<Event.Family> = [.controller]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    let expected: FindingText = "no more packets than the controller has buffers"
    switch event.content {
    case .controller(.bufferOverflow(let overflow)):
      report.found(event, session, expected: expected, subject: "\(overflow.linkType)")
    // Another rule reports commands. A controller may take more than it says.
    case .controller(.buffersExceeded(let exceeded)) where !exceeded.isWriteCommand:
      report.found(
        event, session, expected: expected, severity: .warning, confidence: .likely,
        subject: "credits")
    default: break
    }
  }
}
