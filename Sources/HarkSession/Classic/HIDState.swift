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
}
