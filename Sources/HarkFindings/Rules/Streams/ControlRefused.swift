import HarkDissection
import HarkSession

struct ControlRefused: Rule {
  static let about = RuleDescription(
    id: "audio.control-refused", title: "A request to control audio or a call is refused",
    severity: .info, needs: [.media, .calls, .attributes],
    meaning:
      "The other side does not do what the user or the accessory requested, such as play, volume, a preset of hearing "
      + "aids, track information or an action of a call. Without one of the commands that set up the Hands-Free "
      + "connection, no calls work.",
    source:
      "AVRCP 1.6, 6.15.3 (error status codes); Hands-Free Profile 1.9, 4.2.1 (service level connection), 4.34.2 "
      + "(ERROR, +CME ERROR); Media Control Service 1.0.1, 3.18 and Telephone Bearer Service 1.0, 3.12 (Result "
      + "Codes); Volume Control Service 1.0, Coordinated Set Identification Service 1.0, Hearing Access Service 1.0, "
      + "Broadcast Audio Scan Service 1.0 (ATT Application error codes)",
    fix:
      "Request only what the other side's features, capabilities or supported opcodes contain, and only in a "
      + "state that allows it. Invalid Change Counter: read the state again, because someone else changed it, and repeat the "
      + "request. Treat the refusal of an optional command as a normal answer.")
  static let wants: Set<Event.Family> = [.audio, .handsFree, .leAudio, .attribute]

  /// The commands that every service level connection needs. Hands-Free Profile 1.9, 4.2.1
  private static let needed: Set<String> = ["+BRSF", "+BAC", "+CIND", "+CMER"]

  /// Application errors are 0x80 to 0x9F. Core Specification, Vol 3, Part F, 3.4.1.1
  private static let firstOfApplications: UInt8 = 0x80

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    if case .attribute(.attError(let it)) = event.content {
      guard it.error >= Self.firstOfApplications, let type = it.uuid, type.isAudioControl else {
        return
      }
      return report.found(
        event, session, expected: "a request that the other side accepts",
        subject: "\(type) \(it.error)")
    }
    guard event.severity > .info else { return }
    let subject: String
    var isNeeded = false
    switch event.content {
    case .handsFree(.refused(let it)):
      isNeeded = it.command.map(Self.needed.contains) ?? false
      subject = "AT\(it.command ?? "")"
    case .audio(.remoteRejected(let it)): subject = "AVRCP \(it.pdu) \(it.status)"
    case .audio(.operationRefused(let it)): subject = "AVRCP operation \(it.operation)"
    case .audio(.profileUnknown(let it)): subject = "AVCTP \(it.profile)"
    case .leAudio(.mediaResult(let it)): subject = "MCS \(it.opcode) \(it.result)"
    case .leAudio(.callResult(let it)): subject = "TBS \(it.opcode) \(it.result)"
    default: return
    }
    report.found(
      event, session, expected: "a request that the other side accepts",
      severity: isNeeded ? .warning : nil, subject: subject)
  }
}
