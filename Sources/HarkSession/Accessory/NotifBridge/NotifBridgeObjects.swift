import FoundationEssentials
import HarkCore
import HarkCrypto

/// NotifBridge's JSON objects, as Swift's JSONEncoder writes them: data in base64.
enum NotifBridgeObjects {
  /// All members of all objects; which of them there are tells the object.
  private struct Members: Decodable {
    // ShareKeyEvent and KeyExchangePacket
    var phase: String?
    var exchangeID: String?
    var receiptID: String?
    var identifier: String?
    var ciphersuite: String?
    var version: String?
    var encapsulatedKey: String?
    var publicKey: String?
    var privateKeySeed: String?
    // NotificationEnvelope
    var sessionID: String?
    var data: String?
    // DeliveryReceipt
    var kind: String?
    var id: String?
  }

  private struct Name: CodingKey, Comparable {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    static func < (a: Name, b: Name) -> Bool { a.stringValue < b.stringValue }
  }

  /// The names of an object's members, whatever they hold.
  private struct Names: Decodable {
    var names: [String]
    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: Name.self).allKeys.sorted().map(\.stringValue)
    }
  }

  private static let accepted = "notifbridge.accepted.v1"
  /// In place of JSON, from the relay.
  private static let receiverReady = Array("NB-RECEIVER-READY-1".utf8)

  /// Reads every object of a message, and says what is wrong with the rest.
  /// - Parameter isSecret: Whether a private key may pass here; nothing is then kept of a message
  ///   that cannot be read.
  static func read(_ message: PartialMessage, isSecret: Bool) -> [Framed] {
    let origin = message.origin
    let bytes = message.bytes
    let shown = isSecret || holdsSeed(bytes) ? [] : bytes.prefix(UnreadableMessage.keptBytes)
    if bytes == receiverReady { return [Framed(origin, .flowControl(.receiverReady))] }
    if message.missingBytes > 0 {
      let problem = FramingProblem.cutByCapture(missingBytes: message.missingBytes)
      return [
        Framed(origin, .unreadable(UnreadableMessage(problem, bytes: shown)))
      ]
    }
    let scan = JSONScan(bytes)
    var framed = scan.objects.flatMap { object($0, of: bytes, shown, origin) }
    if scan.objects.count > 1 {
      let problem = FramingProblem.concatenatedJSON(objects: scan.objects.count)
      framed.append(
        Framed(origin, .unreadable(UnreadableMessage(problem, bytes: shown))))
    }
    if let problem = scan.problem {
      framed.append(
        Framed(origin, .unreadable(UnreadableMessage(problem, bytes: shown))))
    }
    return framed
  }

  /// Whether the name of the private key's member is in the text.
  private static func holdsSeed(_ bytes: [UInt8]) -> Bool {
    let name = Array("privateKeySeed".utf8)
    return bytes.indices.contains {
      bytes[$0] == name[0] && bytes[$0...].starts(with: name)
    }
  }

  private static func object(
    _ range: Range<Int>, of bytes: [UInt8], _ shown: ArraySlice<UInt8>, _ origin: MessageOrigin
  ) -> [Framed] {
    let data = Data(bytes[range])
    var members = Members()
    do throws(FramingProblem) {
      do {
        members = try JSONDecoder().decode(Members.self, from: data)
      } catch {
        throw problem(error, at: range.lowerBound)
      }
      try checkLengths(members)
      return try meaning(members, data, origin)
    } catch {
      let message = UnreadableMessage(
        error, bytes: shown, sessionID: members.sessionID.short,
        receiptID: members.receiptID.short)
      return [Framed(origin, .unreadable(message))]
    }
  }

  /// Each candidate for a key is derived from these texts: long ones would take the time of hours.
  private static func checkLengths(_ members: Members) throws(FramingProblem) {
    let texts = [
      ("sessionID", members.sessionID), ("identifier", members.identifier),
      ("ciphersuite", members.ciphersuite), ("version", members.version),
      ("receiptID", members.receiptID), ("exchangeID", members.exchangeID), ("id", members.id),
    ]
    for (name, text) in texts where text != text.short { throw .wrong(field: name) }
  }

  private static func problem(_ error: any Error, at offset: Int) -> FramingProblem {
    guard case .typeMismatch(_, let context) = error as? DecodingError,
      let name = context.codingPath.last?.stringValue
    else { return .notJSON(offset: offset) }
    return .wrong(field: name)
  }

  private static func meaning(
    _ members: Members, _ data: Data, _ origin: MessageOrigin
  ) throws(FramingProblem) -> [Framed] {
    if members.kind == accepted {
      guard let id = members.id else { throw .missing(field: "id") }
      return [Framed(origin, .accepted(id: id))]
    }
    if let session = members.sessionID {
      guard let text = members.data else { throw .missing(field: "data") }
      let blob = try Base64.decode(text, field: "data")
      let message = TransportMessage(sessionID: session, data: blob)
      return [
        Framed(origin, .transport(TransportFrame(message, receiptID: members.receiptID)))
      ]
    }
    if members.phase != nil || members.encapsulatedKey != nil || members.publicKey != nil {
      return try keys(members, origin)
    }
    let names = (try? JSONDecoder().decode(Names.self, from: data))?.names ?? []
    throw .unknownObject(members: Array(names.prefix(32)))
  }

  /// The private key first, then its public key, then what opens with both.
  private static func keys(
    _ members: Members, _ origin: MessageOrigin
  ) throws(FramingProblem) -> [Framed] {
    var framed: [Framed] = []
    let publicKey = try bytes(members.publicKey, "publicKey")
    let encapsulated = try bytes(members.encapsulatedKey, "encapsulatedKey")
    if var seed = try bytes(members.privateKeySeed, "privateKeySeed") {
      framed.append(exposed(&seed, publicKey: publicKey, members, origin))
    }
    let keys: [(SecurityMessage.KeyType, [UInt8]?)] = [
      (.publicKey, publicKey), (.encapsulatedKey, encapsulated),
    ]
    for (type, key) in keys {
      guard let key else { continue }
      guard var message = SecurityMessage(type, suite: members.ciphersuite ?? "XWing", key: key)
      else { throw .wrong(field: "ciphersuite") }
      message.cipherSuiteToken = members.ciphersuite
      message.version = members.version
      if type == .encapsulatedKey { message.identifier = members.identifier }
      let step = SecurityStep(
        message, phase: members.phase.flatMap { SecurityStep.Phase(rawValue: $0) },
        exchangeID: members.exchangeID, receiptID: members.receiptID)
      framed.append(Framed(origin, .security(step)))
    }
    if framed.isEmpty { throw .missing(field: "publicKey") }
    return framed
  }

  private static func bytes(
    _ text: String?, _ field: String
  ) throws(FramingProblem) -> [UInt8]? {
    guard let text else { return nil }
    return try Base64.decode(text, field: field)
  }

  private static func exposed(
    _ seed: inout [UInt8], publicKey: [UInt8]?, _ members: Members, _ origin: MessageOrigin
  ) -> Framed {
    do {
      let packet = origin.frames.last ?? PacketID(0)
      let key = try AccessoryKey(
        .xWing, privateKey: &seed, publicKey: publicKey,
        identifiers: members.identifier.map { [$0] } ?? [], origin: .capture(packet))
      return Framed(origin, .exposedKey(key))
    } catch {
      let problem = FramingProblem.privateKey(reason: error.description)
      return Framed(origin, .unreadable(UnreadableMessage(problem, bytes: [])))
    }
  }
}

extension String? {
  /// Nil for a text that is too long for a name: UUIDs have 36 bytes.
  fileprivate var short: String? { self.flatMap { $0.utf8.count <= 255 ? $0 : nil } }
}
