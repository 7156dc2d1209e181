import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

struct BondLost: Rule {
  static let about = RuleDescription(
    id: "link.bond-lost", title: "One side lost the bond, or has a different key",
    severity: .error, needs: .links,
    meaning:
      "The devices connect and disconnect repeatedly until the user removes the accessory from the "
      + "Bluetooth settings of the host, and pairs again.",
    source: "Core Specification, Vol 1, Part F, 2 (0x05 Authentication Failure, 0x06 PIN or Key "
      + "Missing, 0x3D Connection Terminated due to MIC Failure); Vol 4, Part E, 7.8.26 "
      + "(HCI_LE_Long_Term_Key_Request_Negative_Reply)",
    fix:
      "Store bonds so that they survive restarts and updates, and do not silently drop the "
      + "oldest one. With another EDIV or Rand, look at the side that requests it: it uses the key of an earlier bond or of "
      + "another device. If the key is lost, the user has to remove the device on the other side.")

  /// Links that somebody tried to encrypt with the key of a bond, while that has not come to anything.
  private var tried = RecentValues<LinkID, Bool>(capacity: 256)

  private var pins = PINPairings()

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    note(event)
    pins.take(event)
    // A wrong PIN loses no bond: another rule reports it.
    if pins.request(failedBy: event) != nil { return }
    switch event.content {
    // The peer begins to encrypt with the key of a bond. On BR/EDR, hosts also answer so if they never paired.
    case .security(.keyMissing(let missing)) where missing.names != nil:
      report.found(
        event, session, expected: "a request for the key that this host gave", subject: "EDIV")
    case .security(.keyMissing(let missing)) where missing.keyKind == .longTermKey:
      keyMissing(event, session, &report)
    case .security(.encryptionFailed(let failed))
    where HCIErrorCode(failed.status) == .pinOrKeyMissing:
      keyMissing(event, session, &report)
    case .security(.authenticationFailed(let failed))
    where HCIErrorCode(failed.status) == .pinOrKeyMissing:
      keyMissing(event, session, &report)
    case .link(.closed(let closed)) where HCIErrorCode(closed.reason) == .pinOrKeyMissing:
      keyMissing(event, session, &report)
    case .linkLayer(.rejected(let rejected))
    where HCIErrorCode(rejected.error) == .pinOrKeyMissing
      && (rejected.opcode == nil || rejected.pdu == .encReq):
      keyMissing(event, session, &report)
    // Hosts also close a link so when a pairing has failed, or never arrived.
    case .link(.closed(let closed)) where HCIErrorCode(closed.reason) == .authenticationFailure:
      guard let link = event.link, tried[link] == true else { return }
      report.found(
        event, session, expected: "the same key on both sides", confidence: .likely,
        subject: "authentication")
    // A link that was encrypted had the same key on both sides; a MIC fails later for other reasons.
    case .link(.closed(let closed))
    where HCIErrorCode(closed.reason) == .connectionTerminatedDueToMICFailure:
      if let link = event.link, tried[link] == false { return }
      report.found(
        event, session, expected: "the same key on both sides", confidence: .likely, subject: "mic")
    default: break
    }
  }

  private func keyMissing(
    _ event: Event, _ session: borrowing Session, _ report: inout RuleReport
  ) {
    report.found(
      event, session, expected: "a key for this device on both sides", subject: "missing")
  }

  private mutating func note(_ event: Event) {
    guard let link = event.link else { return }
    switch event.content {
    case .security(.encryptionStarted), .security(.encryptionFailed),
      .security(.authenticationFailed):
      if tried[link] == nil { tried.set(link, true) }
    case .linkLayer(.encryptionRequested(let request)) where request.isShortTerm == false:
      if tried[link] == nil { tried.set(link, true) }
    case .security(.pairing(.requested)), .security(.pairing(.method)),
      .security(.pairing(.simple)), .security(.pairing(.pinRequested)):
      tried.set(link, false)
    case .security(.encryption(let encryption)) where encryption.isOn: tried.set(link, false)
    default: break
    }
  }
}
