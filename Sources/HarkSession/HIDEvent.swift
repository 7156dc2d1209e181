import HarkDissection

/// What HID tells: HID Profile 1.1.1 over BR/EDR, HID over GATT Profile 1.0 over LE.
public enum HIDEvent: Sendable {
  /// What the reports of a device hold, by its report descriptor: what the device is (usages with their
  /// pages in the upper 16 bits), and its reports; whether that was read by GATT, or by SDP.
  case described(applications: [UInt32], reports: [Report], isLocal: Bool, byGATT: Bool)
  /// SET_PROTOCOL: from now on reports are those of the Boot Protocol, or the device's own.
  case protocolSet(isBoot: Bool)
  /// HID_CONTROL. 3.1.2.2
  case control(operation: UInt8, byPeer: Bool)
  /// A HANDSHAKE that is none of success, and the transaction it answers.
  case refused(transaction: UInt8, result: UInt8)

  /// Its members are plain numbers: a module that does not import where a class is from lays out an enum
  /// that refers to one in another way.
  public struct Report: Sendable {
    /// 1 Input, 2 Output, 3 Feature.
    public let type: UInt8
    /// 0 where the device has no Report IDs.
    public let id: UInt8
    public let bits: Int
  }

  static func described(_ reports: HIDReports, isLocal: Bool, byGATT: Bool) -> HIDEvent {
    .described(
      applications: reports.applications,
      reports: reports.reports.map { Report(type: $0.type, id: $0.id, bits: $0.bits) },
      isLocal: isLocal, byGATT: byGATT)
  }
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
