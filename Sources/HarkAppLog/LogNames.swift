import HarkCore
import HarkCrypto
import HarkSession

/// Apple's names in what Swift and Objective-C print of values, in logs and in journals.
enum LogNames {
  static let centralStates = [
    "unknown", "resetting", "unsupported", "unauthorized", "poweredOff", "poweredOn",
  ]
  static let decisions = ["allow", "limited", "deny", "undetermined"]
  /// As far as they are known: Apple may have more.
  static let accessoryErrors = [
    "unsupportedAccessory", "unsupportedPlatform", "coordinationTimeout",
    "accessoryNotificationsUnavailable", "invalidNotificationResponse",
  ]
  static let messageErrors = AccessoryMessage.Error.allCases.map(\.rawValue)
  static let capabilities = AccessoryControlDevice.Capability.allCases.map(\.rawValue)
  static let sharingErrors = WINetworkSharing.Error.allCases.map(\.rawValue)
  static let configurationErrors = AccessoryControlDevice.Error.allCases.map(\.rawValue)
  static let sessionErrors = AccessoryTransportSession.Error.allCases.map(\.rawValue)

  /// The extension whose session a line mentions, in lower case.
  static let securityWords = [
    "accessorysecuritysession", "accessorytransportsecurity", "security session",
    "accessory-transport-security",
  ]
  static let transportWords = [
    "accessorytransportsession", "accessorytransportappextension", "transport session",
    "accessory-transport-extension",
  ]

  /// Nil if a line names neither or both.
  static func point(of text: String) -> AccessoryExtensionPoint? {
    let text = text.lowercased()
    let isSecurity = securityWords.contains { text.utf8Contains($0) }
    let isTransport = transportWords.contains { text.utf8Contains($0) }
    if isSecurity == isTransport { return nil }
    return isSecurity ? .security : .transport
  }

  /// `ASAccessoryEventType` of AccessorySetupKit.
  static let setupEvents = [
    "accessoryAdded", "accessoryRemoved", "accessoryChanged", "pickerDidPresent",
    "pickerDidDismiss", "pickerSetupBridging", "pickerSetupPairing", "pickerSetupRename",
    "pickerSetupFailed", "migrationComplete", "accessoryDiscovered",
  ]
  /// Calls of an ASAccessorySession, and what became of it, in lower case.
  static let setupCalls = [
    (word: "showpicker(", state: "showPicker"),
    (word: "removeaccessory(", state: "removeAccessory"), (word: "activate", state: "activated"),
    (word: "invalidate", state: "invalidated"), (word: "failed", state: "failed"),
  ]
  /// `Stream.Event` of an EASession's streams.
  static let streamEvents = [
    "openCompleted", "hasBytesAvailable", "hasSpaceAvailable", "endEncountered",
  ]
  static let transports = AccessoryTransport.allCases.map(\.rawValue)
  static let dataKinds = ["ciphertext", "plaintext"]

  /// The value of a fact under its names; nil if the line states that there is none.
  static func value(_ text: String, of fact: AppEvent.Fact) -> String? {
    switch fact {
    case .placement, .primarySource, .secondarySource:
      // Lines also state that there is none.
      return unwrapped(text).map(fact == .placement ? lastPart : { $0 }) ?? "nil"
    case .state: return unwrapped(text).map { centralState($0) ?? lastPart($0) }
    case .error, .result, .decision, .keyType, .cipherSuite, .transport, .dataKind:
      return unwrapped(text).map(lastPart)
    case .session, .feature, .identifier, .address, .name, .entitlement, .extensionPoint, .service,
      .size:
      return unwrapped(text)
    default: return text == "nil" ? nil : text
    }
  }

  /// `Optional(x)` is `x`; nil for `nil` and `<null>`.
  static func unwrapped(_ text: String) -> String? {
    var text = text[...]
    while text.hasPrefix("Optional("), text.hasSuffix(")") {
      text = text.dropFirst("Optional(".count).dropLast()
      if text.count > 1, text.first == "\"", text.last == "\"" {
        text = text.dropFirst().dropLast()
      }
    }
    return ["", "nil", "<null>", "(null)"].contains(text) ? nil : String(text)
  }

  /// `AccessoryMessage.Error.transportFailed` → `transportFailed`; other texts as they are.
  private static func lastPart(_ text: String) -> String {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last, let first = last.first, first.isLowercase,
      text.utf8.allSatisfy({
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
          || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0
      }),
      parts.dropLast().allSatisfy({ $0.isEmpty || $0.first?.isUppercase == true })
    else { return text }
    return String(last)
  }

  /// The name of a CBManagerState: `.poweredOff`, `CBManagerState(rawValue: 4)`, `4`.
  static func centralState(_ text: String) -> String? {
    if let name = centralStates.first(where: { $0 == lastPart(text) }) { return name }
    let digits: Substring
    if let found = text.utf8Range(of: "rawValue: ") {
      digits = text[found.upperBound...].prefix { $0 != ")" }
    } else {
      digits = text[...]
    }
    guard let number = Int(digits), centralStates.indices.contains(number) else { return nil }
    return centralStates[number]
  }
}
