import HarkReport
import HarkSession

struct LongWriteRefused: Rule {
  static let about = RuleDescription(
    id: "transport.long-write-refused", title: "A value was longer than the server takes",
    severity: .error, needs: .attributes,
    meaning:
      "The client assumed a larger MTU than was agreed on, or the firmware does not expect the "
      + "prepared writes that the phone makes of a long value: the message is lost.",
    source:
      "Core Specification, Vol 3, Part F, 3.4.1.1 (error codes 0x07, 0x09, 0x0B, 0x0D), 3.4.6 "
      + "(queued writes)",
    fix: "Ask maximumWriteValueLength for each connection and cut messages to it, or handle "
      + "ATT_PREPARE_WRITE_REQ and ATT_EXECUTE_WRITE_REQ on the characteristic.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attError(let request, let handle, _, let error) = event.content else { return }
    let isTooLong = request == 0x12 && [0x0B, 0x0D].contains(error)
    // Security errors have their own rules.
    let isRefused =
      [0x16, 0x18].contains(request) && ![0x05, 0x08, 0x0C, 0x0F].contains(error)
    guard isTooLong || isRefused else { return }
    let mtu = session.link(event)?.mtu
    report.found(
      event, session,
      expected: mtu.map { "a value of up to \(Int($0) - 3) bytes, or queued writes that are taken" }
        ?? "queued writes that are taken", subject: "\(handle)")
  }
}
