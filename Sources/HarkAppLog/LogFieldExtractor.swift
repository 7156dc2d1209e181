import HarkCore
import HarkSession

/// Values that lines of logs spell: `keyType: .publicKey`, `SessionID '2756…'`, `data: 176 bytes`.
enum LogFieldExtractor {
  /// All words that are searched for, in lower case: code that replaces words leaves these.
  static let words =
    [
      "keytype: ", "publickey", "encapsulatedkey", "ciphersuite: ", "xwing", "p256", "key: ",
      " bytes", "identifier: ", "data: ", "essionid", "deviceplacement: ", "inear", "onhead",
      "overtheear", "offhead", "devicecapabilities: ", "audiosourcedeviceidentifier: ",
      "protocol ", "protocolstring ", "rawvalue: ", "state=", "state: ", "error domain=",
      "success", "optional(", "version: ", "version1", "supportedtransports: [", "featureid",
      "nsxpcconnection", "xpcsession", "connectionhandler",
    ]
    + (LogNames.centralStates + LogNames.accessoryErrors + LogNames.sharingErrors
    + LogNames.configurationErrors + LogNames.decisions + LogNames.messageErrors
    + LogNames.capabilities + LogNames.setupEvents + LogNames.streamEvents + LogNames.transports
    + LogNames.dataKinds + ["error.unknown", ": unknown"])
    .map { $0.lowercased() }.filter { !Self.common.contains($0) }

  /// Words of English as well: they stay only where a vocabulary keeps them.
  private static let common: Set<String> = ["error", "timeout", "unknown", "placement", "allow"]

  static func take(_ text: String, _ event: inout AppEvent) {
    switch event.kind {
    case .sessionRequested, .sessionAccepted, .messageResult, .extensionLaunched:
      event[.session] = session(text)
    case .sessionRejected, .sessionCancelled, .sessionInvalidated:
      event[.session] = session(text)
      event[.error] = error(of: LogNames.sessionErrors, in: text)
    case .securityMessage:
      let types = ["publicKey", "encapsulatedKey"]
      event[.keyType] =
        one(of: types, after: "keyType: ", in: text)
        ?? words(of: text).map { String($0.word) }.first(where: types.contains)
      event[.cipherSuite] = name(after: "cipherSuite: ", in: text)
      event[.version] = name(after: "version: ", in: text)
      event[.size] = bytes(after: "key: ", in: text)
      event[.transports] = transports(text)
      event[.identifier] = uuid(after: "identifier: ", in: text)
    case .dataEvent:
      event[.dataKind] = words(of: text).map { String($0.word) }
        .first(where: LogNames.dataKinds.contains)
      event[.size] = bytes(in: text)
      event[.feature] = feature(text)
    case .transportMessage:
      event[.session] = session(text)
      event[.size] = bytes(after: "data: ", in: text)
    case .configurationRegistered, .configurationRead, .configurationUpdated:
      configuration(text, &event)
    case .configurationFailed:
      event[.error] = error(of: LogNames.configurationErrors, in: text) ?? text
    case .centralState: event[.state] = state(text)
    case .accessorySetup:
      event[.state] =
        words(of: text).map { String($0.word) }.first(where: LogNames.setupEvents.contains)
        ?? LogNames.setupCalls.first { text.lowercased().utf8Contains($0.word) }?.state
    case .connectionAccepted, .connectionRejected:
      let text = text.lowercased()
      if text.utf8Contains("xpcsession") || text.utf8Contains("connectionhandler") {
        event[.interface] = "XPCSession"
      } else if text.utf8Contains("nsxpcconnection") || text.utf8Contains("accept(connection:") {
        event[.interface] = "NSXPCConnection"
      }
    case .liveActivity:
      event[.state] = text.lowercased().utf8Contains("foralert") ? "alert" : "update"
      if words(of: text).last?.word == "true" { event[.result] = "true" }
    case .eaStreamEvent:
      let text = text.lowercased()
      event[.state] = LogNames.streamEvents.first { text.utf8Contains($0.lowercased()) }
      event[.eaProtocol] = after("protocol ", in: text)
    case .eaSessionOpened, .eaSessionClosed, .eaSessionFailed, .eaStreamError,
      .eaAccessoryConnected:
      event[.eaProtocol] = after("protocol ", in: text) ?? after("protocolString ", in: text)
    default: break
    }
    switch event.kind {
    case .messageResult:
      let isFailure = text.utf8Contains("failure(") || !text.lowercased().utf8Contains("success")
      let failure = isFailure ? LogNames.messageErrors.first { text.utf8Contains($0) } : nil
      event[.result] = failure == nil ? "success" : "failure"
      event[.error] = failure
    case .wifiSharing:
      event[.error] =
        error(
          of: LogNames.sharingErrors.filter { !common.contains($0) }, in: text, anywhere: true)
        ?? error(of: LogNames.sharingErrors, in: text)
    case .notification:
      event[.error] = error(of: LogNames.accessoryErrors, in: text, anywhere: true)
    case .forwardingDecision:
      event[.decision] = decision(text)
      // It only mentions decisions.
      if event[.decision] == nil { event.kind = .line }
    default: break
    }
  }

  // MARK: Names of Apple's

  /// The first of some errors that a line names: after a dot, a colon or a parenthesis; what NSError says
  /// of another; nil if it names none.
  private static func error(
    of names: [String], in text: String, anywhere: Bool = false
  ) -> String? {
    for (word, mark) in words(of: text) where names.contains(String(word)) {
      if anywhere || mark.map({ ".:(=".utf8.contains($0) }) ?? false { return String(word) }
    }
    return text.utf8Range(of: "Error Domain=").map { String(text[$0.lowerBound...].prefix(200)) }
  }

  /// The words of a line, with the last character before each that is no blank.
  private static func words(of text: String) -> [(word: Substring, mark: UInt8?)] {
    var words: [(Substring, UInt8?)] = []
    var (mark, start) = (UInt8?.none, String.Index?.none)
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...0xFF:
        if start == nil { start = index }
      default:
        if let begin = start {
          words.append((text[begin..<index], mark))
          (start, mark) = (nil, nil)
        }
        if byte != 0x20 { mark = byte }
      }
    }
    if let start { words.append((text[start...], mark)) }
    return words
  }

  /// `ForwardingDecision.deny`, `forwarding decision: deny`: the word right after.
  private static func decision(_ text: String) -> String? {
    let words = words(of: text).map { String($0.word) }
    for (index, word) in words.enumerated() where word.lowercased().hasSuffix("decision") {
      let next = words[(index + 1)...].first { !["is", "was"].contains($0) }
      if let next, LogNames.decisions.contains(next) { return next }
    }
    return nil
  }

  /// The names of CBManagerState, or the numbers that Objective-C prints.
  private static func state(_ text: String) -> String? {
    let names = LogNames.centralStates.dropFirst()
    let words = words(of: text)
    if let name = words.first(where: { names.contains(String($0.word)) }) {
      return String(name.word)
    }
    // A word of English as well.
    if words.contains(where: { word, mark in
      word == "unknown" && mark.map { ".:=(".utf8.contains($0) } ?? false
    }) {
      return "unknown"
    }
    for label in ["rawValue: ", "state=", "state: "] {
      guard let found = text.utf8Range(of: label) else { continue }
      let digits = text[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if let name = LogNames.centralState(String(digits)) { return name }
    }
    return nil
  }

  // MARK: What Swift prints of a configuration

  private static func configuration(_ text: String, _ event: inout AppEvent) {
    event[.placement] = one(
      of: ["inEar", "onHead", "overTheEar", "offHead"], after: "devicePlacement: ", in: text)
    if let found = text.utf8Range(of: "deviceCapabilities: ["),
      let end = text[found.upperBound...].firstIndex(of: "]")
    {
      let names = words(of: String(text[found.upperBound..<end])).map { String($0.word) }
        .filter(LogNames.capabilities.contains)
      // Where another stands it is not known how many there are.
      if !names.isEmpty || found.upperBound == end {
        event[.capabilities] = names.joined(separator: ", ")
      }
    }
    event[.primarySource] = source(after: "primaryAudioSourceDeviceIdentifier: ", in: text)
    event[.secondarySource] = source(after: "secondaryAudioSourceDeviceIdentifier: ", in: text)
  }

  /// An address, `nil`, or as Swift prints data `6 bytes`.
  private static func source(after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let value = String(text[found.upperBound...].prefix { $0 != "," })
    if let address = DeviceNames(value).address() { return address }
    // The last value ends with the parenthesis of the configuration.
    let isLast = value.count { $0 == ")" } > value.count { $0 == "(" }
    return LogNames.unwrapped(isLast ? String(value.dropLast()) : value) ?? "nil"
  }

  // MARK: Values of DataEvent and SecurityMessage

  /// `ciphertext(176 bytes, featureID: …)`: the first number in front of ` bytes`.
  private static func bytes(in text: String) -> String? {
    guard let end = text.utf8Range(of: " bytes")?.lowerBound else { return nil }
    let digits = text[..<end].reversed().prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty || digits.count >= 10 ? nil : String(digits.reversed())
  }

  /// What stands after `featureID`, which need not be a UUID; without the label the first UUID.
  private static func feature(_ text: String) -> String? {
    guard let label = text.utf8Range(of: "eatureID") else { return DeviceNames(text).identifier() }
    let value = text[label.upperBound...].drop { " :=\"'".contains($0) }
      .prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_" }
    return value.isEmpty || value.utf8.count > 100 ? nil : String(value)
  }

  /// `supportedTransports: [X.AccessoryTransport.bluetooth, .internet]`
  private static func transports(_ text: String) -> String? {
    guard let found = text.utf8Range(of: "supportedTransports: ["),
      let end = text[found.upperBound...].firstIndex(of: "]")
    else { return nil }
    // Later systems may have more of them.
    let names = text[found.upperBound..<end].split(separator: ",").compactMap { lastName(of: $0) }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  // MARK: Values after labels

  /// The words of a list that the value after a label ends in: `KeyType.publicKey`.
  private static func one(of words: [String], after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let value = text[found.upperBound...].prefix { $0 != "," }
    return words.first { value.utf8Contains($0) }
  }

  /// The name that the value after a label ends in, whether or not it is known: `CipherSuite.p256` → `p256`.
  private static func name(after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    return lastName(of: text[found.upperBound...].prefix { !",)]".contains($0) })
  }

  /// `X.AccessoryTransport.bluetooth` → `bluetooth`; nil for `nil`, `<private>`, and anything else that is no name.
  private static func lastName(of value: Substring) -> String? {
    var value = value.drop(while: \.isWhitespace)
    if value.hasPrefix("Optional(") { value = value.dropFirst("Optional(".count) }
    let name = value.split(separator: ".").last ?? ""
    let isName =
      name.first?.isLetter == true && name.utf8.count <= 40
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isName && name != "nil" ? String(name) : nil
  }

  /// `key: 64 bytes`, as Swift prints data.
  private static func bytes(after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let digits = text[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.utf8.count < 10,
      text[digits.endIndex...].hasPrefix(" bytes")
    else { return nil }
    return String(digits)
  }

  /// A UUID right after a label, also in quotes or parentheses.
  private static func uuid(after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    return DeviceNames(String(text[found.upperBound...].prefix(60))).identifier()
  }

  private static func session(_ text: String) -> String? {
    uuid(after: "essionID", in: text)
  }

  /// A name of an External Accessory protocol, which is in reverse-DNS form.
  private static func after(_ label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let name = text[found.upperBound...].prefix {
      $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_"
    }
    return name.contains(".") ? String(name) : nil
  }
}
