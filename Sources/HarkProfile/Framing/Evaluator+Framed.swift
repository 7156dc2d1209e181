import HarkCore
import HarkCrypto
import HarkSession

extension Evaluator {
  /// What a message is, of those that hold no other, without what cannot be. Nothing that was
  /// noted makes it to the outside.
  mutating func framed(
    _ rule: Rule, _ message: WholeMessage, _ channel: VendorChannel, isSecret: Bool
  ) throws(FramingProblem) -> [Framed] {
    let origin = message.origin
    switch rule.kind {
    case .publicKey: return [Framed(origin, .security(try step(.publicKey, rule)))]
    case .encapsulatedKey: return [Framed(origin, .security(try step(.encapsulatedKey, rule)))]
    case .privateKey: return [try exposed(rule, origin)]
    case .transport:
      let session = try need(short(.sessionID, rule), .sessionID, rule)
      let data = try need(bytes(.data, of: rule), .data, rule)
      let frame = TransportFrame(
        TransportMessage(sessionID: session, data: data), receiptID: short(.receiptID, rule),
        missingBytes: message.missingBytes)
      try check()
      return [Framed(origin, .transport(frame))]
    case .accepted:
      let id = try need(short(.id, rule), .id, rule)
      return [Framed(origin, .accepted(id: id))]
    case .receiverReady: return [Framed(origin, .flowControl(.receiverReady))]
    case .nothing, .fragment, .envelope, .several: return []
    default:
      let uuid: BluetoothUUID =
        if case .characteristic(let uuid) = channel { uuid } else { BluetoothUUID(high: 0, low: 0) }
      let bytes = isSecret ? [] : message.bytes
      return try contents(rule).map {
        Framed(origin, .plain(PlainMessage($0, uuid, bytes: bytes)))
      }
    }
  }

  // Mutating, so that the value is worked out before what is wrong with it is looked at.
  mutating func need<T>(
    _ value: T?, _ member: Member, _ rule: Rule
  ) throws(FramingProblem) -> T {
    try check()
    guard let value else { throw .missing(field: name(member, of: rule)) }
    return value
  }

  /// A text that names something: UUIDs have 36 bytes. Each candidate for a key is derived from
  /// some of them: long ones would take the time of hours.
  mutating func short(_ member: Member, _ rule: Rule) -> String? {
    guard let text = text(member, of: rule) else { return nil }
    if text.utf8.count <= 255 { return text }
    note(.wrong(field: name(member, of: rule)))
    return nil
  }

  /// The same of a message that cannot be read otherwise, and of what it is besides.
  mutating func name(_ member: Member, _ rule: Rule) -> String? {
    if let name = short(member, rule) { return name }
    for inner in rule.contents?.rules ?? [] where rule.kind == .several {
      if let name = short(member, inner) { return name }
    }
    return nil
  }

  private mutating func step(
    _ type: SecurityMessage.KeyType, _ rule: Rule
  ) throws(FramingProblem) -> SecurityStep {
    let key = try need(bytes(.key, of: rule), .key, rule)
    let token = short(.suite, rule)
    try check()
    var message: SecurityMessage
    if let suite = rule.suite, token == nil {
      message = SecurityMessage(keyType: type, cipherSuite: suite, key: key)
    } else {
      guard let named = SecurityMessage(type, suite: token, key: key) else {
        throw .wrong(field: name(.suite, of: rule))
      }
      message = named
      message.cipherSuiteToken = token
    }
    if rule.needsExactSize, !message.hasExpectedSize {
      throw .keySize(type, found: key.count)
    }
    message.version = short(.version, rule)
    message.identifier = short(.identifier, rule)
    message.supportedTransports = (Self.texts(value(.supportedTransports, of: rule)) ?? [])
      .compactMap(AccessoryTransport.init)
    let step = SecurityStep(
      message, phase: text(.phase, of: rule).flatMap { SecurityStep.Phase(rawValue: $0) },
      exchangeID: short(.exchangeID, rule), receiptID: short(.receiptID, rule))
    try check()
    return step
  }

  /// The key, or why there is none: without its bytes, on whatever channel.
  private mutating func exposed(
    _ rule: Rule, _ origin: MessageOrigin
  ) throws(FramingProblem) -> Framed {
    var key = try need(bytes(.key, of: rule), .key, rule)
    let (publicKey, identifier) = (bytes(.publicKey, of: rule), short(.identifier, rule))
    try check()
    // Private keys of both suites may have 32 bytes: the public key shows the suite.
    if rule.suite == nil { _ = try need(publicKey, .publicKey, rule) }
    defer { for index in key.indices { key[index] = 0 } }
    var failure: KeyError?
    for suite in rule.suite.map({ [$0] }) ?? CipherSuite.allCases {
      var octets = key
      do throws(KeyError) {
        let found = try AccessoryKey(
          suite, privateKey: &octets, publicKey: publicKey,
          identifiers: identifier.map { [$0] } ?? [],
          origin: .capture(origin.frames.last ?? PacketID(0)))
        return Framed(origin, .exposedKey(found))
      } catch {
        failure = failure ?? error
      }
    }
    let problem = FramingProblem.privateKey(reason: failure?.description ?? "")
    return Framed(origin, .unreadable(UnreadableMessage(problem, bytes: [])))
  }
}
