import HarkCore
import HarkSession

struct Switched: Rule {
  static let about = RuleDescription(
    id: "transport.switched", title: "Messages continue over another transport",
    severity: .info, needs: [.sealedMessages, .sessions],
    meaning:
      "The phone or the accessory stopped using a transport: pending messages may arrive "
      + "late, twice or not at all, and keys for the internet are derived differently from "
      + "those for Bluetooth.",
    source:
      "Apple, AccessoryMessage.Error.transportFailed (another transport may be used); "
      + "AccessoryTransportSecurity: transport types",
    fix:
      "Check what ended on the first transport: a lost link, a rejected session, a failed "
      + "message. Discard the sessions and keys of a transport that is no longer used.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private struct Last {
    let transport: String
    let place: Place
    /// What became of it since.
    var end: End?

    enum End { case messageFailed, ended, failed }

    var words: FindingText {
      switch end {
      case .failed: " and failed"
      case .ended: " and ended"
      case .messageFailed: ", and a message failed"
      case nil: ""
      }
    }
  }

  /// By the identifier of the session.
  private var sessions = RecentValues<SessionName, Last>(capacity: 256)
  /// On the app's side, by the process that logs it.
  private var requests = RecentValues<String, Last>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content, !message.sessionID.isEmpty,
      let link = session.link(event), [.le, .brEDR, .tcp].contains(link.transport)
    else { return }
    let id = SessionName(message.sessionID, event, session)
    let now = Last(transport: link.transport.rawValue, place: Place(event))
    guard let last = sessions.set(id, now), last.transport != now.transport else { return }
    report.found(
      event, session,
      observed: "session \(message.sessionID) used \(last.transport) until "
        + "\(last.place.evidence), and now uses \(now.transport)",
      expected: "one transport per session", subject: id.id, frames: last.place.frames)
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let reporter = app.reporter
    switch app.kind {
    case .sessionRequested:
      guard let transport = app[.transport] else { return }
      let last = requests.set(reporter, Last(transport: transport, place: Place(event)))
      guard let last, last.transport.lowercased() != transport.lowercased() else { return }
      report.found(
        event, session,
        observed: "a session over \(transport) is requested; the previous one was over "
          + "\(last.transport)" + last.words,
        expected: "one transport while it works",
        confidence: last.end == nil ? .possible : app.confidence, subject: reporter,
        frames: last.place.frames)
    case .sessionRejected: end(reporter, .failed)
    // Without an error, one side ended it.
    case .sessionCancelled, .sessionInvalidated:
      end(reporter, app[.error] == nil ? .ended : .failed)
    case .messageResult: if app[.error] != nil { end(reporter, .messageFailed) }
    default: break
    }
  }

  private mutating func end(_ reporter: String, _ end: Last.End) {
    guard var last = requests[reporter] else { return }
    switch (last.end, end) {
    case (.failed, _), (.ended, .messageFailed): return
    default: last.end = end
    }
    requests.set(reporter, last)
  }
}
