/// What a message of a profile is: the value of `is`.
enum Kind: String, CaseIterable, Sendable {
  case publicKey = "security.public-key"
  case encapsulatedKey = "security.encapsulated-key"
  /// A private key that the framing sends in the clear.
  case privateKey = "security.private-key"
  case transport = "transport.message"
  case accepted
  case add = "notification.add"
  case update = "notification.update"
  case present = "notification.present"
  case remove = "notification.remove"
  case removeAll = "notification.remove-all"
  case response = "notification.response"
  case clear = "notification.clear"
  case displayed = "notification.displayed"
  case commandResult = "command-result"
  case application
  case register = "configuration.register"
  case updateConfiguration = "configuration.update"
  case refuseConfiguration = "configuration.error"
  case openExternalAccessory = "external-accessory.open"
  case externalAccessoryStatus = "external-accessory.status"
  case externalAccessoryData = "external-accessory.data"
  case closeExternalAccessory = "external-accessory.close"
  case transportRequest = "transport.session-request"
  case transportDecision = "transport.decision"
  case transportCompleted = "transport.completed"
  case transportCancel = "transport.cancel"
  case transportInvalidated = "transport.session-invalidated"
  case securityRequest = "security.session-request"
  case securityDecision = "security.decision"
  case securityCompleted = "security.completed"
  case securityCancel = "security.cancel"
  case securityInvalidated = "security.session-invalidated"
  case dataEvent = "transport.data-event"
  case startActivity = "live-activity.start"
  case updateActivity = "live-activity.update"
  case alertActivity = "live-activity.alert"
  case endActivity = "live-activity.end"
  /// What a side says about itself when it comes.
  case greeting
  case accessoryError = "accessory.error"
  case accessoryRefusal = "accessory.refusal"
  case network = "wifi.network"
  case networkError = "wifi.error"
  /// A part of a message that is split over values.
  case fragment
  /// More than one of these at once.
  case several
  /// From a relay: a receiver arrived, and the sender starts its message over.
  case receiverReady = "receiver-ready"
  /// Something with a message inside.
  case envelope
  /// Known, and nothing that hark has a word for.
  case nothing

  /// Members that are not given in every message, and those without which it is not one.
  var members: (required: [Member], optional: [Member]) {
    switch self {
    case .publicKey: ([.key], Member.steps + [.supportedTransports])
    case .encapsulatedKey: ([.key], Member.steps + [.identifier])
    case .privateKey: ([.key], [.publicKey, .identifier])
    case .transport: ([.sessionID, .data], [.receiptID])
    case .accepted: ([.id], [])
    case .add, .update, .present: ([], Member.notification + Member.whole)
    case .remove, .clear:
      ([.notificationIdentifier], [.sourceIdentifier] + Member.whole)
    case .removeAll: ([], Member.whole)
    case .response:
      (
        [.notificationIdentifier],
        [.sourceIdentifier, .actionIdentifier, .userText] + Member.whole
      )
    case .displayed:
      ([.notificationIdentifier], [.sourceIdentifier, .didAlert] + Member.whole)
    case .commandResult: ([.commandID, .success], [.message] + Member.whole)
    case .application: ([.identifier], [.displayName] + Member.whole)
    case .register, .updateConfiguration: ([], Member.configuration + Member.whole)
    case .refuseConfiguration, .networkError: ([.error], Member.whole)
    case .openExternalAccessory, .closeExternalAccessory:
      ([.sessionIdentifier], Member.externalAccessory + Member.whole)
    case .externalAccessoryStatus:
      ([.sessionIdentifier, .isAccepted], Member.externalAccessory + Member.whole)
    case .externalAccessoryData:
      ([.sessionIdentifier, .data], Member.externalAccessory + Member.whole)
    case .transportRequest, .securityRequest: ([], [.sessionID] + Member.whole)
    case .transportDecision, .securityDecision:
      ([.isAccepted], [.sessionID, .error] + Member.whole)
    case .transportCompleted, .transportCancel, .transportInvalidated, .securityCompleted,
      .securityCancel, .securityInvalidated:
      ([], [.sessionID, .error] + Member.whole)
    case .dataEvent: ([.data], [.featureID, .isCiphertext] + Member.whole)
    case .startActivity, .updateActivity, .alertActivity, .endActivity:
      (
        [],
        [.identifier, .sourceIdentifier, .sourceName, .state, .relevance, .title, .body]
          + Member.whole
      )
    case .greeting: ([], [.displayName, .identifier, .version] + Member.whole)
    case .accessoryError: ([.error], [.message, .commandID] + Member.whole)
    case .accessoryRefusal: ([], [.error, .message, .commandID] + Member.whole)
    case .network:
      ([.ssid], [.isSSIDBroadcast, .securityPolicy, .credentials, .password] + Member.whole)
    case .fragment: ([.body, .more], [.first, .key])
    case .envelope: ([.body], [])
    case .nothing, .several, .receiverReady: ([], [])
    }
  }

  /// Lists of things, each with members of its own.
  var lists: [ItemList] {
    switch self {
    case .add, .update, .present: [.actions, .attachments]
    default: []
    }
  }

  /// Whether it holds a message that is read like the one it is in.
  var hasContents: Bool { self == .fragment || self == .envelope }

  /// Whether it has messages below it.
  var hasMessages: Bool { hasContents || self == .several }
  /// Whether it changes a configuration, of which members can be cleared.
  var isConfiguration: Bool { self == .register || self == .updateConfiguration }

  /// Whether a password may pass with it.
  var isSecret: Bool { self == .network }

  var isActivity: Bool {
    self == .startActivity || self == .updateActivity || self == .alertActivity
      || self == .endActivity
  }

  var isKey: Bool { self == .publicKey || self == .encapsulatedKey || self == .privateKey }

  /// Whether it may be what a plaintext says.
  var isContent: Bool {
    switch self {
    case .publicKey, .encapsulatedKey, .privateKey, .transport, .accepted, .fragment,
      .receiverReady:
      false
    default: true
    }
  }
}

/// What an expression of a rule is for.
enum Member: String, CaseIterable, Sendable {
  case key, suite, version, phase, identifier, data, id, first, more, body, title, subtitle
  case summary, attributes, success, message, uti, size, placeholder, dismiss, error, ssid
  case credentials, password, state, relevance
  case publicKey = "public-key"
  case exchangeID = "exchange-id"
  case receiptID = "receipt-id"
  case supportedTransports = "supported-transports"
  case sessionID = "session-id"
  case messageID = "message-id"
  case messageVersion = "message-version"
  case sentAt = "sent-at"
  case notificationIdentifier = "notification-identifier"
  case sourceIdentifier = "source-identifier"
  case actionIdentifier = "action-identifier"
  case threadIdentifier = "thread-identifier"
  case sourceName = "source-name"
  case displayName = "display-name"
  case bodySize = "body-size"
  case shouldAlert = "should-alert"
  case isSuppressedByFocus = "is-suppressed-by-focus"
  case alertKind = "alert-kind"
  case hasSound = "has-sound"
  case shouldIgnoreSilentMode = "should-ignore-silent-mode"
  case deliveryDate = "delivery-date"
  case displayDate = "display-date"
  case isAllDay = "display-date-is-all-day"
  case sourceIconSize = "source-icon-size"
  case contextIconSize = "context-icon-size"
  case userText = "user-text"
  case didAlert = "did-alert"
  case commandID = "command-id"
  case background
  case textInput = "text-input"
  case unknownType = "unknown-type"
  case unavailableReason = "unavailable-reason"
  case deviceCapabilities = "device-capabilities"
  case devicePlacement = "device-placement"
  case primarySource = "primary-audio-source-device-identifier"
  case secondarySource = "secondary-audio-source-device-identifier"
  case spatialExtensionDescription = "spatial-extension-description"
  case sessionIdentifier = "session-identifier"
  case protocolIdentifier = "protocol-identifier"
  case protocolString = "protocol-string"
  case isAccepted = "is-accepted"
  case isSSIDBroadcast = "is-ssid-broadcast"
  case securityPolicy = "security-policy"
  case featureID = "feature-id"
  case isCiphertext = "is-ciphertext"

  fileprivate static let steps: [Member] = [.suite, .version, .phase, .exchangeID, .receiptID]
  /// Of the plaintext as a whole.
  static let whole: [Member] = [.messageID, .messageVersion, .sentAt]
  fileprivate static let externalAccessory: [Member] = [.protocolIdentifier, .protocolString]
  /// What can be cleared.
  static let configuration: [Member] = [
    .deviceCapabilities, .devicePlacement, .primarySource, .secondarySource,
    .spatialExtensionDescription,
  ]
  fileprivate static let notification: [Member] = [
    .notificationIdentifier, .sourceIdentifier, .sourceName, .title, .subtitle, .body, .bodySize,
    .threadIdentifier, .summary, .attributes, .shouldAlert, .isSuppressedByFocus, .alertKind,
    .hasSound, .shouldIgnoreSilentMode, .deliveryDate, .displayDate, .isAllDay, .sourceIconSize,
    .contextIconSize,
  ]
}

/// A list of a rule: `actions`.
enum ItemList: String, CaseIterable, Sendable {
  case actions, attachments

  var members: (required: [Member], optional: [Member]) {
    switch self {
    case .actions:
      ([.identifier], [.title, .textInput, .placeholder, .background, .dismiss, .unknownType])
    case .attachments: ([.uti], [.size, .unavailableReason])
    }
  }
}
