import HarkCore

/// The key exchanges of one accessory, in the order they were seen.
public struct KeyExchange: Sendable {
  /// Generations kept, at most.
  public static let mostGenerations = 8

  /// Newest last.
  public internal(set) var generations: [KeyGeneration] = []
  /// Fingerprints of the public keys last announced.
  public private(set) var publicKeys: [CipherSuite: Fingerprint] = [:]
  /// Fingerprint of the public key announced last, of whatever suite.
  public private(set) var lastPublicKey: Fingerprint?
  /// Identifiers the phone used for the accessory, newest last.
  public private(set) var identifiers: [String] = []
  /// Counts exchanges, forgotten ones too.
  public private(set) var count = 0

  /// What a public key on the air means.
  public struct PublicKeySighting: Hashable, Sendable {
    public let fingerprint: Fingerprint
    /// The key that was announced before, if another.
    public let replaces: Fingerprint?
    /// Why it cannot be a public key; one of a wrong size is then not taken.
    public let defect: String?
  }

  /// What an encapsulated key on the air means.
  public struct EncapsulatedKeySighting: Hashable, Sendable {
    /// The generation it starts, or belongs to if it is a repetition.
    public let generation: Int
    /// The previous generation of the same phone, which it ends; nil for the first one, for a repetition of the last one, and
    /// for what cannot be an encapsulated key.
    public let replaces: Int?
    /// The packet that had the same encapsulated key.
    public let repeats: PacketID?
    /// Why it cannot be one.
    public let defect: String?
  }

  mutating func publicKey(_ bytes: [UInt8], _ suite: CipherSuite) -> PublicKeySighting {
    let fingerprint = Fingerprint(publicKey: bytes)
    let isPrefixed = suite == .p256 && bytes.count == 65 && bytes.first == 0x04
    guard bytes.count == suite.publicKeySize || isPrefixed else {
      let defect = "\(bytes.count) bytes; a \(suite.name) public key has \(suite.publicKeySize)"
      return PublicKeySighting(fingerprint: fingerprint, replaces: nil, defect: defect)
    }
    lastPublicKey = fingerprint
    let earlier = publicKeys.updateValue(fingerprint, forKey: suite)
    // It is what the accessory announces all the same: the phone may have got the right one.
    let isPoint = suite != .p256 || KeyShape.p256.fits(bytes.suffix(64))
    return PublicKeySighting(
      fingerprint: fingerprint, replaces: earlier == fingerprint ? nil : earlier,
      defect: isPoint ? nil : KeyShape.notOnCurve)
  }

  mutating func encapsulatedKey(_ key: EncapsulatedKey) -> EncapsulatedKeySighting {
    if let identifier = key.identifier { note(identifier: identifier) }
    let last = generations.lastIndex { $0.key.isOfSamePeer(as: key) }
    if let last, generations[last].key.suite == key.suite, generations[last].key.bytes == key.bytes
    {
      let known = generations[last]
      if known.key.identifier == nil { generations[last].key.identifier = key.identifier }
      return EncapsulatedKeySighting(
        generation: known.number, replaces: nil, repeats: known.key.packet, defect: known.defect)
    }
    if let again = returned(key) { return again }
    count += 1
    // Keys of one phone do not end those of another.
    let number = generations.filter { $0.key.isOfSamePeer(as: key) }.map(\.number).max() ?? 0
    let current = generations.last { $0.key.isOfSamePeer(as: key) && $0.defect == nil }?.number
    let new = KeyGeneration(
      number: number + 1, serial: count, key: key, publicKey: publicKeys[key.suite])
    generations.append(new)
    if generations.count > Self.mostGenerations { generations.removeFirst() }
    return EncapsulatedKeySighting(
      generation: new.number, replaces: new.defect == nil ? current : nil, repeats: nil,
      defect: new.defect)
  }

  /// An encapsulated key that is not the last one comes once more: its generation is the current one again.
  private mutating func returned(_ key: EncapsulatedKey) -> EncapsulatedKeySighting? {
    let place = generations.lastIndex {
      $0.key.isOfSamePeer(as: key) && $0.key.suite == key.suite && $0.key.bytes == key.bytes
        && $0.key.identifier?.uppercased() == key.identifier?.uppercased() && $0.defect == nil
    }
    guard let place else { return nil }
    var known = generations.remove(at: place)
    let ended = generations.last { $0.key.isOfSamePeer(as: key) && $0.defect == nil }?.number
    let packet = known.key.packet
    known.comeAgain(as: key)
    generations.append(known)
    return EncapsulatedKeySighting(
      generation: known.number, replaces: ended, repeats: packet, defect: nil)
  }

  /// Whether the exchange in `packet` is that of another phone than `peer`, which has made its own.
  public func isOfOther(_ packet: PacketID, than peer: UInt32) -> Bool {
    guard let used = generations.first(where: { $0.isSent(in: packet) })?.key, used.peer != nil,
      let own = generations.last(where: { $0.key.peer == peer && $0.defect == nil })?.key
    else { return false }
    return !used.isOfSamePeer(as: own)
  }

  /// Takes the public keys that another exchange of the same accessory saw last.
  mutating func announce(_ other: KeyExchange) {
    publicKeys.merge(other.publicKeys) { $1 }
    lastPublicKey = other.lastPublicKey ?? lastPublicKey
    for identifier in other.identifiers { note(identifier: identifier) }
  }

  mutating func note(identifier: String) {
    identifiers.removeAll { $0 == identifier }
    identifiers.append(identifier)
    if identifiers.count > 8 { identifiers.removeFirst() }
  }
}
