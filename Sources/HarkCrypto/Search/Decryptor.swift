import Crypto
import HarkCore

/// Opens the messages of one accessory: follows its key exchanges, finds the derivation that fits,
/// and says why where none does.
public struct Decryptor: Sendable {
  /// Messages of one generation that may fail with every candidate before only the usual spellings
  /// are tried.
  public static let mostFailures = 16
  /// Messages remembered for duplicates and reused IVs.
  static let remembered = 16_384

  public internal(set) var exchange = KeyExchange()

  /// A session's key that opened a message.
  struct LiveKey: Sendable {
    let session: String?
    let direction: MessageDirection
    let secret: Secret
    let use: KeyUse
  }

  /// What was seen of a blob before.
  struct Earlier: Sendable {
    let packet: PacketID
    let verdict: Verdict?
    let revision: Int
  }

  struct NonceID: Hashable, Sendable {
    let iv: [UInt8]
    let key: Fingerprint?
    let session: String?
    let direction: MessageDirection?
    let generation: Int?
  }

  var liveKeys: [LiveKey] = []
  var recipes: [MessageDirection: [DerivationVariant]] = [:]
  var sessions: [String] = []
  /// The newest key exchange whose keys of the internet transport are known.
  var exportedGeneration = 0
  /// What is left for the whole grid; nothing that a capture holds renews it.
  var searchBudget = SearchBudget.accessory
  /// Whether a message with a right key had a wrong form.
  var hasWrongForm = false
  private var seen = RecentValues<[UInt8], Earlier>(capacity: remembered)
  private var nonces = RecentValues<NonceID, PacketID>(capacity: remembered)
  /// By IV and tag.
  private var copies = RecentValues<[UInt8], Copy>(capacity: remembered)

  private struct Copy: Sendable {
    let packet: PacketID
    let size: Int
  }

  public init() {}

  /// Takes a public key that the accessory announced: 1216 bytes, or 64 or 65 for P-256.
  public mutating func publicKey(_ bytes: [UInt8], suite: CipherSuite)
    -> KeyExchange.PublicKeySighting
  {
    exchange.publicKey(bytes, suite)
  }

  /// Takes an encapsulated key that the phone sent: a new key generation, unless it is the last one
  /// once more.
  public mutating func encapsulatedKey(_ key: EncapsulatedKey)
    -> KeyExchange.EncapsulatedKeySighting
  {
    exchange.encapsulatedKey(key)
  }

  /// Takes an identifier of the accessory that was seen elsewhere, as one more candidate.
  public mutating func identifier(_ text: String) {
    exchange.note(identifier: text)
  }

  /// Opens a message with the keys of `ring`, or says why it stays locked. What the search costs is
  /// counted in `ring`, for the whole capture.
  public mutating func open(_ message: SealedMessage, with ring: inout KeyRing) -> Opened {
    defer { Sodium.wipeStack() }
    guard let box = SealedBox(message.blob) else {
      return Opened(outcome: .locked(.tooShort(bytes: message.blob.count)), observations: [])
    }
    let digest = Array(SHA256.hash(data: message.blob).prefix(16))
    let revision = exchange.count + ring.revision
    let earlier = seen[digest]
    let outcome: Opened.Outcome
    if let earlier, let verdict = earlier.verdict, earlier.revision == revision {
      outcome = .locked(verdict)
    } else {
      outcome = find(message, box, &ring)
    }
    if let session = message.session { note(session: session) }

    let opened = Opened(outcome: outcome, observations: [])
    var observations: [Observation] = []
    if let earlier {
      observations.append(.duplicate(of: earlier.packet))
    } else {
      let (copy, reuse) = (otherCopy(message), nonceReuse(message, opened.keyUse))
      if let odd = copy ?? reuse { observations.append(odd) }
    }
    if let stale = staleness(message, opened.keyUse) { observations.append(stale) }
    seen.set(
      digest,
      Earlier(
        packet: earlier?.packet ?? message.packet, verdict: opened.verdict, revision: revision))
    return Opened(outcome: outcome, observations: observations)
  }

  /// Tries a message once more that `open` has left locked, as there are keys now that there were not then. What there is
  /// to observe of it was said.
  public mutating func reopen(_ message: SealedMessage, with ring: inout KeyRing) -> Opened {
    defer { Sodium.wipeStack() }
    guard let box = SealedBox(message.blob) else {
      return Opened(outcome: .locked(.tooShort(bytes: message.blob.count)), observations: [])
    }
    return Opened(outcome: find(message, box, &ring), observations: [])
  }

  /// The packet of the key exchange whose keys open the message with a usual derivation; nil if there is none.
  public func exchange(opening message: SealedMessage, with ring: inout KeyRing) -> PacketID? {
    guard !exchange.generations.isEmpty, let box = SealedBox(message.blob) else { return nil }
    defer { Sodium.wipeStack() }
    // What is found is not remembered: the message is another accessory's, or its keys were refused.
    var trial = self
    trial.exportedGeneration = .max
    return trial.openWithUsualKeys(message, box, &ring)?.exchange?.packet
  }

  /// Whether a key opens the message. What is found is not remembered: the message was not sent like this.
  public mutating func opens(_ message: SealedMessage, with ring: inout KeyRing) -> Bool {
    guard let box = SealedBox(message.blob) else { return false }
    defer { Sodium.wipeStack() }
    var trial = self
    trial.exportedGeneration = .max
    // What the search costs counts all the same.
    defer { searchBudget = trial.searchBudget }
    if case .plaintext = trial.find(message, box, &ring) { return true }
    return false
  }

  /// Takes what is known of the same accessory from another address.
  public mutating func inherit(_ other: Decryptor) {
    let own = exchange
    self = other
    exchange.announce(own)
  }

  private mutating func note(session: String) {
    let session = Candidates.standard(session)
    guard sessions.last != session else { return }
    sessions.removeAll { $0 == session }
    sessions.append(session)
    if sessions.count > 8 { sessions.removeFirst() }
  }

  /// Two messages do not have the same tag by chance.
  private mutating func otherCopy(_ message: SealedMessage) -> Observation? {
    let id = Array(message.blob.prefix(12) + message.blob.suffix(16))
    defer { copies.set(id, Copy(packet: message.packet, size: message.blob.count)) }
    return copies[id].map {
      .otherCopy(of: $0.packet, missing: message.blob.count - $0.size)
    }
  }

  private mutating func nonceReuse(_ message: SealedMessage, _ use: KeyUse?) -> Observation? {
    let id = NonceID(
      iv: Array(message.blob.prefix(12)), key: use?.key,
      session: use == nil ? message.session : nil,
      direction: use == nil ? message.direction : nil,
      generation: use == nil ? exchange.count : nil)
    if let packet = nonces[id] { return .nonceReuse(with: packet, isCertain: use != nil) }
    nonces.set(id, message.packet)
    return nil
  }

  private func staleness(_ message: SealedMessage, _ use: KeyUse?) -> Observation? {
    guard let used = use?.exchange else { return nil }
    let generations = exchange.generations
    let place = generations.lastIndex { $0.isSent(in: used.packet) }
    let own = place.map { generations[$0] }
    // What cannot be an encapsulated key yields no keys that could be used instead, and a message that began before an
    // exchange cannot be encrypted with its keys.
    let current = generations.lastIndex { other in
      other.defect == nil && own?.key.isOfSamePeer(as: other.key) ?? true
        && other.key.packet < message.firstPacket
    }
    guard let current else { return nil }
    let newest = generations[current]
    // The last one in order is the current one, even if its number is not the highest.
    guard place.map({ $0 < current }) ?? (used.generation < newest.number) else { return nil }
    return .staleGeneration(
      used: used.generation, newest: newest.number, since: newest.key.packet)
  }
}
