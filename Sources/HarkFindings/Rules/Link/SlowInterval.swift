import HarkSession

struct SlowInterval: Rule {
  static let about = RuleDescription(
    id: "link.slow-interval", title: "The connection interval is too long for the messages",
    severity: .info, needs: .accessoryMessages,
    meaning:
      "A message of several values takes about one interval per value: notifications arrive "
      + "seconds late.",
    source: "Core Specification, Vol 6, Part B, 4.5.1 (connection events); Apple, Accessory Design "
      + "Guidelines, Bluetooth Low Energy: Connection Parameters",
    fix:
      "Request an interval of 15 to 30 ms during message transfers and a longer one "
      + "afterwards; use a larger MTU.")
  static let wants: Set<Event.Family> = [.accessory]

  private static let slow = Int64.seconds(1)
  /// 50 ms.
  private static let long: Int64 = 50_000_000

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .accessory(let accessory) = event.content, accessory.origin.values >= 4,
      let link = session.link(event), link.transport == .le, let interval = link.interval,
      interval >= Self.long,
      let took = accessory.origin.duration
    else { return }
    // Where the sender waits between values, the interval is not to blame.
    let air = interval * Int64(accessory.origin.values)
    guard took >= Self.slow, took <= 2 * air else { return }
    report.found(
      event, session,
      observed: "a message of \(public: Names.count(accessory.origin.values, "value")) took "
        + "\(public: Names.duration(took)) at an interval of \(Names.interval(nanoseconds: interval))",
      expected: "an interval of 15 to 30 ms", confidence: .likely)
  }
}
