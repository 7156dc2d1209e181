import HarkCore
import HarkSession
import Testing

@testable import HarkAppLog

/// A line for each thing that logs tell of. Their words are those of the programs that come with iOS, of
/// Apple's documented interfaces, and of what Swift prints of their values.
@Suite struct SayingsTests {
  private static func event(_ line: String, process: String = "Acme") throws -> AppEvent {
    var record = LogRecord(time: Timestamp(nanoseconds: 0), message: line)
    record.process = process
    record.isApp = true
    record.subsystem = "com.acme"
    return try #require(Meaning(own: []).event(record))
  }

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
    ("[0x104e08c30] activating connection: mach=false listener=false", "connection-accepted"),
    ("### Feature session rejected XPC connection", "connection-rejected"),
    ("### accept(connection:) failed: x", "connection-rejected"),
    ("### XPC interrupted: x", "connection-interrupted"),
    ("The connection to service named x was interrupted, but", "connection-interrupted"),
    ("XPC invalidated: x", "connection-invalidated"),
    ("XPCConnection invalidationHandler: x", "connection-invalidated"),
    ("accept(sessionRequest:)", "session-requested"),
    ("session request accepted", "session-accepted"),
    ("rejecting session request: busy", "session-rejected"),
    ("### Failed to create feature session: x", "session-rejected"),
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
    ("[#ExternalAccessory] accessoryd sessionResult = 1, x, sessionID = 0x1", "ea-session-opened"),
    ("[#ExternalAccessory] accessoryd sessionResult = 0, x, sessionID = 0x1", "ea-stream-error"),
    ("[#ExternalAccessory] Removing EASession x from list of sessionUUIDs", "ea-session-closed"),
    ("[#ExternalAccessory] ERROR - sock can not connect: 61", "ea-stream-error"),
    ("stream: errorOccurred Broken pipe", "ea-stream-error"),
    ("Wi-Fi sharing failed: accessoryTransportNotSecured", "wifi-sharing"),
    ("the watch is on the wrist", "line"),
  ])
  func kind(_ line: String, _ name: String) throws {
    let event = try Self.event(line)
    #expect(event.kind.rawValue == name)
    #expect(!event.isCertain)
    #expect(event.text == line)
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
      "ERROR - opening session failed as protocol com.acme.light is not declared in Info.plist")
    #expect(refused[.eaProtocol] == "com.acme.light")
    let worn = try Self.event(
      "AccessoryControlDevice updated Configuration(devicePlacement: Optional(X.Placement.inEar), "
        + "deviceCapabilities: x)")
    #expect(worn[.placement] == "inEar")
    #expect(try Self.event("accessoryNotConnected")[.error] == "accessoryNotConnected")
  }

  /// What is private is not guessed at.
  @Test func redacted() throws {
    let event = try Self.event("SecurityMessage(keyType: <private>, key: <private>)")
    #expect(event.kind == .securityMessage)
    #expect(event[.keyType] == nil)
    #expect(event[.size] == nil)
  }
}
