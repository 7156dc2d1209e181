import HarkCore
import HarkCrypto
import HarkSession

// The texts and keys in vendors' messages, by the events that describe them.
extension PersonalDataCollector {
  private static let mostSessions = 1_000

  /// Whether the capture contains a private key, as far as it was read.
  var exposesKey: Bool { !exposed.isEmpty }

  mutating func take(_ event: Event, _ session: borrowing Session) {
    guard case .accessory(let accessory) = event.content else { return }
    let numbers = level == .share ? accessory.frames.map(\.number) : []
    framedPackets.formUnion(numbers)
    switch accessory.content {
    case .plain(let message):
      plainPackets.formUnion(numbers)
      for content in message.contents { take(content, accessory.framing, accessory.frames) }
    case .message(let message):
      sealedPackets.formUnion(numbers)
      if message.opened != nil { openedMessages += 1 }
      if level == .share, sessions.count < Self.mostSessions { sessions.insert(message.sessionID) }
      // A value decrypted with a given key may also occur elsewhere.
      for content in message.opened?.decoded.contents ?? [] {
        take(content, accessory.framing, [])
      }
      if exposesKey, level == .share {
        add(.sealed, message.sealed, accessory.frames)
      } else {
        sealedMessages += 1
      }
    case .exposedKey(let event):
      sealedPackets.formUnion(numbers)
      exposed.insert(event.fingerprint)
      let key = session.keys.setAside.first { $0.fingerprint == event.fingerprint }
      let isEscaped = hasBackslash(accessory.frames, session)
      if key.map({ takeExposed($0, accessory.frames, isEscaped: isEscaped) }) != true {
        unkept.formUnion(numbers)
      }
    case .incomplete(.noAnswer): break
    // Which parts are texts is unknown in a message that cannot be read to its end.
    case .incomplete: unkept.formUnion(numbers)
    case .unreadable(let message) where message.problem.mayHideTexts:
      unkept.formUnion(numbers)
    case .unreadable: plainPackets.formUnion(numbers)
    case .publicKey, .encapsulatedKey, .keyExchangeComplete, .accepted, .flowControl:
      sealedPackets.formUnion(numbers)
    // They report no text of a person.
    case .sessionSeen, .sessionMoved, .observation, .blank: break
    }
  }

  private mutating func take(
    _ content: AccessoryContent, _ framing: String, _ frames: [PacketID]
  ) {
    if statedTexts[framing] == nil {
      statedTexts[framing] = framings.statedTexts(of: framing)
    }
    for address in content.addresses { add(.address, address, frames) }
    let described = DescribedTexts(of: content)
    for text in texts(of: content, described, framing) {
      add(.text, Array(text.utf8), frames)
      // In the capture, other bytes are where U+FFFD replaces what is not UTF-8.
      let parts = text.split(separator: "\u{FFFD}")
      guard parts.count > 1 || parts.first.map({ $0.count < text.count }) == true else { continue }
      for part in parts { add(.text, Array(part.utf8), frames) }
    }
    // Programs also give names to what is only encrypted.
    guard level == .share, !frames.isEmpty else { return }
    for name in names(in: content, described, framing) {
      let value = PersonalValue(kind: .text, bytes: Array(name.text.utf8))
      let index = name.isCounted ? table.add(unsearched: value) : table.add(value)
      if let index { local.append((index, frames)) }
    }
  }

  mutating func add(_ kind: PersonalKind, _ bytes: [UInt8], _ frames: [PacketID]) {
    guard let index = table.add(PersonalValue(kind: kind, bytes: bytes)) else { return }
    if !frames.isEmpty, level == .share { local.append((index, frames)) }
  }

  /// In channels that carry keys or passwords, only keys and encrypted messages stay: nothing names the rest.
  mutating func takeSecretPackets(_ session: borrowing Session) {
    guard level == .share, !kept.isEmpty, session.packets.count > 0 else { return }
    // A server repeats what it is to queue.
    for (request, answer) in answers where sealedPackets.contains(request) {
      sealedPackets.insert(answer)
    }
    for number in 1...UInt32(session.packets.count)
    where session.packets[number]?.flags.contains(.secret) == true {
      if !sealedPackets.contains(number) || plainPackets.contains(number) { unkept.insert(number) }
    }
  }

  // MARK: Texts

  /// Whether packets have fields for the texts of a framing: those of Apple's own services do.
  private static func hasFields(_ framing: String) -> Bool {
    framing == ANCS.name || framing == AMS.name
  }

  private func isStated(_ text: String, _ framing: String) -> Bool {
    (statedTexts[framing] ?? framings.statedTexts(of: framing)).contains(text)
  }

  /// The texts of people in what a message says.
  private func texts(
    of content: AccessoryContent, _ described: DescribedTexts, _ framing: String
  ) -> [String] {
    if case .media = content, Self.hasFields(framing) { return [] }
    return described.texts.filter { !$0.isEmpty && !isStated($0, framing) }
  }

  /// The names in what a message says that may have been made from data of a person: no UUIDs, short numbers, digits of
  /// bytes, or words of programs. Programs also count what they name: some telephone numbers look like that. In a text
  /// they are replaced; of a message in which they are a number, they may stay.
  private func names(
    in content: AccessoryContent, _ described: DescribedTexts, _ framing: String
  ) -> [(text: String, isCounted: Bool)] {
    if Self.hasFields(framing) { return [] }
    return described.identifiers.compactMap { name in
      let bytes = Array(name.utf8)
      guard bytes.count >= SecretPattern.shortest, !isStated(name, framing) else { return nil }
      if Self.isNumber(name) { return bytes.count > Self.shortNumber ? (name, true) : nil }
      if Self.isDigits(bytes) || isKnown(bytes) { return nil }
      let unknown = name.utf8.split { !Self.isOfWord($0) }.map(Array.init).filter { !isKnown($0) }
      let isCounted =
        !unknown.isEmpty
        && unknown.allSatisfy {
          $0.count <= Self.shortNumber && $0.allSatisfy { 0x30...0x39 ~= $0 }
        }
      return (name, isCounted)
    }
  }

  /// The most digits of a number that is hardly one of a telephone.
  private static let shortNumber = 9

  private static func isOfWord(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF || byte >= 0x80
  }

  /// Whether it consists of words that programs use.
  private func isKnown(_ text: [UInt8]) -> Bool {
    words.find(in: LogView(text.indices, of: text), .text(constant: [])).isEmpty
  }

  /// Whether it is a number of 32 bits.
  private static func isNumber(_ name: String) -> Bool {
    UInt32(name).map { "\($0)" == name } ?? false
  }

  /// Whether it is a UUID, or the hexadecimal digits of up to eight bytes: telephone numbers have no letters.
  private static func isDigits(_ name: [UInt8]) -> Bool {
    let digits = name.filter { $0 != UInt8(ascii: "-") }
    guard digits.allSatisfy({ Hex.value(of: $0) != nil }) else { return false }
    return digits.count == 32
      || name.count <= 16 && digits.count == name.count && name.contains { $0 > UInt8(ascii: "9") }
  }

  // MARK: Proof

  /// Whether an event of the redacted capture shows a text, an address or a key that was to be removed from undecoded
  /// bytes.
  func isLeft(in accessory: AccessoryEvent) -> Bool {
    guard accessory.frames.contains(where: { keptPackets.contains($0.number) }) else {
      return false
    }
    switch accessory.content {
    case .plain(let message):
      return message.contents.contains { isLeft(in: $0, accessory.framing) }
    case .message(let message):
      return message.opened?.decoded.contents.contains { isLeft(in: $0, accessory.framing) }
        ?? false
    case .exposedKey(let event): return exposed.contains(event.fingerprint)
    case .publicKey, .encapsulatedKey, .keyExchangeComplete, .sessionSeen, .sessionMoved,
      .observation, .accepted, .flowControl, .incomplete, .unreadable, .blank:
      return false
    }
  }

  private func isLeft(in content: AccessoryContent, _ framing: String) -> Bool {
    let described = DescribedTexts(of: content)
    let names = names(in: content, described, framing).filter { !$0.isCounted }.map(\.text)
    return content.addresses.contains { isLeft(PersonalValue(kind: .address, bytes: $0)) }
      || (texts(of: content, described, framing) + names).contains { text in
        text.split(separator: "\u{FFFD}").contains { part in
          part.utf8.count >= Rewriting.shortest
            && part.unicodeScalars.contains {
              !$0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
            && !isPseudonym(Array(part.utf8))
        }
      }
  }

  private func isLeft(_ value: PersonalValue) -> Bool {
    guard let index = table.find(value) else { return false }
    return table.changes(index) && !table.isPseudonym(value.bytes)
  }

  /// Whether a text is one that the redaction made, or kept.
  private func isPseudonym(_ text: [UInt8]) -> Bool {
    if table.isPseudonym(text) { return true }
    guard let index = table.find(PersonalValue(kind: .text, bytes: text)) else { return false }
    return !table.changes(index)
  }
}

extension FramingProblem {
  /// Whether a message may have texts that the profile knows in other messages: not a key, and no message of which the
  /// profile knows nothing. Each of several JSON objects is read.
  fileprivate var mayHideTexts: Bool {
    switch self {
    case .empty, .unknownType, .unknownObject, .unknownArray, .scalarJSON, .concatenatedJSON,
      .keySize:
      false
    case .tooShort, .trailing, .privateKey, .valueTooLong, .notJSON, .truncatedJSON,
      .deepJSON, .tooDeep, .tooMany, .missing, .wrong, .unknownValue, .base64MidQuantum,
      .base64Character,
      .cutByCapture:
      true
    }
  }
}
