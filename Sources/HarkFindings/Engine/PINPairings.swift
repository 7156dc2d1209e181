import HarkCore
import HarkDissection
import HarkSession

/// BR/EDR pairings with a PIN, from the request for it until a link key shows that it was right. Core Specification,
/// Vol 4, Part E, 7.7.22, 7.7.24
struct PINPairings: Sendable {
  /// The packets that requested a PIN; nil after the pairing.
  private var requests = RecentValues<LinkID, PacketID?>(capacity: 256)

  mutating func take(_ event: Event) {
    guard let link = event.link else { return }
    switch event.content {
    case .security(.pairing(.pinRequested)): requests.set(link, event.frames.last)
    case .security(.pairing(.linkKey)): end(link)
    case .security(.encryption(let encryption)) where encryption.isOn: end(link)
    default: break
    }
  }

  mutating func end(_ link: LinkID) { if requests[link] != nil { requests.set(link, nil) } }

  /// The packet that requested the PIN with which pairing failed, as the event shows; nil if it does not show that.
  /// An incorrect PIN is an Authentication Failure, and PIN or Key Missing means that a side gave none. Vol 1, Part F,
  /// 2.5, 2.6
  func request(failedBy event: Event) -> PacketID? {
    let code: UInt8?
    switch event.content {
    case .security(.authenticationFailed(let failed)): code = failed.status
    case .link(.closed(let closed)): code = closed.reason
    default: return nil
    }
    switch HCIErrorCode(code) {
    case .authenticationFailure, .pinOrKeyMissing: return event.link.flatMap { requests[$0] ?? nil }
    default: return nil
    }
  }
}
