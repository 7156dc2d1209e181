import HarkCore
import HarkSession

/// Values that lines of logs spell: `keyType: .publicKey`, `SessionID '2756…'`, `data: 176 bytes`.
enum SpokenFacts {
  /// All that is looked for, in lower case: whoever replaces words leaves these.
  static let words = [
    "keytype: ", "publickey", "encapsulatedkey", "ciphersuite: ", "xwing", "p256", "key: ",
    " bytes", "identifier: ", "data: ", "essionid", "deviceplacement: ", "inear", "onhead",
    "overtheear",
    "offhead", "protocol ", "protocolstring ", "resetting", "unsupported", "unauthorized",
    "poweredoff", "poweredon", "rawvalue: ", "transportfailed", "transportunavailable",
    "accessorytransportnotsecured", "accessorynotauthorized", "accessorynotconnected",
  ]

  static func take(_ text: String, _ event: inout AppEvent) {
    switch event.kind {
    case .sessionRequested, .sessionAccepted, .sessionRejected, .sessionCancelled,
      .sessionInvalidated, .messageResult, .extensionLaunched:
      event[.session] = session(text)
    case .securityMessage:
      event[.keyType] = one(of: ["publicKey", "encapsulatedKey"], behind: "keyType: ", in: text)
      event[.cipherSuite] = one(of: ["xWing", "p256"], behind: "cipherSuite: ", in: text)
      event[.size] = bytes(behind: "key: ", in: text)
      event[.identifier] = uuid(behind: "identifier: ", in: text)
    case .transportMessage:
      event[.session] = session(text)
      event[.size] = bytes(behind: "data: ", in: text)
    case .configurationRegistered, .configurationUpdated:
      event[.placement] = one(
        of: ["inEar", "onHead", "overTheEar", "offHead"], behind: "devicePlacement: ", in: text)
    case .centralState:
      event[.state] = state(text)
    case .eaSessionOpened, .eaSessionClosed, .eaStreamError:
      event[.eaProtocol] = behind("protocol ", in: text) ?? behind("protocolString ", in: text)
    default: break
    }
    switch event.kind {
    case .messageResult:
      let failure = ["transportFailed", "transportUnavailable"].first { text.utf8Contains($0) }
      event[.result] = failure == nil ? "success" : "failure"
      event[.error] = failure
    case .wifiSharing:
      event[.error] = [
        "accessoryTransportNotSecured", "accessoryNotAuthorized", "accessoryNotConnected",
      ].first { text.utf8Contains($0) }
    default: break
    }
  }

  /// The words of a list that the value behind a label ends in: `KeyType.publicKey`.
  private static func one(of words: [String], behind label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let value = text[found.upperBound...].prefix { $0 != "," }
    return words.first { value.utf8Contains($0) }
  }

  /// `key: 64 bytes`, as Swift prints data.
  private static func bytes(behind label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let digits = text[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.utf8.count < 10,
      text[digits.endIndex...].hasPrefix(" bytes")
    else { return nil }
    return String(digits)
  }

  /// A UUID right behind a label, also in quotes or parentheses.
  private static func uuid(behind label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    return DeviceNames(String(text[found.upperBound...].prefix(60))).identifier()
  }

  private static func session(_ text: String) -> String? {
    uuid(behind: "essionID", in: text)
  }

  /// A name of an External Accessory protocol, which is in reverse-DNS form.
  private static func behind(_ label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let name = text[found.upperBound...].prefix {
      $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_"
    }
    return name.contains(".") ? String(name) : nil
  }

  /// The names of CBManagerState, or the numbers that Objective-C prints.
  private static func state(_ text: String) -> String? {
    let names = ["unknown", "resetting", "unsupported", "unauthorized", "poweredOff", "poweredOn"]
    if let name = names.dropFirst().first(where: { text.utf8Contains($0) }) { return name }
    guard let found = text.utf8Range(of: "rawValue: "),
      let number = text[found.upperBound...].first?.wholeNumberValue, names.indices.contains(number)
    else { return nil }
    return names[number]
  }
}
