import HarkCore
import HarkDissection
import HarkSession

struct ProvisioningFailed: Rule {
  static let about = RuleDescription(
    id: "mesh.provisioning-failed", title: "Provisioning of a Mesh device failed",
    severity: .error, needs: .mesh,
    meaning:
      "The device has no keys and no address: it is not part of the Mesh network, and the user has to start "
      + "again.",
    source:
      "Mesh Protocol 1.1, 5.4.1.10 (Provisioning Failed), 5.4.4 (provisioning errors), 5.3.1.4.3 (Link Close)",
    fix:
      "Follow the error. Confirmation Failed: both sides need the same Out of Band value; check the digits "
      + "that the user enters, or the Static OOB of the product. Invalid Format, Unexpected PDU: send the PDUs "
      + "in order and in the size that the chosen algorithm needs. After a timeout, look at the side whose PDU "
      + "is missing.")
  static let wants: Set<Event.Family> = [.mesh]

  /// The sides close the link soon after the PDU that states the error.
  private static let soon = Int64.seconds(10)
  /// Links that failed, by Link ID; nil for PB-GATT. Each is another device.
  private var failed: [UInt32?: (place: Place, number: Int)] = [:]
  private static let most = 256

  mutating func take(_ event: Event, _ session: borrowing Session, _ report: inout RuleReport) {
    guard event.severity > .info else { return }
    switch event.content {
    case .mesh(.step(let step)):
      let number = note(step.bearer?.link, at: Place(event))
      report.found(
        event, session, expected: Self.expected(step.error),
        subject: "\(step.error ?? 0)\(Self.suffix(number))")
    case .mesh(.linkClosed(let closed)):
      if let failed = failed[closed.bearer.link],
        report.isSoon(Self.soon, after: failed.place, at: event.time)
      {
        return
      }
      let number = note(closed.bearer.link, at: Place(event))
      report.found(
        event, session, expected: "a link that closes with Success",
        subject: "link \(closed.reason)\(Self.suffix(number))")
    default: break
    }
  }

  /// - Returns: Which of the links it is, from 1.
  private mutating func note(_ link: UInt32?, at place: Place) -> Int {
    let number = failed[link]?.number ?? failed.count + 1
    if number <= Self.most { failed[link] = (place, number) }
    return number
  }

  private static func suffix(_ number: Int) -> String { number > 1 ? " \(number)" : "" }

  /// 5.4.4
  private static func expected(_ error: UInt8?) -> FindingText {
    switch error.flatMap({ MeshProvisioningPDU.Failure(rawValue: $0) }) {
    case .confirmationFailed: "the same Out of Band value on both sides"
    case .outOfResources: "a device with room for another network"
    default: "provisioning that completes"
    }
  }
}
