import HarkDissection
import HarkSession

struct NotifiedDescriptor: Rule {
  static let about = RuleDescription(
    id: "link.notified-descriptor",
    title: "A server notifies an attribute that is not a characteristic's value",
    severity: .error, needs: .attributes,
    meaning:
      "Clients look for a characteristic with this handle and find none: they discard the value or close "
      + "the link.",
    source:
      "Core Specification, Vol 3, Part G, 4.10.1 and 4.11.1 (the handle is that of a Characteristic Value)",
    fix:
      "In the server, notify with the handle of the characteristic's value: its declaration has the handle "
      + "before, its descriptors have those after. If the database changed, send Service Changed first."
  )
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.value(let it)) = event.content, it.isPushed,
      let state = session.link(event),
      let database = session.database(
        for: it.isLocal ? .local(state.controller) : state.peerDatabase),
      let type = database.type(of: it.handle), type.isDeclaration || type.isDescriptor,
      !database.isBorrowed(it.handle)
    else { return }
    let what: FindingText =
      it.pdu == .handleValueIndication ? "an indication" : "a notification"
    let kind: FindingText = type.isDeclaration ? "a declaration" : "a descriptor"
    report.found(
      event, session,
      observed:
        "\(what) of attribute \(Names.hex(it.handle)), which is \(kind): \(Names.uuid(type))",
      expected: "the handle of a characteristic's value", confidence: .likely,
      subject: "\(it.handle)")
  }
}
