import HarkCore
import HarkDissection
import HarkSession

struct UnprotectedKey: Rule {
  static let about = RuleDescription(
    id: "link.unprotected-key", title: "A debug or unauthenticated key protects an accessory",
    severity: .warning, needs: .pairing,
    meaning:
      "Anyone who records a pairing with a debug key can read the link and use the bond. An "
      + "unauthenticated key does not protect against an attacker who was nearby while the devices "
      + "paired; hark reports one only if both have the input and output for a better key.",
    source:
      "Core Specification, Vol 4, Part E, 7.7.24 (HCI_Link_Key_Notification: Key_Type); Vol 2, "
      + "Part H, 7.6.1 and Vol 3, Part H, 2.3.5.6.1 (debug keys); Vol 3, Part C, 5.2.2.6",
    fix:
      "Turn off debug mode before release (HCI_Write_Simple_Pairing_Debug_Mode), refuse the debug "
      + "public key, and delete bonds made with it. For an authenticated key, request MITM "
      + "protection.")
  static let wants: Set<Event.Family> = [.security, .accessory, .iap2, .accessoryProtocol]

  /// The IO capabilities of both sides: whether they allow an authenticated key that neither asked for.
  private struct Sides {
    var host: SimplePairing.Capability?
    var peer: SimplePairing.Capability?

    var allowsBetter: Bool {
      guard let host, let peer else { return false }
      // A wish that was not met has a rule of its own.
      return [host, peer].allSatisfy { side in
        let none = SMPMessage.IOCapability.noInputNoOutput
        return side.ioCapability < none.rawValue && !side.mitm
      }
    }
  }

  private var sides = RecentValues<Owner, Sides>(capacity: 256)
  /// Unauthenticated link keys, by device, until they protect the messages of an accessory.
  private var keys = RecentValues<Owner, HeldFinding?>(capacity: 256)

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    switch event.content {
    case .security(.pairing(.linkKey(let key))): take(key.type, event, session, &report)
    case .security(.pairing(.publicKeys(let keys))) where keys.isDebugKey:
      debug(event, session, &report)
    case .security(.pairing(.simple(.capability(let capability, let isPeer)))):
      let owner = Owner(event, session)
      var known = sides[owner] ?? Sides()
      // A second message of the same side belongs to another pairing.
      if isPeer ? known.peer != nil : known.host != nil { known = Sides() }
      if isPeer { known.peer = capability } else { known.host = capability }
      sides.set(owner, known)
    case .security(.pairing(.simple(.debugKey))): debug(event, session, &report)
    case .accessory, .iap2, .accessoryProtocol:
      guard session.link(event)?.transport == .brEDR else { return }
      carries(event, session, &report)
    default: break
    }
  }

  private mutating func take(
    _ type: UInt8, _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    switch HCIKeyType(rawValue: type) {
    case .debugCombination: debug(event, session, &report)
    case .unauthenticatedCombinationP192, .unauthenticatedCombinationP256:
      let owner = Owner(event, session)
      let name = Names.of(type, "hci.evt.keyType") ?? "type \(type)"
      let finding = HeldFinding(
        event, session, observed: "the messages of an accessory are protected by: \(name)",
        expected: "an authenticated link key", severity: .info, subject: "unauthenticated")
      keys.set(owner, sides[owner]?.allowsBetter == true ? finding : nil)
    // It is like the one before.
    case .changedCombination: break
    default: keys.set(Owner(event, session), nil)
    }
  }

  private func debug(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    report.found(
      event, session, expected: "a key that only the two devices know", subject: "debug")
  }

  private mutating func carries(
    _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    let owner = Owner(event, session)
    guard let known = keys[owner], let key = known else { return }
    keys.set(owner, nil)
    report.found(key)
  }
}
