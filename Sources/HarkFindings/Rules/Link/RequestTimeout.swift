import HarkSession

struct RequestTimeout: Rule {
  static let about = RuleDescription(
    id: "link.request-timeout", title: "An ATT request was never answered",
    severity: .error, needs: .attributes,
    meaning:
      "After 30 s the bearer may not be used any more: nothing over GATT works until the devices "
      + "connect again.",
    source: "Core Specification, Vol 3, Part F, 3.3.3 (transaction timeout)",
    fix:
      "Answer every request, with an error where there is nothing else to say; look what the server did "
      + "when the request came.")

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .requestTimeout(_, let handle) = event.content else { return }
    report.missing(
      Place(event), observed: "no answer to the request within 30 s", expected: "a response",
      confidence: .certain, subject: "\(handle)")
  }
}
