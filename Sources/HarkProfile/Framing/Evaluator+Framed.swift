import HarkCore
import HarkCrypto
import HarkSession

extension Evaluator {
  /// What a message is, of those that hold no other; nil for nothing.
  mutating func framed(
    _ rule: Rule, _ message: WholeMessage, _ channel: VendorChannel, isSecret: Bool
  ) throws(FramingProblem) -> Framed? {
    let origin = message.origin
    switch rule.kind {
    case .publicKey: return Framed(origin, .security(try step(.publicKey, rule)))
    case .encapsulatedKey: return Framed(origin, .security(try step(.encapsulatedKey, rule)))
    case .privateKey: return Framed(origin, .exposedKey(try exposed(rule, origin)))
    case .transport:
      let session = try need(text(.sessionID, of: rule), .sessionID)
      let data = try need(bytes(.data, of: rule), .data)
      let frame = TransportFrame(
        TransportMessage(sessionID: session, data: data),
        receiptID: try short(.receiptID, rule), missingBytes: message.missingBytes)
      return Framed(origin, .transport(frame))
    case .accepted: return Framed(origin, .accepted(id: try need(text(.id, of: rule), .id)))
    case .nothing, .fragment, .envelope: return nil
    default:
      guard let content = try content(rule) else {
        throw .missing(field: rule.kind.members.required.first?.rawValue ?? "")
      }
      let uuid: BluetoothUUID =
        if case .characteristic(let uuid) = channel { uuid } else { BluetoothUUID(high: 0, low: 0) }
      let bytes = isSecret ? [] : message.bytes
      return Framed(origin, .plain(PlainMessage(content, uuid, bytes: bytes)))
    }
  }

  func need<T>(_ value: T?, _ member: Member) throws(FramingProblem) -> T {
    guard let value else { throw .missing(field: member.rawValue) }
    return value
  }

  /// A text that names something: UUIDs have 36 bytes. Each candidate for a key is derived from
  /// some of them: long ones would take the time of hours.
  private mutating func short(
    _ member: Member, _ rule: Rule
  ) throws(FramingProblem) -> String? {
    guard let text = text(member, of: rule) else { return nil }
    guard text.utf8.count <= 255 else { throw .wrong(field: member.rawValue) }
    return text
  }

  private mutating func step(
    _ type: SecurityMessage.KeyType, _ rule: Rule
  ) throws(FramingProblem) -> SecurityStep {
    let key = try need(bytes(.key, of: rule), .key)
    var message: SecurityMessage
    if let suite = rule.suite {
      message = SecurityMessage(keyType: type, cipherSuite: suite, key: key)
    } else {
      let token = try short(.suite, rule)
      guard let named = SecurityMessage(type, suite: token, key: key) else {
        throw .wrong(field: Member.suite.rawValue)
      }
      message = named
      message.cipherSuiteToken = token
    }
    if rule.needsExactSize, !message.hasExpectedSize {
      throw .keySize(type, found: key.count)
    }
    message.version = try short(.version, rule)
    message.identifier = try short(.identifier, rule)
    return SecurityStep(
      message, phase: text(.phase, of: rule).flatMap { SecurityStep.Phase(rawValue: $0) },
      exchangeID: try short(.exchangeID, rule), receiptID: try short(.receiptID, rule))
  }

  private mutating func exposed(
    _ rule: Rule, _ origin: MessageOrigin
  ) throws(FramingProblem) -> AccessoryKey {
    var key = try need(bytes(.key, of: rule), .key)
    let identifier = try short(.identifier, rule)
    do {
      return try AccessoryKey(
        rule.suite ?? .xWing, privateKey: &key, publicKey: bytes(.publicKey, of: rule),
        identifiers: identifier.map { [$0] } ?? [],
        origin: .capture(origin.frames.last ?? PacketID(0)))
    } catch {
      throw .privateKey(reason: error.description)
    }
  }
}
