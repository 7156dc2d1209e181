import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog

/// A line for each thing that logs tell of. Their words are those of the programs that come with iOS, of
/// Apple's documented interfaces, and of what Swift prints of their values.
@Suite struct WordingsTests {
  /// - Parameter subsystem: The app's own, unless it is said.
  private static func event(_ line: String, by subsystem: String = "com.acme") throws -> AppEvent {
    var record = LogRecord(time: Timestamp(nanoseconds: 0), message: line)
    record.process = "Acme"
    record.isApp = true
    record.subsystem = subsystem
    var meaning = Meaning(own: AppNames())
    let event = meaning.event(record)
    return try #require(event)
  }

  /// Lines of streams that name no EASession: they are its only where the process has opened one.
  @Test func streamsOfAnEASession() throws {
    func events(_ lines: [String]) -> [AppEvent] {
      var meaning = Meaning(own: AppNames())
      return lines.compactMap { line in
        var record = LogRecord(time: Timestamp(nanoseconds: 0), message: line)
        record.process = "Acme"
        record.isApp = true
        record.subsystem = "com.acme"
        return meaning.event(record)
      }
    }
    let lines = [
      "NSInputStream: NSStreamEventOpenCompleted",
      "stream event hasBytesAvailable on <NSInputStream: 0x28>",
      "NSOutputStream NSStreamEventErrorOccurred: broken",
      "NSInputStream NSStreamEventEndEncountered",
      "NSInputStream is nil",
    ]
    #expect(events(lines).map(\.kind.rawValue) == Array(repeating: "line", count: 5))
    let after = events(["EASession opened, protocol com.acme.p"] + lines).dropFirst()
    #expect(
      after.map(\.kind.rawValue)
        == ["ea-stream-event", "ea-stream-event", "ea-stream-error", "ea-stream-event", "line"])
    #expect(
      after.map { $0[.state] }
        == ["openCompleted", "hasBytesAvailable", nil, "endEncountered", nil])
    // The class that only an EASession's streams have needs no other line.
    #expect(events(["<EAInputStream: 0x28> hasBytesAvailable"]).map(\.kind) == [.eaStreamEvent])
  }

  /// Programs of the system.
  @Test(arguments: [
    ("Initialized extension process: com.acme.watch.transport", "extension-launched"),
    ("Start for BundleID 'com.acme.watch', SessionID '4E1D'", "extension-launched"),
    ("### Failed to start Transport extension, init returned nil", "extension-not-launched"),
    ("### Extension 'com.acme' cannot be started with missing type: 3", "extension-not-launched"),
    ("Extension is missing attributes, skipping", "extension-not-launched"),
    ("Skip running Security extension for 'x': no active sessions", "extension-not-launched"),
    ("Extension is missing entitlement: com.apple.developer.a", "entitlement-missing"),
    ("[#ExternalAccessory] Client not entitled to EA service", "entitlement-missing"),
    ("Host XPC connection started: PID 91, ID: 'x'", "connection-accepted"),
    (
      "[0x104e08c30] activating connection: mach=false listener=false peer=true name=com.acme.peer[90]",
      "connection-accepted"
    ),
    (
      "[0x104e08c30] activating connection: mach=true listener=true peer=false name=com.acme",
      "line"
    ),
    ("Launching extension com.acme.watch.transport", "line"),
    ("### Feature session rejected XPC connection", "connection-rejected"),
    ("XPCConnection invalidationHandler: x", "connection-invalidated"),
    ("### Failed to create feature session: x", "session-rejected"),
    ("[#ExternalAccessory] accessoryd sessionResult = 1, x, sessionID = 0x1", "ea-session-opened"),
    ("[#ExternalAccessory] accessoryd sessionResult = 0, x, sessionID = 0x1", "ea-stream-error"),
    ("[#ExternalAccessory] Removing EASession x from list of sessionUUIDs", "ea-session-closed"),
    ("[#ExternalAccessory] ERROR - sock can not connect: 61", "ea-stream-error"),
    ("stream: errorOccurred Broken pipe", "ea-stream-error"),
    ("com.acme.watch is missing entitlement com.apple.developer.x", "entitlement-missing"),
    ("XPC client is missing entitlement com.apple.bluetooth.system", "line"),
    ("connection to service named com.apple.commcenter was interrupted", "line"),
  ])
  func kindOfSystem(_ line: String, _ name: String) throws {
    #expect(try Self.event(line, by: "com.apple.DeviceAccess").kind.rawValue == name)
  }

  /// What an app writes.
  @Test(arguments: [
    ("### accept(connection:) failed: x", "connection-rejected"),
    ("### XPC interrupted: x", "connection-interrupted"),
    ("The connection to service named x was interrupted, but", "connection-interrupted"),
    ("XPC invalidated: x", "connection-invalidated"),
    ("accept(sessionRequest:)", "session-requested"),
    ("session request accepted", "session-accepted"),
    ("rejecting session request: busy", "session-rejected"),
    ("security session cancelled", "session-cancelled"),
    ("sessionInvalidated(error:) nil", "session-invalidated"),
    ("SecurityMessage(keyType: publicKey, cipherSuite: p256)", "security-message"),
    ("TransportMessage(sessionID: x, data: 17 bytes)", "transport-message"),
    ("AccessoryMessage delivered: success", "message-result"),
    ("failure(AccessoryMessage.Error.transportUnavailable)", "message-result"),
    ("centralManagerDidUpdateState CBManagerState(rawValue: 4)", "central-state"),
    ("AccessoryControlDevice.register(_:_:)", "configuration-registered"),
    ("AccessoryControlDevice updated", "configuration-updated"),
    ("AccessoryControlDevice.Error.invalidRequest", "configuration-failed"),
    ("update threw accessoryNotCapable", "configuration-failed"),
    ("Wi-Fi sharing failed: accessoryTransportNotSecured", "wifi-sharing"),
    ("the watch is on the wrist", "line"),
    ("EASession stream: errorOccurred Broken pipe", "ea-stream-error"),
    ("EASession opened for com.acme.speaker.control", "ea-session-opened"),
    ("session cancelled: unsupported", "session-cancelled"),
    ("ForwardingDecision.deny", "forwarding-decision"),
    ("forwarding decision: deny", "forwarding-decision"),
    ("AccessoryError.unsupportedPlatform", "notification"),
    ("accessoryNotificationsUnavailable", "notification"),
    ("invalidationHandler(error:) nil", "session-invalidated"),
    ("DataEvent.ciphertext(176 bytes, featureID: \"a\")", "data-event"),
    ("dataEventHandler(event:)", "data-event"),
    ("AccessoryTransportSession.Request.Decision.reject", "session-rejected"),
    ("sessionRequest.accept", "session-accepted"),
    ("session.cancel(error: unknown)", "session-cancelled"),
    ("cancel(error:) unsupported", "session-cancelled"),
    ("cancel(error: AccessoryTransportSession.Error.unknown)", "session-cancelled"),
    ("cancel(error: URLError.cancelled)", "line"),
    ("messageReceived(_:completion:) encapsulatedKey", "security-message"),
    ("AccessorySecuritySession messageReceived(_:completion:)", "security-message"),
    ("AccessoryTransportSession messageReceived(_:completion:)", "transport-message"),
    ("removeAccessory(_:completionHandler:)", "accessory-setup"),
    ("completion(.success)", "message-result"),
    ("completion never called", "completion-missing"),
    ("accept(connection:)", "connection-requested"),
    ("accept(connection:) returned false", "connection-rejected"),
    ("accept(connection:) returned true", "connection-accepted"),
    ("ConnectionHandler accepted", "connection-accepted"),
    ("XPCSession cancelled", "connection-invalidated"),
    ("connection.resume()", "connection-resumed"),
    ("handleIncomingRequest(_:)", "xpc-request"),
    ("WINetworkSharingProvider started", "wifi-sharing"),
    ("activityUpdatedForAlert(_:) true", "live-activity"),
    ("ASAccessoryEventType.accessoryAdded", "accessory-setup"),
    ("showPicker(for:)", "accessory-setup"),
    ("AccessoryControlDevice.current(for:)", "configuration-read"),
    ("EAAccessoryDidConnect", "ea-accessory-connected"),
    ("EAAccessoryDidDisconnect", "ea-accessory-disconnected"),
    ("EASession(accessory:forProtocol:) returned nil", "ea-session-failed"),
    ("EASession stream: endEncountered", "ea-stream-event"),
  ])
  func kind(_ line: String, _ name: String) throws {
    let event = try Self.event(line)
    #expect(event.kind.rawValue == name)
    #expect(!event.isCertain)
    #expect(event.text == line)
  }

  /// Words that mean something else, or nothing happened.
  @Test(arguments: [
    "AVAudioSession interruptionHandler registered", "registering interruption handler",
    "no missing entitlements", "checking for missing entitlement: none", "Client not entitled",
    "HTTP server rejected connection to api.acme.com", "not rejecting connection",
    "Session request will be accepted or rejected", "Session Request 5 rejected: 403",
    "session request to https://x failed, will be accepted later",
    "login session cancelled by user", "the web session cancelled", "session cancelled by user",
    "URLSession invalidated", "Timer invalidated after 5 seconds", "Extension launched in 120 ms",
    "Task <8E3B>.<1> finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 "
      + "\"cancelled\" UserInfo={_NSURLErrorRelatedURLSessionTaskErrorKey=(LocalDataTask)}",
    "stream: errorOccurred Broken pipe", "EASession could not be opened",
    "the forwarding decision is made elsewhere", "MyForwardingDecisionView appeared",
    "plaintext(32 bytes)", "completion(handler) called", "cancel(error) pressed",
    "the connection resumed", "player.resume()", "accessoryAddedByUser",
  ])
  func nothing(_ line: String) throws {
    #expect(try Self.event(line).kind == .line)
  }

  /// Of what RunningBoard says about any app, nothing is about accessories.
  @Test func otherEntitlement() {
    var record = LogRecord(
      time: Timestamp(nanoseconds: 0),
      message: "(originator doesn't have entitlement com.apple.runningboard.assertions.webkit)")
    (record.process, record.isApp) = ("Acme", true)
    record.subsystem = "com.apple.runningboard"
    var meaning = Meaning(own: AppNames())
    let event = meaning.event(record)
    #expect(event?.kind == .line)
  }

  @Test func errors() throws {
    let session = "AccessoryTransportExtension.AccessoryTransportSession.Error.unknown"
    let ended = try Self.event("sessionInvalidated(error:) Optional(\(session))")
    #expect(ended[.error] == "unknown")
    #expect(try Self.event("sessionInvalidated(error:) nil")[.error] == nil)
    #expect(try Self.event("session cancelled: unsupported")[.error] == "unsupported")
    #expect(try Self.event("security session cancelled")[.error] == nil)
    let late = try Self.event(
      "retry: transportFailed was the last error, now AccessoryMessage success")
    #expect(late[.result] == "success")
    #expect(late[.error] == nil)
    let shared = try Self.event("Wi-Fi sharing failed: accessoryTransportNotSecured")
    #expect(shared[.error] == "accessoryTransportNotSecured")
    #expect(try Self.event("WINetworkSharingError.timeout")[.error] == "timeout")
    #expect(try Self.event("ForwardingDecision.deny")[.decision] == "deny")
    #expect(try Self.event("AccessoryError.unsupportedPlatform")[.error] == "unsupportedPlatform")
    #expect(try Self.event("centralManagerDidUpdateState state=4")[.state] == "poweredOff")
    let refused = try Self.event("AccessoryControlDevice.update failed: invalidRequest")
    #expect(refused[.error] == "invalidRequest")
  }

  @Test func configuration() throws {
    let event = try Self.event(
      "AccessoryControlDevice.register Configuration(devicePlacement: nil, deviceCapabilities: "
        + "[.audioSwitching, .placement], primaryAudioSourceDeviceIdentifier: Optional(6 bytes), "
        + "secondaryAudioSourceDeviceIdentifier: nil)")
    #expect(event[.capabilities] == "audioSwitching, placement")
    #expect(event[.primarySource] == "6 bytes")
    #expect(event[.secondarySource] == "nil")
  }

  @Test func securityMessage() throws {
    let event = try Self.event(
      "received SecurityMessage(keyType: AccessoryTransportExtension.SecurityMessage.KeyType."
        + "encapsulatedKey, cipherSuite: p256, version: X.version1, key: 65 bytes, "
        + "supportedTransports: [X.bluetooth], identifier: "
        + "Optional(\"f47f6db4-24d5-596d-93bc-29da89054161\"))")
    #expect(event[.keyType] == "encapsulatedKey")
    #expect(event[.cipherSuite] == "p256")
    #expect(event[.size] == "65")
    #expect(event[.identifier] == "F47F6DB4-24D5-596D-93BC-29DA89054161")
  }

  /// A later system has suites, versions and transports that hark does not know.
  @Test func laterSecurityMessage() throws {
    let event = try Self.event(
      "SecurityMessage(keyType: publicKey, cipherSuite: CipherSuite.mlKEM1024, version: version2, "
        + "key: 1568 bytes, supportedTransports: [X.bluetooth, .satellite], identifier: nil)")
    #expect(event[.cipherSuite] == "mlKEM1024")
    #expect(event[.version] == "version2")
    #expect(event[.transports] == "bluetooth, satellite")
    #expect(event[.identifier] == nil)
  }

  /// `DataEvent` of iOS 26.4, in the words of Apple's documentation and as Swift prints its values.
  @Test(arguments: [
    (
      "dataEventHandler(event: DataEvent.ciphertext(176 bytes, featureID: \"F1\"))", "ciphertext",
      "176", "F1"
    ),
    ("DataEvent.plaintext(data: 20 bytes, featureID: notes.a)", "plaintext", "20", "notes.a"),
    (
      "DataEvent.ciphertext(5 bytes, 27563CF7-E1EA-5E4F-9566-CFF165355BED)", "ciphertext", "5",
      "27563CF7-E1EA-5E4F-9566-CFF165355BED"
    ),
  ])
  func dataEvent(_ line: String, _ kind: String, _ size: String, _ feature: String) throws {
    let event = try Self.event(line)
    #expect(event.kind == .dataEvent)
    #expect(event[.dataKind] == kind)
    #expect(event[.size] == size)
    #expect(event[.feature] == feature)
  }

  @Test func transports() throws {
    let event = try Self.event(
      "sendSecurityMessage(SecurityMessage(keyType: .publicKey, cipherSuite: .p256, version: "
        + ".version1, key: 64 bytes, supportedTransports: [.bluetooth, .localNetwork]))")
    #expect(event[.transports] == "bluetooth, localNetwork")
    #expect(event[.version] == "version1")
  }

  /// Whose session it is, by the line and by what the process said before.
  @Test func extensionPoints() throws {
    let security = "com.apple.accessory-transport-security"
    #expect(
      try Self.event("AccessorySecuritySession: session.cancel(error: nil)")[.extensionPoint]
        == security)
    #expect(try Self.event("security session rejected")[.extensionPoint] == security)
    #expect(
      try Self.event("transport session rejected")[.extensionPoint]
        == "com.apple.accessory-transport-extension")
    #expect(try Self.event("session request accepted")[.extensionPoint] == nil)
    var meaning = Meaning(own: AppNames(points: ["Acme": security]))
    var record = LogRecord(
      time: Timestamp(nanoseconds: 0), message: "session request accepted")
    (record.process, record.isApp) = ("Acme", true)
    #expect(meaning.event(record)?[.extensionPoint] == security)
  }

  /// The container app and its extensions, by where they lie.
  @Test(arguments: [(true, false), (false, true)])
  func containerApp(_ isExtension: Bool, _ isContainer: Bool) throws {
    var record = LogRecord(
      time: Timestamp(nanoseconds: 0), message: "AccessoryControlDevice.update(_:)")
    (record.process, record.isApp, record.hasPath) = ("Acme", true, true)
    record.subsystem = "com.acme"
    record.isExtension = isExtension
    var meaning = Meaning(own: AppNames())
    let found = meaning.event(record)
    let event = try #require(found)
    #expect(event.isExtension == isExtension && event.isContainerApp == isContainer)
  }

  @Test func interfaces() throws {
    #expect(try Self.event("ConnectionHandler accepted")[.interface] == "XPCSession")
    #expect(
      try Self.event("accept(connection:) returned true")[.interface] == "NSXPCConnection")
    #expect(try Self.event("showPicker(for:)")[.state] == "showPicker")
    #expect(try Self.event("eventType .accessoryRemoved")[.state] == "accessoryRemoved")
    for (line, state) in [
      ("ASAccessorySession.activate(on: queue)", "activated"),
      ("ASAccessorySession activated", "activated"),
      ("ASAccessorySession invalidated", "invalidated"), ("ASAccessorySession failed", "failed"),
    ] {
      let event = try Self.event(line)
      #expect(event.kind == .accessorySetup && event[.state] == state)
    }
    #expect(try Self.event("ASAccessorySession accessories").kind == .line)
    #expect(try Self.event("EASession stream: endEncountered")[.state] == "endEncountered")
  }

  @Test func facts() throws {
    let id = "27563CF7-E1EA-5E4F-9566-CFF165355BED"
    let message = try Self.event("TransportMessage(sessionID: \(id), data: 176 bytes)")
    #expect(message[.session] == id)
    #expect(message[.size] == "176")
    let failure = try Self.event("failure(X.transportFailed)")
    #expect(failure[.result] == "failure")
    #expect(failure[.error] == "transportFailed")
    #expect(try Self.event("centralManagerDidUpdateState .poweredOff")[.state] == "poweredOff")
    let number = try Self.event("centralManagerDidUpdateState CBManagerState(rawValue: 5)")
    #expect(number[.state] == "poweredOn")
    let refused = try Self.event(
      "ERROR - opening session failed as protocol com.acme.light is not declared in Info.plist",
      by: "com.apple.ExternalAccessory")
    #expect(refused[.eaProtocol] == "com.acme.light")
    let worn = try Self.event(
      "AccessoryControlDevice updated Configuration(devicePlacement: Optional(X.Placement.inEar), "
        + "deviceCapabilities: x)")
    #expect(worn[.placement] == "inEar")
    #expect(try Self.event("accessoryNotConnected")[.error] == "accessoryNotConnected")
  }

  /// What is refused to a process is reported for it, and of no other: facts about CoreBluetooth in extensions.
  @Test func signals() throws {
    var record = LogRecord(
      time: Timestamp(nanoseconds: 0),
      message:
        "Sandbox: AcmeTransport(731) deny(1) mach-lookup com.apple.server.bluetooth.le.att.xpc")
    record.process = "kernel"
    func reported(_ own: Set<String> = []) -> AppEvent? {
      var meaning = Meaning(own: AppNames(all: own))
      return meaning.event(record)
    }
    let denied = try #require(reported())
    #expect(denied.kind == .centralState && denied.process == "AcmeTransport")
    #expect(denied[.state] == "unauthorized")
    #expect(denied[.service] == "com.apple.server.bluetooth.le.att.xpc")
    #expect(reported(["Other"]) == nil)
    record.message = "Sandbox: AcmeTransport(731) deny(1) file-read-data /private/x"
    #expect(reported() == nil)
    let refused = try Self.event("sendMessageToDataProvider failed: invalidated")
    #expect(refused.kind == .messageResult && refused[.error] == "invalidated")
    #expect(try Self.event("sendMessageToDataProvider returned").kind == .line)
  }

  /// In logs as text no one knows what is an app: whoever speaks of Apple's interfaces is one from then on.
  @Test func textLog() throws {
    let head = "2026-11-20 17:41:10.000000+0100 0x4a7f Default 0x0 731 0 "
    let lines = [
      "AcmeTransport: [com.acme.watch:t] accept(sessionRequest:)",
      "AcmeTransport: [com.acme.watch:t] hello", "Chess: [org.chess:game] hello",
    ]
    let text = lines.map { head + $0 + "\n" }.joined()
    let log = try AppLog(bytes: Array(text.utf8), name: "log.txt")
    #expect(log.entries.map(\.event.kind) == [.sessionRequested, .line])
    #expect(log.counts.foreign == 1)
    #expect(log.summary.hasSuffix("1 from programs that --app-info does not name, omitted"))
    let own = try AppLog(
      bytes: Array(text.utf8), name: "log.txt", own: AppNames(all: ["Chess"]))
    #expect(own.entries.count == 3 && !own.summary.contains("--app-info"))
  }

  /// What is private is not guessed at.
  @Test func redacted() throws {
    let event = try Self.event("SecurityMessage(keyType: <private>, key: <private>)")
    #expect(event.kind == .securityMessage)
    #expect(event[.keyType] == nil)
    #expect(event[.size] == nil)
  }
}
