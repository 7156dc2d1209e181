import HarkCore

/// An event of the app's side, which no packet shows: a line of a log or of a journal,
/// and its meaning.
public struct AppEvent: Sendable {
  /// The kind of event, by its name in JSON and journals.
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

    /// AccessorySetupKit: an `ASAccessoryEventType`, or the outcome of the picker.
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
    /// `EASession(accessory:forProtocol:)` returned nil.
    case eaSessionFailed = "ea-session-failed"
    case eaStreamEvent = "ea-stream-event"
    case eaSessionOpened = "ea-session-opened"
    case eaSessionClosed = "ea-session-closed"
    case eaStreamError = "ea-stream-error"

    case wifiSharing = "wifi-sharing"

    /// A message of the internet transport, from a file of APNs payloads.
    case internetMessage = "internet-message"
    /// A line with unknown wording, from a process that matters.
    case line
    /// The declarations in the app's Info.plist and entitlements.
    case declaration
    /// How the clock of a log was matched with the capture's.
    case clock
  }

  /// A fact in a line, by its name in JSON and journals.
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
    /// CoreBluetooth's identifier of a peripheral, a UUID.
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
    /// The path that the user gave.
    public var path: String
    /// From 1; 0 for the file as a whole.
    public var line: Int

    public init(file path: String, line: Int) { (self.path, self.line) = (path, line) }

    /// The file's name, without its folders.
    public var file: String { path.fileName }

    /// `journal.ndjson:3`.
    public var text: String { line > 0 ? "\(file):\(line)" : file }
  }

  public var kind: Kind
  public var origin: Origin
  /// Whether the app itself states it; otherwise hark interpreted the wording of a log line.
  public var isCertain = false
  /// Whether an extension reports it, by the path of its process or by its journal.
  public var isExtension = false
  /// Whether the container app reports it, determined the same way.
  public var isContainerApp = false
  public var process: String?
  public var pid: Int?
  public var subsystem: String?
  public var category: String?
  public var level: Level?
  /// In the given order.
  public private(set) var facts: [(fact: Fact, value: String)] = []
  /// The unchanged line.
  public var text: String
  /// Property lists and XPC objects in the line, one text each.
  public var bodies: [String] = []
  public var declaration: AppDeclaration?
  public var clock: AppClock?
  public var internet: InternetMessage?
  /// What a call of AudioAccessoryKit means after the calls before it; the session sets this.
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

  /// The device concerned, if the line names it.
  public var address: BluetoothAddress? { self[.address].flatMap { BluetoothAddress($0) } }

  /// Whether the line reports a problem.
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
      ["poweredOff", "unsupported", "unauthorized"].contains(self[.state] ?? "") ? .warning : .info
    case .extensionEnded: self[.error] == nil ? .info : .warning
    case .internetMessage: internet?.isLocked == true ? .warning : .info
    case .line: level == .fault ? .warning : .info
    case .extensionLaunched, .connectionRequested, .connectionAccepted,
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

/// The extension points of accessories, with the names in `EXExtensionPointIdentifier`.
public enum AccessoryExtensionPoint: String, Hashable, Sendable, CaseIterable {
  case dataProvider = "com.apple.accessory-data-provider"
  case security = "com.apple.accessory-transport-security"
  case transport = "com.apple.accessory-transport-extension"

  /// The entitlement that the system requires of its extensions.
  public var entitlement: String {
    switch self {
    case .dataProvider: "com.apple.developer.accessory-data-provider"
    case .security: "com.apple.developer.accessory-transport-security"
    case .transport: "com.apple.developer.accessory-transport-extension"
    }
  }
}

extension AppEvent {
  /// The device concerned, as far as it is known.
  public var point: AccessoryExtensionPoint? {
    self[.extensionPoint].flatMap(AccessoryExtensionPoint.init)
  }
}
