import HarkCore
import HarkSession

struct WriteOverrun: Rule {
  static let about = RuleDescription(
    id: "link.write-overrun", title: "Writes without response arrive too fast for the receiver",
    severity: .warning, needs: .attributes,
    meaning:
      "The host's stack, its controller or the accessory silently drops excess data: "
      + "messages arrive with gaps, and nothing on the link shows it.",
    source:
      "Core Specification, Vol 3, Part F, 3.3.2 (commands have no flow control), 3.4.5.3; Vol 4, "
      + "Part E, 4.1.1 (host to controller data flow control)",
    fix:
      "Send the next value when the host's stack allows it (peripheralIsReady of CoreBluetooth, "
      + "onCharacteristicWrite on Android), or write with response; on the accessory, take values off the Bluetooth stack's task immediately."
  )
  static let wants: Set<Event.Family> = [.controller, .accessory]

  /// So many values, no further apart than this on average, are a burst: shorter than most intervals.
  private static let many = 4
  private static let close: Int64 = 30_000_000

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .controller(.buffersExceeded(let exceeded)) where exceeded.isWriteCommand:
      report.found(
        event, session,
        observed: "\(exceeded.used) packets outstanding at the controller, which has buffers for "
          + "\(exceeded.size); the last is an ATT_WRITE_CMD",
        expected: "no packet before the controller completes one (Number Of Completed Packets)",
        confidence: .likely, subject: "buffers")
    case .accessory(let accessory):
      guard case .incomplete(let gap) = accessory.content, Self.isHole(gap) else { return }
      hole(accessory.origin, event, session, &report)
    default: break
    }
  }

  /// Whether something is missing inside of a message.
  private static func isHole(_ gap: Gap) -> Bool {
    switch gap {
    case .lostFragments, .startWithoutEnd(.startedAgain), .moreWithoutLast(.startedAgain): true
    default: false
    }
  }

  private func hole(
    _ origin: MessageOrigin, _ event: Event, _ session: borrowing Session,
    _ report: inout RuleReport
  ) {
    guard let took = origin.duration, origin.writeCommands >= Self.many,
      origin.writeCommands == origin.values,
      took <= Self.close * Int64(origin.values)
    else { return }
    if let lost = report.coverage.gap(near: event) {
      return report.cannotTell(Place(event), lost, "the values may be in that gap")
    }
    // The Link Layer repeats what is not received: what is not in the capture was not given to it, or the
    // sender never wrote it.
    report.found(
      event, session,
      observed:
        "\(origin.values) writes without response within \(public: Names.duration(took)), but a part "
        + "of the message is missing",
      expected: "all parts, at the pace of the receiver", confidence: .possible,
      subject: "burst")
  }
}
