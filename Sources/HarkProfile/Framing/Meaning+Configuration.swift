import HarkCore
import HarkSession

// What a rule makes of messages about the accessory itself.
extension Evaluator {
  mutating func configuration(_ rule: Rule) throws(FramingProblem) -> AccessoryContent {
    if rule.kind == .refuseConfiguration {
      return .configuration(.init(.failed(try needed(.error, of: rule))))
    }
    var change = AccessoryControlDevice.Change()
    change.deviceCapabilities = stated(.deviceCapabilities, rule) { Self.texts($0) }
    change.devicePlacement = stated(.devicePlacement, rule) { $0.text }
    change.primaryAudioSourceDeviceIdentifier = source(.primarySource, rule)
    change.secondaryAudioSourceDeviceIdentifier = source(.secondarySource, rule)
    change.spatialExtensionDescription = stated(.spatialExtensionDescription, rule) { $0.text }
    change.addressOrder = rule.addressOrder
    return .configuration(
      .init(rule.kind == .register ? .register(.init()) : .update(.init()), change))
  }

  /// What is null is not said, unless the rule shows that it is cleared.
  private mutating func stated<Value>(
    _ member: Member, _ rule: Rule, _ read: (ProfileValue) -> Value?
  ) -> AccessoryControlDevice.Stated<Value> {
    if let condition = rule.cleared[member], value(condition).bool == true { return .cleared }
    return read(value(member, of: rule)).map { .value($0) } ?? .nothing
  }

  /// No octets, or only zeros, mean that there is no address.
  private mutating func source(
    _ member: Member, _ rule: Rule
  ) -> AccessoryControlDevice.Stated<[UInt8]> {
    let stated = stated(member, rule) { (value: ProfileValue) -> [UInt8]? in
      // Text spells an address as it is written.
      if case .text(let text) = value { return Hex.bytes(text) }
      guard let octets = value.octets else { return nil }
      return rule.addressOrder == .littleEndian ? octets.reversed() : octets
    }
    if let octets = stated.value, octets.allSatisfy({ $0 == 0 }) { return .cleared }
    return stated
  }

  /// One text, or those of an array.
  static func texts(_ value: ProfileValue) -> [String]? {
    if case .array(let items) = value { return items.compactMap(\.text) }
    return value.text.map { [$0] }
  }

  // MARK: Wi-Fi sharing

  mutating func networkSharing(_ rule: Rule) throws(FramingProblem) -> AccessoryContent {
    if rule.kind == .networkError {
      return .networkSharing(.failed(try needed(.error, of: rule)))
    }
    var network = WINetworkSharing.Network(ssid: try need(text(.ssid, of: rule), .ssid, rule))
    network.isSSIDBroadcast = bool(.isSSIDBroadcast, of: rule)
    network.securityPolicy = Self.texts(value(.securityPolicy, of: rule)) ?? []
    network.credentials = try optional(.credentials, of: rule)
    // Of the password nothing is kept but that there is one.
    if network.credentials == nil, let password = bytes(.password, of: rule) {
      network.credentials = password.isEmpty ? WINetworkSharing.Credentials.none : .password
    }
    return .networkSharing(.network(network))
  }

  // MARK: Sessions

  mutating func sessionContent(_ rule: Rule) throws(FramingProblem) -> AccessoryContent? {
    switch rule.kind {
    case .openExternalAccessory: return try externalAccessory(.open, rule)
    case .closeExternalAccessory:
      return try externalAccessory(.close(toAccessory: 0, fromAccessory: 0), rule)
    case .externalAccessoryStatus:
      let isAccepted = try need(bool(.isAccepted, of: rule), .isAccepted, rule)
      return try externalAccessory(.status(isAccepted: isAccepted), rule)
    case .externalAccessoryData:
      let data = try need(bytes(.data, of: rule), .data, rule)
      return try externalAccessory(.data(count: data.count), rule)
    case .dataEvent:
      let data = try need(bytes(.data, of: rule), .data, rule)
      let feature = text(.featureID, of: rule)
      let event: AccessoryTransportSession.DataEvent =
        bool(.isCiphertext, of: rule) == true
        ? .ciphertext(data: data, featureID: feature ?? "")
        : .plaintext(data: data, featureID: feature ?? "")
      return .transport(.dataEvent(event), sessionID: feature)
    case .transportRequest: return .transport(.sessionRequest, sessionID: id(rule))
    case .transportDecision:
      let error: AccessoryTransportSession.Error? = try optional(.error, of: rule)
      let isAccepted = try need(bool(.isAccepted, of: rule), .isAccepted, rule)
      return .transport(
        .decision(isAccepted ? .accept : .reject(error: error)), sessionID: id(rule))
    case .transportCompleted: return .transport(.completed(try result(rule)), sessionID: id(rule))
    case .transportCancel:
      return .transport(.cancel(error: try optional(.error, of: rule)), sessionID: id(rule))
    case .transportInvalidated:
      return .transport(
        .sessionInvalidated(error: try optional(.error, of: rule)), sessionID: id(rule))
    case .securityRequest: return .security(.sessionRequest, sessionID: id(rule))
    case .securityDecision:
      let error: AccessorySecuritySession.Error? = try optional(.error, of: rule)
      let isAccepted = try need(bool(.isAccepted, of: rule), .isAccepted, rule)
      return .security(
        .decision(isAccepted ? .accept : .reject(error: error)), sessionID: id(rule))
    case .securityCompleted: return .security(.completed(try result(rule)), sessionID: id(rule))
    case .securityCancel:
      return .security(.cancel(error: try optional(.error, of: rule)), sessionID: id(rule))
    case .securityInvalidated:
      return .security(
        .sessionInvalidated(error: try optional(.error, of: rule)), sessionID: id(rule))
    default: return nil
    }
  }

  private mutating func id(_ rule: Rule) -> String? { text(.sessionID, of: rule) }

  private mutating func externalAccessory(
    _ message: EASession.Message, _ rule: Rule
  ) throws(FramingProblem) -> AccessoryContent {
    guard let number = int(.sessionIdentifier, of: rule), let identifier = UInt16(exactly: number)
    else { throw .wrong(field: name(.sessionIdentifier, of: rule)) }
    return .externalAccessory(
      EASession(
        sessionIdentifier: identifier,
        protocolIdentifier: int(.protocolIdentifier, of: rule).flatMap { UInt8(exactly: $0) },
        protocolString: text(.protocolString, of: rule)), message)
  }

  /// Without an error it is a success.
  private mutating func result(_ rule: Rule) throws(FramingProblem) -> AccessoryMessage.Result {
    let error: AccessoryMessage.Error? = try optional(.error, of: rule)
    return error.map { .failure($0) } ?? .success
  }

  // MARK: Apple's names

  /// The case that a member names; nil if it names none. Another name is wrong.
  private mutating func optional<Case: RawRepresentable>(
    _ member: Member, of rule: Rule
  ) throws(FramingProblem) -> Case? where Case.RawValue == String {
    guard let spelled = text(member, of: rule), !spelled.isEmpty else { return nil }
    guard let known = Case(rawValue: spelled) else { throw .wrong(field: name(member, of: rule)) }
    return known
  }

  private mutating func needed<Case: RawRepresentable>(
    _ member: Member, of rule: Rule
  ) throws(FramingProblem) -> Case where Case.RawValue == String {
    let known: Case? = try optional(member, of: rule)
    return try need(known, member, rule)
  }
}
