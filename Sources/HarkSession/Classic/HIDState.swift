import HarkCore
import HarkDissection

/// The state of HID over BR/EDR in the index pass.
struct HIDState {
  /// By the device whose service record contains it.
  var descriptors: [Session.DatabaseKey: HIDReports] = [:]
  /// Links on which the Boot Protocol is in use.
  var bootLinks: Set<LinkID> = []
  /// The pending transaction on each link's control channel.
  var pending: [LinkID: HIDPMessage.Transaction] = [:]
  /// What SET_PROTOCOL requests on each link, until it is answered.
  var asked: [LinkID: ProtocolRequest] = [:]

  struct ProtocolRequest {
    let isBoot: Bool
    let packet: PacketID
  }

  /// Notes which protocol is in use on a link.
  mutating func use(boot isBoot: Bool, on link: LinkID) {
    if isBoot { bootLinks.insert(link) } else { bootLinks.remove(link) }
  }
}
