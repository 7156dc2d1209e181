import HarkDissection
import HarkSession

struct RequestTimeout: Rule {
  static let about = RuleDescription(
    id: "link.request-timeout", title: "An ATT request was not answered in time",
    severity: .error, needs: .attributes,
    meaning:
      "After 30 s, the bearer must no longer be used: unless the link has others (EATT), nothing over GATT works until "
      + "the devices reconnect. Some devices continue regardless: then the answer was merely slow.",
    source: "Core Specification, Vol 3, Part F, 3.3.3 (transaction timeout)",
    fix:
      "Answer every request, if necessary with an error; check what the server was doing "
      + "when the request arrived.")
  static let wants: Set<Event.Family> = [.link, .attribute, .capture]

  private var overdue = OverdueTransactions(ofIndications: false)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    overdue.take(event, session, &report)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    overdue.finish(&report)
  }
}
