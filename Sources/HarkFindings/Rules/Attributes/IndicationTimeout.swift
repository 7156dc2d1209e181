import HarkDissection
import HarkSession

struct IndicationTimeout: Rule {
  static let about = RuleDescription(
    id: "link.indication-timeout", title: "A client did not confirm an indication in time",
    severity: .error, needs: .attributes,
    meaning:
      "The server may not know whether the value arrived, and after 30 s it must no longer use the "
      + "bearer. Some servers continue regardless: then the confirmation was merely slow.",
    source:
      "Core Specification, Vol 3, Part F, 3.3.3 (transaction timeout), 3.4.7.2 "
      + "(ATT_HANDLE_VALUE_IND), 3.4.7.3",
    fix:
      "In the client, confirm every indication as soon as it arrives, whatever its value: most stacks "
      + "do this themselves. In the server, use notifications if no confirmation is needed.")
  static let wants: Set<Event.Family> = [.link, .attribute, .capture]

  private var overdue = OverdueTransactions(ofIndications: true)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    overdue.take(event, session, &report)
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    overdue.finish(&report)
  }
}
