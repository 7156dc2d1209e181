import HarkSession

struct WrittenDeclaration: Rule {
  static let about = RuleDescription(
    id: "link.written-declaration", title: "A client writes to a declaration",
    severity: .error, needs: .attributes,
    meaning:
      "Declarations are read-only: the server refuses the request, or silently drops the command. The "
      + "value that was meant is not written.",
    source:
      "Core Specification, Vol 3, Part G, 3.1, 3.3.1 (declarations are not writable), 4.9 (writing "
      + "Characteristic Values)",
    fix:
      "In the client, write to the handle of the characteristic's value, which the declaration names: in most "
      + "servers it is the declaration's handle + 1.")
  static let wants: Set<Event.Family> = [.attribute]

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard case .attribute(.value(let it)) = event.content, it.isWriteToDeclaration else { return }
    report.found(
      event, session, expected: "the handle of a characteristic's value", confidence: .likely,
      subject: "\(it.handle)")
  }
}
