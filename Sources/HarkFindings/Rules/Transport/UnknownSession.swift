import HarkCore
import HarkCrypto
import HarkSession

struct UnknownSession: Rule {
  static let about = RuleDescription(
    id: "transport.unknown-session",
    title: "The accessory replies in a session that the phone never used",
    severity: .warning, needs: [.sealedMessages, .sessions],
    meaning:
      "The system has no such session or feature for this accessory: the reply does not reach "
      + "the app.",
    source:
      "Apple, TransportMessage.sessionID: the UUID of the session that the phone sent with its "
      + "messages",
    fix:
      "Copy the session's UUID from the message that you answer; do not create one, and do "
      + "not reuse one from another phone.")
  static let wants: Set<Event.Family> = [.accessory, .app]

  private var fromPhone = RecentValues<SessionName, PacketID>(capacity: 256)
  private var phonesSeen = RecentValues<Owner, Bool>(capacity: 256)

  /// Sessions in the app's logs, and who logged them.
  private var reported = RecentValues<String, Bool>(capacity: 256)
  /// Reporters that named a session, and whether their log begins with their launch.
  private var reporters = RecentValues<String, Bool>(capacity: 64)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if let app = event.app { return take(app, event, session, &report) }
    guard case .accessory(let accessory) = event.content,
      case .message(let message) = accessory.content, !message.sessionID.isEmpty
    else { return }
    let id = SessionName(message.sessionID, event, session)
    if accessory.direction == .hostToAccessory {
      fromPhone.set(id, event.frames.last)
      phonesSeen.set(Owner(event, session), true)
      return
    }
    guard fromPhone[id] == nil else { return }
    let observed = "a reply in session \(message.sessionID)"
    guard phonesSeen[Owner(event, session)] != nil, session.link(event)?.certainty == .seen else {
      return report.cannotTell(
        Place(event), "\(observed): the phone may have used it before the capture began",
        cause: "the phone may have used it before the capture began")
    }
    report.missing(
      Place(event), observed: "\(observed), in which the phone sent nothing",
      expected: "the session of a message from the phone", subject: id.id)
  }

  private mutating func take(
    _ app: AppEvent, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    if app.kind == .extensionLaunched { reporters.set(app.reporter, true) }
    guard let name = app[.session], !name.isEmpty else { return }
    let key = "\(app.reporter)/\(name.uppercased())"
    guard app.kind == .transportMessage,
      app[.direction] == MessageDirection.accessoryToHost.rawValue
    else {
      reported.set(key, true)
      if reporters[app.reporter] == nil { reporters.set(app.reporter, false) }
      return
    }
    // A log that names sessions with replies alone says nothing of the phone's.
    guard reported[key] == nil, let isWhole = reporters[app.reporter] else { return }
    report.found(
      event, session,
      observed: "a reply in session \(name), which \(app.process ?? "the app") never mentions",
      expected: "an accepted session, or the session of a message from the phone",
      confidence: isWhole ? .likely : .possible, subject: key)
  }
}
