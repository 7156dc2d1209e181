import HarkCore
import HarkSession

// What a timeline needs to fold events that say the same.
extension EventText {
  struct Repetition: Sendable {
    /// What `3 more: ` is followed by.
    var subject: String
    /// What follows the subject where several are counted: of the last of them.
    var last = ""
    /// Tells apart what reads alike, such as values that are shown in part.
    var digest: UInt64 = 0
    /// How many the event stands for itself.
    var count = 1

    func repeats(_ other: Repetition) -> Bool {
      digest == other.digest && subject == other.subject
    }
  }

  /// - Parameter sentence: That of the event.
  static func repetition(
    _ event: Event, _ session: borrowing Session, _ sentence: String
  ) -> Repetition {
    let plain = event.lag > 0 ? plain(event, session) : sentence
    return switch event.content {
    case .attribute(.value(let value)): Repetition(subject: plain, digest: value.digest)
    case .attribute(.repeated(let it)):
      Repetition(subject: it.subject(event, session), last: it.last.text, count: it.times)
    // Channels come and go under ever new CIDs.
    case .channel(.opened(let it)):
      Repetition(
        subject: "\(it.words(Sides(of: event, session))): "
          + Names.psm(it.channel.psm, isSimplified: it.channel.limits != nil))
    case .channel(.closed(let it)):
      Repetition(
        subject:
          "channel closed: \(Names.psm(it.channel.psm, isSimplified: it.channel.limits != nil))")
    // Positions come as often as once a second.
    case .audio(.position): Repetition(subject: "positions of what is played")
    case .capture(.note(let note)):
      Repetition(subject: note.namedSource.map { "notes of \($0)" } ?? "notes")
    case .capture(.incompletePDU(let pdu)) where pdu.place != nil:
      Repetition(
        subject: pdu.plural(in: session),
        last: ", the last: \(Names.count(pdu.have, "byte")) came")
    default:
      if let folded = event.content.described.kind.folded {
        Repetition(subject: folded.description, last: ", the last: \(plain)")
      } else {
        Repetition(subject: plain)
      }
    }
  }
}
