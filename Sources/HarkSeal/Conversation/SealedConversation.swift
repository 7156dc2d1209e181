import Crypto
import HarkCore
import HarkCrypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is asked for of a conversation.
package struct SealRequest: Sendable {
  package var suite: CipherSuite
  /// 1216 bytes for X-Wing; 64 or 65 for P-256.
  package var publicKey: [UInt8]
  package var identifier: String
  package var session: String
  /// The same seed makes the same conversation; nil for an unpredictable one.
  package var seed: String?
  package var framing: SealFraming
  package var fault: SealFault?
  package var notifications: [ForwardedNotification]

  package init(
    _ suite: CipherSuite, publicKey: [UInt8], identifier: String, session: String,
    seed: String? = nil, framing: SealFraming, fault: SealFault? = nil,
    notifications: [ForwardedNotification]
  ) {
    (self.suite, self.publicKey, self.seed) = (suite, publicKey, seed)
    (self.identifier, self.session) = (identifier, session)
    (self.framing, self.fault, self.notifications) = (framing, fault, notifications)
  }
}

/// Encapsulated keys and sealed notifications, as a phone sends them to an accessory.
package struct SealedConversation: Sendable {
  package struct Exchange: Hashable, Sendable {
    package let encapsulatedKey: [UInt8]
  }

  package struct Message: Hashable, Sendable {
    /// How many exchanges come before it.
    package let exchanges: Int
    /// IV, ciphertext and tag.
    package let blob: [UInt8]
  }

  /// A value that is written to a characteristic.
  package struct Value: Hashable, Sendable {
    package let characteristic: String
    package let bytes: [UInt8]
  }

  package let suite: CipherSuite
  package let framing: SealFraming
  package let publicKey: [UInt8]
  package let identifier: String
  package let session: String
  package private(set) var exchanges: [Exchange] = []
  package private(set) var messages: [Message] = []
  /// In the order in which they are sent.
  package private(set) var values: [Value] = []

  /// Values are at most so long: of an ATT_MTU of 247, without opcode and handle.
  static let longestValue = 244

  /// Seals what is asked for.
  package init(_ request: SealRequest) throws(SealError) {
    (suite, framing) = (request.suite, request.framing)
    let isPrefixed = suite == .p256 && request.publicKey.count == 65
    publicKey = isPrefixed ? Array(request.publicKey.dropFirst()) : request.publicKey
    (identifier, session) = (request.identifier, request.session)
    if let only = framing.suite, only != suite {
      throw SealError("\(framing.rawValue) uses only \(only.name) keys, not \(suite.name)")
    }
    if framing == .none, request.fault?.needsFraming == true {
      throw SealError("a fault in transmitted data needs the framing of a profile")
    }
    var randomness = SealRandomness(request.seed)
    var senders: [KeySender] = []
    func key(_ generation: Int) -> SymmetricKey {
      let version = request.fault == .derivation ? "version1" : "Version1"
      let info = "\(suite.spellings[0])-\(version)-\(identifier)"
      return senders[generation].key(
        info: info,
        context: "\(info)-\(MessageDirection.hostToAccessory.rawValue)-\(session)")
    }
    func exchange() throws(SealError) {
      let bytes = randomness.next(KeySender.randomnessSize(suite))
      guard let sender = KeySender(suite, publicKey: request.publicKey, randomness: bytes) else {
        throw SealError("\(request.publicKey.count) bytes are not a \(suite.name) public key")
      }
      senders.append(sender)
      exchanges.append(Exchange(encapsulatedKey: sender.encapsulatedKey))
      values += framing.values(
        exchanges[exchanges.count - 1], identifier: identifier, publicKey: publicKey,
        longest: Self.longestValue)
    }

    var notifications = request.notifications
    if request.fault?.needsTwo == true, notifications.count < 2 {
      notifications.append(ForwardedNotification(.removeAll))
    }
    try exchange()
    var iv: [UInt8] = []
    for (index, notification) in notifications.enumerated() {
      if request.fault == .oldKey, index == 1 { try exchange() }
      let isReused = request.fault == .nonceReuse && index == 1
      if !isReused { iv = randomness.next(12) }
      let isOld = request.fault == .oldKey && index == 1
      let plaintext = try framing.plaintext(notification, number: index + 1)
      var blob = try Self.seal(plaintext, key(isOld ? 0 : senders.count - 1), iv)
      if request.fault == .tampered, index == 0 { blob[12] ^= 0x01 }
      messages.append(Message(exchanges: exchanges.count, blob: blob))
      let isCut = request.fault == .lostPart && index == 0
      let parts = framing.values(
        blob, session: session, longest: Self.longestValue, isSplit: isCut)
      values += isCut ? parts.dropLast() : parts
    }
  }

  private static func seal(
    _ plaintext: [UInt8], _ key: SymmetricKey, _ iv: [UInt8]
  ) throws(SealError) -> [UInt8] {
    guard let nonce = try? AES.GCM.Nonce(data: iv),
      let box = try? AES.GCM.seal(plaintext, using: key, nonce: nonce), let blob = box.combined
    else { throw SealError("AES-GCM cannot seal \(plaintext.count) bytes") }
    return Array(blob)
  }
}

/// Random bytes, or those that follow from a seed.
private struct SealRandomness {
  private let seed: SymmetricKey?
  private var count = 0

  init(_ seed: String?) {
    self.seed = seed.map {
      SymmetricKey(data: SHA256.hash(data: Array("hark seal ".utf8) + Array($0.utf8)))
    }
  }

  mutating func next(_ size: Int) -> [UInt8] {
    count += 1
    guard let seed else { return SymmetricKey(size: .init(bitCount: size * 8)).octets }
    return HKDF<SHA256>.expand(
      pseudoRandomKey: seed, info: Array("part \(count)".utf8), outputByteCount: size
    ).octets
  }
}

// Conversations that were written, read again.
extension SealedConversation {
  /// The form of `write`, and of what `init` takes.
  package func write(to out: inout TextBuffer) {
    out.string("{\n  \"format\": \"hark-sealed\",\n  \"version\": 1,\n  \"cipherSuite\": ")
    out.json(suite.rawValue)
    out.string(",\n  \"profile\": \"\(framing.rawValue)\",\n  \"publicKey\": \"")
    out.string(Hex.text(publicKey))
    out.string("\",\n  \"identifier\": ")
    out.json(identifier)
    out.string(",\n  \"sessionID\": ")
    out.json(session)
    list("encapsulatedKeys", exchanges, to: &out) { exchange, out in
      out.string("\"\(Hex.text(exchange.encapsulatedKey))\"")
    }
    list("messages", messages, to: &out) { message, out in
      out.string(
        "{\"exchanges\": \(message.exchanges), \"sealed\": \"\(Hex.text(message.blob))\"}")
    }
    list("values", values, to: &out) { value, out in
      out.string("{\"characteristic\": \"\(value.characteristic)\", \"value\": \"")
      out.string("\(Hex.text(value.bytes))\"}")
    }
    out.string("\n}\n")
  }

  private func list<Element>(
    _ name: String, _ elements: [Element], to out: inout TextBuffer,
    _ write: (Element, inout TextBuffer) -> Void
  ) {
    out.string(",\n  \"\(name)\": [")
    for (index, element) in elements.enumerated() {
      out.string(index == 0 ? "\n    " : ",\n    ")
      write(element, &out)
    }
    out.string(elements.isEmpty ? "]" : "\n  ]")
  }

  /// A conversation to which parts are added as they are read.
  init(_ suite: CipherSuite, _ framing: SealFraming, identifier: String, session: String) {
    (self.suite, self.framing, publicKey) = (suite, framing, [])
    (self.identifier, self.session) = (identifier, session)
  }

  /// Adds bytes to the last part, or begins one if there are none.
  /// - Parameter title: `encapsulated key 1`, `message 2`, `value 3 to 50000002-…`.
  mutating func append(_ bytes: [UInt8], to title: String) {
    if title.hasPrefix("encapsulated key ") {
      let before = bytes.isEmpty ? [] : exchanges.popLast()?.encapsulatedKey ?? []
      exchanges.append(Exchange(encapsulatedKey: before + bytes))
    } else if title.hasPrefix("message ") {
      let before = bytes.isEmpty ? [] : messages.popLast()?.blob ?? []
      messages.append(Message(exchanges: exchanges.count, blob: before + bytes))
    } else if title.hasPrefix("value "), let characteristic = title.split(separator: " ").last {
      let before = bytes.isEmpty ? [] : values.popLast()?.bytes ?? []
      values.append(Value(characteristic: String(characteristic), bytes: before + bytes))
    }
  }

  /// Reads what `write` writes.
  package init(json bytes: [UInt8]) throws(SealError) {
    let reader = MemberReader(bytes)
    let root = try reader.root()
    guard case .object(let list) = root.value,
      let format = list.first(where: { $0.name == "format" })?.value,
      try reader.text(format, "format") == "hark-sealed"
    else {
      throw SealError("neither an output of 'hark seal' nor payloads for APNs")
    }
    let members = try reader.object(
      root, "",
      [
        "format", "version", "cipherSuite", "profile", "publicKey", "identifier", "sessionID",
        "encapsulatedKeys", "messages", "values",
      ])
    func text(_ name: String) throws(SealError) -> String {
      guard let node = members[name] else { throw SealError("\(name) is missing") }
      return try reader.text(node, name)
    }
    guard case .number(let range)? = members["version"]?.value,
      String(decoding: bytes[range], as: UTF8.self) == "1"
    else { throw SealError("version must be 1") }
    let spelling = try text("cipherSuite")
    guard let suite = CipherSuite(spelling: spelling) else {
      throw SealError("cipherSuite must be \"xWing\" or \"p256\"")
    }
    guard let framing = SealFraming(rawValue: try text("profile")) else {
      throw SealError(
        "profile must be one of \(SealFraming.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    (self.suite, self.framing) = (suite, framing)
    publicKey = try reader.hex(members["publicKey"], "publicKey")
    (identifier, session) = (try text("identifier"), try text("sessionID"))
    for node in try reader.elements(members["encapsulatedKeys"], "encapsulatedKeys") {
      exchanges.append(Exchange(encapsulatedKey: try reader.hex(node, "encapsulatedKeys")))
    }
    for node in try reader.elements(members["messages"], "messages") {
      let members = try reader.object(node, "messages", ["exchanges", "sealed"])
      var count = exchanges.count
      if case .number(let range)? = members["exchanges"]?.value,
        let number = Int(String(decoding: bytes[range], as: UTF8.self))
      {
        count = number
      }
      messages.append(
        Message(exchanges: count, blob: try reader.hex(members["sealed"], "messages.sealed")))
    }
    for node in try reader.elements(members["values"], "values") {
      let members = try reader.object(node, "values", ["characteristic", "value"])
      guard let characteristic = members["characteristic"] else {
        throw SealError("values.characteristic is missing")
      }
      values.append(
        Value(
          characteristic: try reader.text(characteristic, "values.characteristic"),
          bytes: try reader.hex(members["value"], "values.value")))
    }
  }
}

// Firmware's side of a conversation.
extension SealedConversation {
  /// What became of one message.
  package struct OpenedMessage: Sendable {
    package let notification: ForwardedNotification?
    /// Why there is no plaintext, or what is unusual about its decryption.
    package let remarks: [String]
  }

  /// Opens every message with the keys of `ring`, each at its place among the exchanges.
  package func open(with ring: KeyRing) -> [OpenedMessage] {
    var (ring, decryptor, known) = (ring, Decryptor(), 0)
    var result: [OpenedMessage] = []
    var places: [Value: [Int]] = [:]
    for (place, value) in values.enumerated() { places[value, default: []].append(place) }
    for (index, message) in messages.enumerated() {
      while known < min(message.exchanges, exchanges.count) {
        known += 1
        // The public key is not announced: a message may be opened with any key of the ring.
        _ = decryptor.encapsulatedKey(
          EncapsulatedKey(
            exchanges[known - 1].encapsulatedKey, suite: suite, packet: PacketID(UInt32(known)),
            identifier: identifier))
      }
      let opened = decryptor.open(
        SealedMessage(
          message.blob, session: session, direction: .hostToAccessory,
          packet: PacketID(UInt32(exchanges.count + index + 1))),
        with: &ring)
      result.append(describe(opened, message, ring, isSent: isSent(message, places)))
    }
    return result
  }

  /// Whether the values carry the whole message; true too if there are no values.
  /// - Parameter places: Where each value is among the values.
  private func isSent(_ message: Message, _ places: [Value: [Int]]) -> Bool {
    values.isEmpty
      || [false, true].contains { isSplit in
        let parts = framing.values(
          message.blob, session: session, longest: Self.longestValue, isSplit: isSplit)
        // The first of several may be a sentinel, which all messages have.
        let offset = parts.count > 1 ? 1 : 0
        guard parts.count > offset else { return true }
        return (places[parts[offset]] ?? []).prefix(Self.mostCopies).contains { place in
          place >= offset && values[(place - offset)...].starts(with: parts)
        }
      }
  }

  /// Equal values that are looked at.
  private static let mostCopies = 16

  /// Why a message cannot be opened. The decryptor has no public key: the file has it, or, made of a text, has none.
  private func words(of verdict: Verdict, _ message: Message, _ ring: KeyRing) -> String {
    let announced = publicKey.isEmpty ? nil : Fingerprint(publicKey: publicKey)
    switch verdict {
    case .noPrivateKey(let suite, nil):
      if let announced { return "\(Verdict.noPrivateKey(suite, publicKey: announced))" }
      return "the accessory's private key (\(suite.name)) is missing; add it to a key file"
    case .tagFails:
      // Keys of other accessories were tried.
      if let announced, !ring.accessoryKeys.contains(where: { $0.fingerprint == announced }) {
        return "\(Verdict.noPrivateKey(suite, publicKey: announced))"
      }
    case .noEncapsulatedKey:
      return exchanges.isEmpty
        ? "there is no encapsulated key: encapsulatedKeys is empty"
        : "no encapsulated key comes before the message: its \"exchanges\" is \(message.exchanges)"
    case .unusableEncapsulatedKey:
      let used = exchanges.prefix(max(0, message.exchanges)).last
      if let count = used?.encapsulatedKey.count, count != suite.encapsulatedKeySize {
        let reason = "\(count) bytes; \(suite.name) needs \(suite.encapsulatedKeySize)"
        return "\(Verdict.unusableEncapsulatedKey(reason: reason))"
      }
    case .noPrivateKey, .tooShort, .incomplete, .cutByCapture, .unknownSession, .wrongForm,
      .keysOfOther,
      .keysRefused, .partRefused, .partRepeated, .partsInterleaved, .sessionKeysFail,
      .notEncrypted:
      break
    }
    return "\(verdict)"
  }

  private func describe(
    _ opened: Opened, _ message: Message, _ ring: KeyRing, isSent: Bool
  ) -> OpenedMessage {
    var remarks: [String] = []
    if !isSent {
      remarks.append("a part of it is not among the values: firmware does not receive it whole")
    }
    if let verdict = opened.verdict { remarks.append(words(of: verdict, message, ring)) }
    if !publicKey.isEmpty, let used = opened.keyUse?.exchange?.privateKey,
      used != Fingerprint(publicKey: publicKey)
    {
      remarks.append(
        "it is encrypted for public key \(used), but publicKey is \(Fingerprint(publicKey: publicKey))"
      )
    }
    if let use = opened.keyUse, !use.deviations.isEmpty { remarks.append(use.summary) }
    remarks += opened.observations.map { observation in
      switch observation {
      case .duplicate: "the same bytes as an earlier message: a retry or a replay"
      case .otherCopy:
        "the IV and the tag of an earlier message: one of the two lacks a part or is damaged"
      case .nonceReuse: "nonce reuse: the IV of an earlier message"
      case .staleGeneration(let used, let newest, _):
        "encrypted with key generation \(used); generation \(newest) is current"
      }
    }
    guard let plaintext = opened.plaintext else {
      return OpenedMessage(notification: nil, remarks: remarks)
    }
    do {
      return OpenedMessage(notification: try framing.notification(plaintext), remarks: remarks)
    } catch {
      return OpenedMessage(notification: nil, remarks: remarks + [error.description])
    }
  }
}
