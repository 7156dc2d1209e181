import HarkSession

struct HardwareError: Rule {
  static let about = RuleDescription(
    id: "link.hardware-error", title: "The controller reports a hardware error",
    severity: .error, needs: .links,
    meaning:
      "The controller failed, and may have lost its links and settings without reporting each of them. The "
      + "code is the manufacturer's own.",
    source: "Core Specification, Vol 4, Part E, 7.7.16 (HCI_Hardware_Error)",
    fix:
      "Look the code up in the documents of the controller's manufacturer; common causes are its firmware, "
      + "its power supply, and lost bytes between host and controller. In the host, reset the controller "
      + "(HCI_Reset), set it up again and reconnect.")
  static let wants: Set<Event.Family> = [.controller]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .controller(.hardwareError(let error)) = event.content else { return }
    report.found(
      event, session, expected: "a controller that works", subject: "\(error.code)")
  }
}
