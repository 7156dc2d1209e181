import HarkDissection

/// What HID tells: HID Profile 1.1.1 over BR/EDR, HID over GATT Profile 1.0 over LE.
public enum HIDEvent: Sendable {
  /// What the reports of a device hold, by its report descriptor.
  case described(HIDReports, isLocal: Bool)
  /// SET_PROTOCOL: from now on reports are those of the Boot Protocol, or the device's own.
  case protocolSet(isBoot: Bool)
  /// HID_CONTROL. 3.1.2.2
  case control(operation: UInt8, byPeer: Bool)
  /// A HANDSHAKE that is none of success, and the transaction it answers.
  case refused(transaction: UInt8, result: UInt8)
}

/// What the index pass keeps of HID over BR/EDR.
struct HIDState {
  /// By whose service record it is in.
  var descriptors: [Session.DatabaseKey: HIDReports] = [:]
  /// Links on which the Boot Protocol is in use.
  var bootLinks: Set<LinkID> = []
  /// The transaction on each link's control channel that waits for its answer.
  var pending: [LinkID: UInt8] = [:]
}
