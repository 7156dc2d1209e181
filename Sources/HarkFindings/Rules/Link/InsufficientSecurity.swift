import HarkCore
import HarkReport
import HarkSession

struct InsufficientSecurity: Rule {
  static let about = RuleDescription(
    id: "link.insufficient-security",
    title: "An attribute asked for more security, and it never came",
    severity: .error, needs: .attributes,
    meaning:
      "The value stays out of reach: a client that is refused has to pair or to encrypt, and this "
      + "one did not, or the key it has is not good enough.",
    source:
      "Core Specification, Vol 3, Part F, 3.4.1.1 (errors 0x05, 0x08, 0x0C, 0x0F), Part C, 10.3",
    fix:
      "Pair when the error comes; where the link is encrypted already, pair with MITM protection or "
      + "LE Secure Connections as the attribute demands.")

  private struct Pending {
    let place: Place
    let observed: String
    let opened: PacketID
  }

  private static let patience = Int64.seconds(30)

  private var pending: [LinkID: Pending] = [:]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    for (link, refusal) in pending where event.time.since(refusal.place.time) >= Self.patience {
      judge(link, "30 s later", &report)
    }
    guard let link = event.link else { return }
    switch event.content {
    case .attError(let request, let handle, let uuid, let error)
    where [0x05, 0x08, 0x0C, 0x0F].contains(error):
      refused(
        link, Names.attribute(uuid, handle), request, error, event, session, &report)
    case .encryption(isOn: true, _), .pairing(.complete): pending[link] = nil
    case .linkClosed: judge(link, "when the link closed", &report)
    default: break
    }
  }

  private mutating func refused(
    _ link: LinkID, _ attribute: String, _ request: UInt8, _ error: UInt8, _ event: Event,
    _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let observed =
      "\(Names.request(request)) of \(attribute) refused: \(Names.attError(error, nil))"
    let state = session.links[Int(link.index)]
    if state.isEncrypted {
      report.found(
        event, session, observed: "\(observed), on a link that is encrypted",
        expected: "a key that is good enough", severity: .warning, confidence: .likely,
        subject: attribute)
    } else if state.certainty != .seen {
      report.cannotTell(
        Place(event),
        "\(observed); the link was open before the capture began and may have been encrypted",
        subject: attribute)
    } else if pending[link] == nil {
      pending[link] = Pending(place: Place(event), observed: observed, opened: state.opened)
    }
  }

  private mutating func judge(_ link: LinkID, _ when: String, _ report: inout RuleReport) {
    guard let refusal = pending.removeValue(forKey: link) else { return }
    report.missing(
      refusal.place, since: refusal.opened,
      observed: "\(refusal.observed); the link was not encrypted \(when)",
      expected: "pairing or encryption after the refusal")
  }

  mutating func finish(_ session: borrowing Session, _ report: inout RuleReport) {
    for refusal in pending.values {
      report.cannotTell(refusal.place, "\(refusal.observed), and the capture ends soon after")
    }
  }
}
