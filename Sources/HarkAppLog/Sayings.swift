import HarkCore
import HarkSession

/// Words of lines, and what happened where a line has them. They are those that iOS 18 to 27 has in its
/// programs, names of Apple's documented interfaces, and what Swift prints of their values.
enum Sayings {
  /// What a line says; nil where it has no words that are known.
  static func kind(of message: String) -> AppEvent.Kind? {
    // Without regard to case, and without looking at characters.
    let text = message.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return all.first { saying in saying.words.allSatisfy { text.range(of: $0) != nil } }?.kind
  }

  /// All parts of words that are looked for, in lower case.
  static var words: [String] { all.flatMap(\.words).map { String(decoding: $0, as: UTF8.self) } }

  private struct Saying {
    /// All of them are in the line, in lower case.
    let words: [[UInt8]]
    let kind: AppEvent.Kind

    init(_ words: [String], _ kind: AppEvent.Kind) {
      (self.words, self.kind) = (words.map { Array($0.utf8) }, kind)
    }
  }

  /// The most special first.
  private static let all = entitlements + extensions + sessions + connections + audio + accessories

  private static let entitlements = [
    Saying(["missing", "entitlement"], .entitlementMissing),
    Saying(["not entitled"], .entitlementMissing),
    Saying(["no entitlement found"], .entitlementMissing),
    Saying(["lacks", "entitlement"], .entitlementMissing),
    Saying(["doesn't have", "entitlement"], .entitlementMissing),
    Saying(["does not have", "entitlement"], .entitlementMissing),
  ]

  private static let extensions = [
    Saying(["failed to launch", "extension"], .extensionNotLaunched),
    Saying(["unable to launch", "extension"], .extensionNotLaunched),
    Saying(["failed to start", "extension"], .extensionNotLaunched),
    Saying(["extension", "cannot be started"], .extensionNotLaunched),
    Saying(["extension is missing attributes"], .extensionNotLaunched),
    Saying(["skip running", "extension"], .extensionNotLaunched),
    Saying(["no extension", "found"], .extensionNotLaunched),
    Saying(["launched", "extension"], .extensionLaunched),
    Saying(["launching", "extension"], .extensionLaunched),
    Saying(["initialized extension process"], .extensionLaunched),
    Saying(["start for bundleid"], .extensionLaunched),
    Saying(["extension", "terminated"], .extensionEnded),
  ]

  private static let sessions = [
    // The function that the system calls, as #function has it.
    Saying(["accept(sessionrequest:"], .sessionRequested),
    Saying(["creating feature session"], .sessionRequested),
    Saying(["failed to create feature session"], .sessionRejected),
    Saying(["session request", "reject"], .sessionRejected),
    Saying(["session request", "accept"], .sessionAccepted),
    Saying(["session request"], .sessionRequested),
    Saying(["session", "cancelled"], .sessionCancelled),
    Saying(["sessioninvalidated(error:"], .sessionInvalidated),
    Saying(["invalidationhandler(error:"], .sessionInvalidated),
    Saying(["session invalidated"], .sessionInvalidated),
    Saying(["securitymessage("], .securityMessage),
    Saying(["transportmessage("], .transportMessage),
    Saying(["transportfailed"], .messageResult),
    Saying(["transportunavailable"], .messageResult),
    Saying(["accessorymessage", "success"], .messageResult),
    Saying(["accessorytransportnotsecured"], .wifiSharing),
    Saying(["accessorynotauthorized"], .wifiSharing),
    Saying(["accessorynotconnected"], .wifiSharing),
    Saying(["accessorywifinetworksharing"], .wifiSharing),
  ]

  private static let connections = [
    Saying(["connection", "was interrupted"], .connectionInterrupted),
    Saying(["connection interrupted"], .connectionInterrupted),
    Saying(["xpc interrupted"], .connectionInterrupted),
    Saying(["interruption handler"], .connectionInterrupted),
    Saying(["interruptionhandler"], .connectionInterrupted),
    Saying(["connection", "was invalidated"], .connectionInvalidated),
    Saying(["xpc connection invalid"], .connectionInvalidated),
    Saying(["xpc invalidated"], .connectionInvalidated),
    Saying(["invalidationhandler"], .connectionInvalidated),
    Saying(["invalidated because"], .connectionInvalidated),
    Saying(["invalidated after"], .connectionInvalidated),
    Saying(["invalidated on xpc_connection_cancel"], .connectionInvalidated),
    Saying(["rejecting", "connection"], .connectionRejected),
    Saying(["rejected", "connection"], .connectionRejected),
    Saying(["accept(connection:) failed"], .connectionRejected),
    Saying(["failed to do a bootstrap look-up"], .connectionRejected),
    Saying(["accepted", "connection"], .connectionAccepted),
    Saying(["activating connection"], .connectionAccepted),
    Saying(["xpc connection started"], .connectionAccepted),
    Saying(["new xpc connection for"], .connectionAccepted),
    Saying(["centralmanagerdidupdatestate"], .centralState),
    Saying(["device found", "bda "], .deviceFound),
  ]

  private static let audio = [
    Saying(["accessorynotcapable"], .configurationFailed),
    Saying(["accessorycontroldevice", "error"], .configurationFailed),
    Saying(["accessorycontroldevice", "fail"], .configurationFailed),
    Saying(["accessorycontroldevice", "regist"], .configurationRegistered),
    Saying(["accessorycontroldevice", "updat"], .configurationUpdated),
  ]

  private static let accessories = [
    Saying(["opening session failed"], .eaStreamError),
    Saying(["could not find protocolid"], .eaStreamError),
    Saying(["sessionresult = 0", "sessionid"], .eaStreamError),
    Saying(["[#externalaccessory] error"], .eaStreamError),
    Saying(["stream", "erroroccurred"], .eaStreamError),
    Saying(["sessionresult = 1", "sessionid"], .eaSessionOpened),
    Saying(["removing easession"], .eaSessionClosed),
    Saying(["easession", "closed"], .eaSessionClosed),
    Saying(["easession", "opened"], .eaSessionOpened),
  ]
}
