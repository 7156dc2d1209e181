import HarkCore
import HarkSession

struct SourceNotCleared: Rule {
  static let about = RuleDescription(
    id: "audio.source-not-cleared", title: "A disconnected audio source is still named",
    severity: .error, needs: [.configuration, .accessoryProtocol],
    meaning:
      "The phone believes that the other device still plays, and does not take over the "
      + "accessory: there is no sound.",
    source:
      "Apple, AudioAccessoryKit: the audio source identifiers are nil without a source; with one "
      + "source it is the primary",
    fix:
      "On every disconnection, clear the identifier of the disconnected device, move a "
      + "secondary source to primary, and report it.")

  private var app = SourcesOfApp()

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    app.take(event, session, &report)
    let source: BluetoothAddress
    switch event.content {
    case .audioSourceNotCleared(let event): source = event.source
    case .accessoryProtocol(.audioSourceNotCleared(let event)): source = event.source
    default: return
    }
    report.found(
      event, session, observed: "\(source) is still named, but is not connected",
      expected: "the identifier cleared, or the other source as the primary",
      subject: "\(source)")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    guard let last = session.counts.lastTime else { return }
    app.finish(last, &report)
  }
}
