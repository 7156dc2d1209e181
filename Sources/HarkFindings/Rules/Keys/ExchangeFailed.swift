import HarkSession

struct ExchangeFailed: Rule {
  static let about = RuleDescription(
    id: "keys.exchange-failed", title: "The key exchange failed",
    severity: .error, needs: .keyExchange,
    meaning:
      "One side reports that the key exchange failed: no notification can be forwarded "
      + "until another exchange succeeds.",
    source: "Apple, AccessorySecuritySession: Decision, Error, cancel(error:); "
      + "AccessoryMessage.Result",
    fix:
      "Check the logs of the accessory and the extension; after a failure, close the link, discard "
      + "the keys and restart the exchange."
  )
  static let wants: Set<Event.Family> = [.accessory]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for case .security(let step, _) in event.accessoryContents {
      let isFailure =
        switch step {
        case .decision(.reject), .completed(.failure), .cancel(error: _?),
          .sessionInvalidated(error: _?):
          true
        default: false
        }
      guard isFailure else { continue }
      report.found(
        event, session, expected: "an accepted session and a successful exchange")
    }
  }
}
