import HarkCore

/// Something that the app's side says of itself, which never touches the radio: a line of a log or of a
/// journal, and what it means.
public struct AppEvent: Sendable {
  /// What happened, by what JSON and journals call it.
  public enum Kind: String, Sendable, CaseIterable {
    // Extensions
    case extensionLaunched = "extension-launched"
    case extensionNotLaunched = "extension-not-launched"
    case extensionEnded = "extension-ended"
    case entitlementMissing = "entitlement-missing"

    // XPC connections
    /// `AppExtensionConfiguration.accept(connection:)` is called.
    case connectionRequested = "connection-requested"
    case connectionAccepted = "connection-accepted"
    case connectionResumed = "connection-resumed"
    case connectionRejected = "connection-rejected"
    case connectionInterrupted = "connection-interrupted"
    case connectionInvalidated = "connection-invalidated"
    /// `XPCPeerHandler.handleIncomingRequest(_:)`, or a call of an exported object.
    case xpcRequest = "xpc-request"

    // Sessions of AccessoryTransportSecurity and AccessoryTransportAppExtension
    case sessionRequested = "session-requested"
    case sessionAccepted = "session-accepted"
    case sessionRejected = "session-rejected"
    case sessionCancelled = "session-cancelled"
    case sessionInvalidated = "session-invalidated"
    case securityMessage = "security-message"
    case transportMessage = "transport-message"
    /// iOS 26.4: `AccessoryTransportSession.DataEvent`.
    case dataEvent = "data-event"
    case messageResult = "message-result"
    case completionMissing = "completion-missing"
    case notification
    /// `LiveActivityForwarding.AccessoryLiveActivitiesHandler`.
    case liveActivity = "live-activity"
    case forwardingDecision = "forwarding-decision"

    // CoreBluetooth
    case centralState = "central-state"
    case deviceFound = "device-found"
    case deviceConnected = "device-connected"
    case deviceDisconnected = "device-disconnected"

    /// AccessorySetupKit: an `ASAccessoryEventType`, or what became of the picker.
    case accessorySetup = "accessory-setup"

    // AudioAccessoryKit
    case configurationRegistered = "configuration-registered"
    /// `AccessoryControlDevice.current(for:)`.
    case configurationRead = "configuration-read"
    case configurationUpdated = "configuration-updated"
    case configurationFailed = "configuration-failed"

    // External Accessory
    case eaAccessoryConnected = "ea-accessory-connected"
    case eaAccessoryDisconnected = "ea-accessory-disconnected"
    /// `EASession(accessory:forProtocol:)` gave nil.
    case eaSessionFailed = "ea-session-failed"
    case eaStreamEvent = "ea-stream-event"
    case eaSessionOpened = "ea-session-opened"
    case eaSessionClosed = "ea-session-closed"
    case eaStreamError = "ea-stream-error"

    case wifiSharing = "wifi-sharing"

    /// A message that came over the internet, from a file of APNs payloads.
    case internetMessage = "internet-message"
    /// A line that hark does not know, of somebody who matters.
    case line
    /// What the app's Info.plist and its entitlements declare.
    case declaration
    /// How the times of a log were brought to those of the capture.
    case clock
  }

  /// What a line can say, by what JSON and journals call it.
  public enum Fact: String, Sendable, CaseIterable {
    case bundle
    case extensionPoint = "extension_point"
    case entitlement
    case service
    /// `NSXPCConnection` or `XPCSession`.
    case interface
    case session
    /// `featureID` of iOS 26.4, which later systems call the session.
    case feature
    /// `ciphertext` or `plaintext`.
    case dataKind = "data_kind"
    case transport
    /// `SecurityMessage.supportedTransports`.
    case transports
    case keyType = "key_type"
    case cipherSuite = "cipher_suite"
    case version
    /// In bytes.
    case size
    /// `HostToAccessory` or `AccessoryToHost`.
    case direction
    case address
    /// The UUID that CoreBluetooth calls a peripheral by.
    case identifier
    case name
    case eaProtocol = "ea_protocol"
    case state
    case result
    case error
    case capabilities
    case placement
    case primarySource = "primary_audio_source"
    case secondarySource = "secondary_audio_source"
    case notification
    case decision
  }

  public enum Level: String, Sendable, CaseIterable {
    case debug, info, `default`, error, fault
  }

  /// Where it was read.
  public struct Origin: Hashable, Sendable {
    /// As the user gave it.
    public var path: String
    /// From 1; 0 where it is the file as a whole.
    public var line: Int

    public init(file path: String, line: Int) { (self.path, self.line) = (path, line) }

    /// The file's name, without its folders.
    public var file: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// `journal.ndjson:3`.
    public var text: String { line > 0 ? "\(file):\(line)" : file }
  }

  public var kind: Kind
  public var origin: Origin
  /// Whether the app says so itself; else it is what hark makes of a line of a log.
  public var isCertain = false
  /// Whether an extension says it, by where its process lies or what its journal says of it.
  public var isExtension = false
  /// Whether the container app says it, by the same.
  public var isContainerApp = false
  public var process: String?
  public var pid: Int?
  public var subsystem: String?
  public var category: String?
  public var level: Level?
  /// In the order that was given.
  public private(set) var facts: [(fact: Fact, value: String)] = []
  /// What the line says, as it is there.
  public var text: String
  /// Property lists and XPC objects that the line spells, one text each.
  public var bodies: [String] = []
  public var declaration: AppDeclaration?
  public var clock: AppClock?
  public var internet: InternetMessage?
  /// What a call of AudioAccessoryKit amounts to by those before it; the session tells.
  public internal(set) var configuration: AccessoryControlDevice.Report?

  public init(_ kind: Kind, _ origin: Origin, text: String = "") {
    (self.kind, self.origin, self.text) = (kind, origin, text)
  }

  /// Nil removes the fact.
  public subscript(fact: Fact) -> String? {
    get { facts.first { $0.fact == fact }?.value }
    set {
      facts.removeAll { $0.fact == fact }
      if let newValue { facts.append((fact, newValue)) }
    }
  }

  /// Of the device that it is about, if the line names it.
  public var address: BluetoothAddress? { self[.address].flatMap { BluetoothAddress($0) } }

  /// Whether something went wrong, by what the line is.
  public var severity: Event.Severity {
    switch kind {
    case .extensionNotLaunched, .entitlementMissing, .connectionRejected, .sessionRejected,
      .configurationFailed, .eaStreamError, .eaSessionFailed:
      .error
    case .connectionInterrupted, .completionMissing: .warning
    case .sessionInvalidated: self[.error] == nil ? .info : .warning
    case .messageResult, .wifiSharing, .notification, .accessorySetup, .liveActivity:
      self[.error] == nil ? .info : .error
    case .centralState:
      ["poweredOn", "resetting"].contains(self[.state] ?? "") ? .info : .warning
    case .internetMessage: internet?.isLocked == true ? .warning : .info
    case .line: level == .fault ? .warning : .info
    case .extensionLaunched, .extensionEnded, .connectionRequested, .connectionAccepted,
      .connectionResumed, .connectionInvalidated, .xpcRequest, .sessionRequested, .sessionAccepted,
      .sessionCancelled,
      .securityMessage, .transportMessage, .dataEvent, .forwardingDecision, .deviceFound,
      .deviceConnected, .deviceDisconnected, .configurationRegistered, .configurationRead,
      .configurationUpdated, .eaAccessoryConnected, .eaAccessoryDisconnected, .eaStreamEvent,
      .eaSessionOpened, .eaSessionClosed, .declaration, .clock:
      .info
    }
  }
}

/// The extension points of accessories, as `EXExtensionPointIdentifier` names them.
public enum AccessoryExtensionPoint: String, Hashable, Sendable, CaseIterable {
  case dataProvider = "com.apple.accessory-data-provider"
  case security = "com.apple.accessory-transport-security"
  case transport = "com.apple.accessory-transport-extension"

  /// The entitlement that the system asks of its extensions.
  public var entitlement: String {
    switch self {
    case .dataProvider: "com.apple.developer.accessory-data-provider"
    case .security: "com.apple.developer.accessory-transport-security"
    case .transport: "com.apple.developer.accessory-transport-extension"
    }
  }
}

extension AppEvent {
  /// Whose event it is, as far as that is known.
  public var point: AccessoryExtensionPoint? {
    self[.extensionPoint].flatMap(AccessoryExtensionPoint.init)
  }
}
