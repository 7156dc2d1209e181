import HarkCore
import HarkSession

/// The events that the words of lines describe. They are those that iOS 18 to 27 has in its programs, names of
/// Apple's documented interfaces, and what Swift prints of their values.
///
/// Words are whole ones, and in their order. What an app writes in its own words is taken only where it
/// begins with them, so that other sessions and connections are not taken for those of accessories.
enum LogPhrases {
  /// The writer of a line.
  enum Speaker {
    /// A daemon or a framework of accessories.
    case accessories
    /// Another part of the system, such as XPC, which logs about all processes.
    case system
    case app
  }

  /// What a line says; nil if it has no words that are known.
  static func kind(of message: String, by speaker: Speaker) -> AppEvent.Kind? {
    let text = CaseFoldedLine(message)
    return all.first { $0.isStated(in: text, by: speaker) }?.kind
  }

  /// What a line of an app says about the streams of its EASession, where the line itself names only the class that all
  /// streams have; nil if it says nothing of a stream.
  static func streamKind(of message: String) -> AppEvent.Kind? {
    let text = CaseFoldedLine(message)
    return streams.first { $0.isStated(in: text, by: .app) }?.kind
  }

  /// Everything that is looked for, in lower case.
  static var words: [String] { (all + streams).flatMap(\.words) }

  private struct Saying {
    /// All of them are in the line, in this order; in lower case.
    let words: [String]
    let kind: AppEvent.Kind
    private let parts: [[UInt8]]
    private let speakers: [Speaker]
    /// Whether the line begins with the first, and it is a statement of its own.
    private let begins: Bool

    init(
      _ words: [String], _ kind: AppEvent.Kind,
      by speakers: [Speaker] = [.accessories, .system, .app], begins: Bool = false
    ) {
      (self.words, self.kind, self.speakers, self.begins) = (words, kind, speakers, begins)
      parts = words.map { Array($0.utf8) }
    }

    func isStated(in text: CaseFoldedLine, by speaker: Speaker) -> Bool {
      guard speakers.contains(speaker) else { return false }
      return begins ? text.begins(with: parts[0]) : text.has(parts)
    }
  }

  /// Words that only programs of accessories write.
  private static func accessory(_ words: [String], _ kind: AppEvent.Kind) -> Saying {
    Saying(words, kind, by: [.accessories])
  }

  /// Words of the system that mean the same for every process.
  private static func system(_ words: [String], _ kind: AppEvent.Kind) -> Saying {
    Saying(words, kind, by: [.accessories, .system])
  }

  /// Names that nothing else has.
  private static func name(_ words: [String], _ kind: AppEvent.Kind) -> Saying {
    Saying(words, kind)
  }

  /// Words of people, in front of which nothing stands.
  private static func statement(_ words: String, _ kind: AppEvent.Kind) -> Saying {
    Saying([words], kind, begins: true)
  }

  /// The most special first.
  private static let all =
    entitlements + extensions + decisions + sessions + messages + sharing + connections + setup
    + audio + accessories

  private static let entitlements = [
    accessory(["missing entitlement"], .entitlementMissing),
    accessory(["missing required entitlement"], .entitlementMissing),
    accessory(["not entitled"], .entitlementMissing),
    accessory(["no entitlement found"], .entitlementMissing),
    accessory(["lacks", "entitlement"], .entitlementMissing),
    accessory(["doesn't have", "entitlement"], .entitlementMissing),
    accessory(["does not have", "entitlement"], .entitlementMissing),
    name(["not entitled to com.apple.developer.accessory-"], .entitlementMissing),
    name(["doesn't have entitlement com.apple.developer.accessory-"], .entitlementMissing),
    name(["does not have entitlement com.apple.developer.accessory-"], .entitlementMissing),
  ]

  private static let extensions = [
    accessory(["failed to launch", "extension"], .extensionNotLaunched),
    accessory(["unable to launch", "extension"], .extensionNotLaunched),
    accessory(["failed to start", "extension"], .extensionNotLaunched),
    accessory(["extension", "cannot be started"], .extensionNotLaunched),
    accessory(["extension is missing attributes"], .extensionNotLaunched),
    accessory(["skip running", "extension"], .extensionNotLaunched),
    accessory(["no extension", "found"], .extensionNotLaunched),
    accessory(["launched", "extension"], .extensionLaunched),
    accessory(["initialized extension process"], .extensionLaunched),
    accessory(["start for bundleid"], .extensionLaunched),
    accessory(["extension", "terminated"], .extensionEnded),
  ]

  /// `AccessoryTransportSession.Request.Decision`, and what `AccessorySecuritySession` has of it.
  private static let decisions = [
    name(["decision.accept"], .sessionAccepted),
    name(["decision.reject"], .sessionRejected),
    name(["sessionrequest.accept"], .sessionAccepted),
    name(["sessionrequest.reject"], .sessionRejected),
    name(["accept(sessionrequest:", "accepted"], .sessionAccepted),
    name(["accept(sessionrequest:", "rejected"], .sessionRejected),
    statement("security session accepted", .sessionAccepted),
    statement("security session rejected", .sessionRejected),
    statement("security session invalidated", .sessionInvalidated),
    statement("transport session accepted", .sessionAccepted),
    statement("transport session rejected", .sessionRejected),
    statement("transport session invalidated", .sessionInvalidated),
  ]

  private static let sessions = [
    // The function that the system calls, as #function has it.
    name(["accept(sessionrequest:"], .sessionRequested),
    accessory(["failed to create feature session"], .sessionRejected),
    accessory(["creating feature session"], .sessionRequested),
    statement("session request rejected", .sessionRejected),
    statement("rejected session request", .sessionRejected),
    statement("rejecting session request", .sessionRejected),
    statement("session request accepted", .sessionAccepted),
    statement("accepted session request", .sessionAccepted),
    statement("accepting session request", .sessionAccepted),
    statement("session request received", .sessionRequested),
    statement("received session request", .sessionRequested),
    accessory(["session request", "rejected"], .sessionRejected),
    accessory(["session request", "accepted"], .sessionAccepted),
    accessory(["session request"], .sessionRequested),
    statement("session rejected", .sessionRejected),
    statement("session cancelled", .sessionCancelled),
    statement("security session cancelled", .sessionCancelled),
    statement("transport session cancelled", .sessionCancelled),
    accessory(["session cancelled"], .sessionCancelled),
    name(["session.cancel(error:"], .sessionCancelled),
    name(["accessorysecuritysession", "cancel(error:"], .sessionCancelled),
    name(["accessorytransportsession", "cancel(error:"], .sessionCancelled),
    name(["cancel(error:", "accessorytransportsession.error"], .sessionCancelled),
    name(["cancel(error:", "accessorysecuritysession.error"], .sessionCancelled),
    statement("cancel(error:", .sessionCancelled),
    name(["sessioninvalidated(error:"], .sessionInvalidated),
    statement("session invalidated", .sessionInvalidated),
    name(["invalidationhandler(error:"], .sessionInvalidated),
    accessory(["session invalidated"], .sessionInvalidated),
  ]

  private static let messages = [
    name(["dataevent", "ciphertext"], .dataEvent),
    name(["dataevent", "plaintext"], .dataEvent),
    name(["ciphertext(", "featureid"], .dataEvent),
    name(["plaintext(", "featureid"], .dataEvent),
    name(["dataeventhandler(event:"], .dataEvent),
    name(["securitymessage("], .securityMessage),
    name(["accessorysecuritysession", "messagereceived("], .securityMessage),
    name(["messagereceived(", "encapsulatedkey"], .securityMessage),
    name(["accessorytransportsession", "messagereceived("], .transportMessage),
    name(["transportmessage("], .transportMessage),
    name(["completion(.success"], .messageResult),
    name(["completion(.failure"], .messageResult),
    statement("completion never called", .completionMissing),
    name(["activityupdatedforalert"], .liveActivity),
    name(["activityupdated("], .liveActivity),
    name(["failure(", "transportfailed"], .messageResult),
    name(["failure(", "transportunavailable"], .messageResult),
    name(["accessorymessage", "success"], .messageResult),
    name(["accessorymessage.error.transportfailed"], .messageResult),
    name(["accessorymessage.error.transportunavailable"], .messageResult),
    statement("transportfailed", .messageResult),
    statement("transportunavailable", .messageResult),
    name(["forwardingdecision"], .forwardingDecision),
    name(["forwarding decision"], .forwardingDecision),
    name(["accessoryerror.unsupportedaccessory"], .notification),
    name(["accessoryerror.unsupportedplatform"], .notification),
    name(["accessoryerror.coordinationtimeout"], .notification),
    name(["accessorynotificationsunavailable"], .notification),
    name(["invalidnotificationresponse"], .notification),
  ]

  private static let sharing = [
    name(["accessorytransportnotsecured"], .wifiSharing),
    name(["accessorynotauthorized"], .wifiSharing),
    name(["accessorynotconnected"], .wifiSharing),
    name(["accessorynotconfigured"], .wifiSharing),
    name(["wifinetworksharingunsupported"], .wifiSharing),
    name(["winetworksharingerror"], .wifiSharing),
    name(["winetworksharingprovider"], .wifiSharing),
    name(["accessorywifinetworksharing"], .wifiSharing),
  ]

  private static let connections = [
    name(["connection to service", "was interrupted"], .connectionInterrupted),
    statement("xpc connection interrupted", .connectionInterrupted),
    statement("xpc interrupted", .connectionInterrupted),
    accessory(["connection", "was interrupted"], .connectionInterrupted),
    system(["connection interrupted"], .connectionInterrupted),
    accessory(["interruption handler"], .connectionInterrupted),
    accessory(["interruptionhandler"], .connectionInterrupted),
    name(["connection to service", "was invalidated"], .connectionInvalidated),
    statement("xpc connection invalidated", .connectionInvalidated),
    statement("xpc invalidated", .connectionInvalidated),
    accessory(["connection", "was invalidated"], .connectionInvalidated),
    system(["xpc connection invalid"], .connectionInvalidated),
    accessory(["invalidationhandler"], .connectionInvalidated),
    system(["invalidated because"], .connectionInvalidated),
    system(["invalidated after"], .connectionInvalidated),
    system(["invalidated on xpc_connection_cancel"], .connectionInvalidated),
    statement("xpc connection rejected", .connectionRejected),
    accessory(["rejecting", "connection"], .connectionRejected),
    accessory(["rejected", "connection"], .connectionRejected),
    name(["accept(connection:) failed"], .connectionRejected),
    name(["accept(connection:", "returned false"], .connectionRejected),
    name(["accept(connection:", "returned true"], .connectionAccepted),
    name(["accept(connection:", "accepted"], .connectionAccepted),
    name(["connectionhandler", "accepted"], .connectionAccepted),
    name(["connectionhandler", "rejected"], .connectionRejected),
    name(["xpcsession", "accepted"], .connectionAccepted),
    name(["xpcsession", "rejected"], .connectionRejected),
    name(["xpcsession", "cancelled"], .connectionInvalidated),
    name(["connection.resume()"], .connectionResumed),
    name(["nsxpcconnection", "resumed"], .connectionResumed),
    statement("xpc connection resumed", .connectionResumed),
    name(["handleincomingrequest("], .xpcRequest),
    name(["accept(connection:"], .connectionRequested),
    statement("xpc connection accepted", .connectionAccepted),
    accessory(["accepted", "connection"], .connectionAccepted),
    system(["activating connection"], .connectionAccepted),
    system(["xpc connection started"], .connectionAccepted),
    system(["new xpc connection for"], .connectionAccepted),
    name(["centralmanagerdidupdatestate"], .centralState),
    accessory(["device found", "bda "], .deviceFound),
  ]

  private static let setup =
    LogNames.setupEvents.map { name([$0.lowercased()], .accessorySetup) } + [
      name(["showpicker("], .accessorySetup),
      name(["removeaccessory("], .accessorySetup),
      name(["asaccessorysession", "activate("], .accessorySetup),
      name(["asaccessorysession", "activated"], .accessorySetup),
      name(["asaccessorysession", "invalidate("], .accessorySetup),
      name(["asaccessorysession", "invalidated"], .accessorySetup),
      name(["asaccessorysession", "failed"], .accessorySetup),
    ]

  private static let audio = [
    name(["accessorynotcapable"], .configurationFailed),
    name(["accessorycontroldevice.error"], .configurationFailed),
    name(["accessorycontroldevice error"], .configurationFailed),
    name(["accessorycontroldevice", "failed"], .configurationFailed),
    name(["accessorycontroldevice", "threw"], .configurationFailed),
    name(["accessorycontroldevice.current(for:"], .configurationRead),
    name(["accessorycontroldevice", "current(for:"], .configurationRead),
    name(["accessorycontroldevice", "register"], .configurationRegistered),
    name(["accessorycontroldevice", "registered"], .configurationRegistered),
    name(["accessorycontroldevice", "update"], .configurationUpdated),
    name(["accessorycontroldevice", "updated"], .configurationUpdated),
  ]

  /// Names of streams that also sockets and files have, and the events of `Stream.Event`.
  private static let streams: [Saying] = [
    ("erroroccurred", AppEvent.Kind.eaStreamError), ("endencountered", .eaStreamEvent),
    ("opencompleted", .eaStreamEvent), ("hasbytesavailable", .eaStreamEvent),
    ("hasspaceavailable", .eaStreamEvent),
  ].flatMap { event, kind in
    [name(["nsstreamevent" + event], kind)]
      + [
        "nsinputstream", "nsoutputstream", "inputstream", "outputstream", "stream.event",
        "stream event",
      ].map { name([$0, event], kind) }
  }

  private static let accessories = [
    name(["eainputstream", "erroroccurred"], .eaStreamError),
    name(["eaoutputstream", "erroroccurred"], .eaStreamError),
    name(["eaaccessorydidconnect"], .eaAccessoryConnected),
    name(["eaaccessorydiddisconnect"], .eaAccessoryDisconnected),
    name(["easession is nil"], .eaSessionFailed),
    name(["easession returned nil"], .eaSessionFailed),
    name(["easession(accessory:forprotocol:) returned nil"], .eaSessionFailed),
    name(["easession could not be created"], .eaSessionFailed),
    name(["easession", "endencountered"], .eaStreamEvent),
    name(["easession", "opencompleted"], .eaStreamEvent),
    name(["easession", "hasbytesavailable"], .eaStreamEvent),
    name(["easession", "hasspaceavailable"], .eaStreamEvent),
    // The class of an EASession's streams, as `description` prints it.
    name(["eainputstream"], .eaStreamEvent),
    name(["eaoutputstream"], .eaStreamEvent),
    accessory(["stream", "endencountered"], .eaStreamEvent),
    accessory(["stream", "opencompleted"], .eaStreamEvent),
    accessory(["opening session failed"], .eaStreamError),
    accessory(["could not find protocolid"], .eaStreamError),
    accessory(["sessionresult = 0", "sessionid"], .eaStreamError),
    accessory(["[#externalaccessory] error"], .eaStreamError),
    accessory(["stream", "erroroccurred"], .eaStreamError),
    name(["easession", "erroroccurred"], .eaStreamError),
    accessory(["sessionresult = 1", "sessionid"], .eaSessionOpened),
    accessory(["removing easession"], .eaSessionClosed),
    name(["easession closed"], .eaSessionClosed),
    name(["closed easession"], .eaSessionClosed),
    name(["easession opened"], .eaSessionOpened),
    name(["opened easession"], .eaSessionOpened),
  ]
}

/// A line of a log, in which words are found without regard to case.
struct CaseFoldedLine {
  private let bytes: [UInt8]
  /// After marks such as `###` and `[0x104e08c30]`.
  private let start: Int

  init(_ text: String) {
    bytes = text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    var start = 0
    while start < bytes.count, !Self.isWord(bytes[start]) || bytes[start] >= 0x80 {
      if bytes[start] == UInt8(ascii: "["),
        let end = bytes[start...].prefix(80).firstIndex(of: UInt8(ascii: "]"))
      {
        start = end
      }
      start += 1
    }
    self.start = start
  }

  /// Whether all parts are there, as whole words and in this order.
  func has(_ parts: [[UInt8]]) -> Bool {
    var place = 0
    for part in parts {
      guard let found = find(part, from: place) else { return false }
      place = found + part.count
    }
    return true
  }

  /// Whether the line begins with the words, and says no more after them but of what and why.
  func begins(with part: [UInt8]) -> Bool {
    guard bytes[min(start, bytes.count)...].starts(with: part), isWhole(part, at: start) else {
      return false
    }
    let rest = start + part.count
    guard rest < bytes.count, bytes[rest] == 0x20 else { return true }
    return Self.continuations.contains { word in
      bytes[(rest + 1)...].starts(with: word) && isWhole(word, at: rest + 1)
    }
  }

  /// What follows a statement and belongs to it.
  static let continuationWords = [
    "(", "-", "with", "for", "error", "sessionid", "session", "optional", "nil", "over",
  ]
  private static let continuations = continuationWords.map { Array($0.utf8) }

  private func find(_ part: [UInt8], from place: Int) -> Int? {
    var place = place
    while let range = bytes[place...].range(of: part) {
      if isWhole(part, at: range.lowerBound) { return range.lowerBound }
      place = range.lowerBound + 1
    }
    return nil
  }

  private func isWhole(_ part: [UInt8], at place: Int) -> Bool {
    let end = place + part.count
    if let first = part.first, Self.isWord(first), place > 0, Self.isWord(bytes[place - 1]) {
      return false
    }
    if let last = part.last, Self.isWord(last), end < bytes.count, Self.isWord(bytes[end]) {
      return false
    }
    return true
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...0xFF: true
    default: false
    }
  }
}
