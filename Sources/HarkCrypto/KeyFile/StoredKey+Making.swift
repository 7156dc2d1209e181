import HarkCore

/// Why a key of this kind cannot be made of bytes and words.
public enum KeyMakingError: Error, Hashable, Sendable, CustomStringConvertible {
  case key(KeyError)
  /// What is missing for it.
  case needs(String)

  public var description: String {
    switch self {
    case .key(let error): error.description
    case .needs(let what): "it needs \(what)"
    }
  }
}

extension StoredKey {
  /// Where a session's or an internet key belongs.
  public struct Scope: Sendable {
    public var direction: MessageDirection?
    public var session: String?
    public var identifiers: [String] = []
    public var index: UInt32 = 0

    public init() {}
  }

  /// Makes a key of bytes as people write them, most significant first, and wipes these.
  public init(
    _ kind: Kind, _ bytes: inout [UInt8], _ suite: CipherSuite? = nil, _ details: KeyDetails,
    _ scope: Scope = Scope()
  ) throws(KeyMakingError) {
    defer { Sodium.wipe(&bytes) }
    if let missing = Self.missing(kind, suite, details, scope) { throw .needs(missing) }
    do throws(KeyError) {
      self = try Self.make(kind, &bytes, suite ?? .p256, details, scope)
    } catch {
      throw .key(error)
    }
  }

  private static func missing(
    _ kind: Kind, _ suite: CipherSuite?, _ details: KeyDetails, _ scope: Scope
  ) -> String? {
    switch kind {
    case .accessory: suite == nil ? "a suite: p256 or xWing" : nil
    case .session:
      scope.session == nil || scope.direction == nil ? "a session and a direction" : nil
    case .internet: scope.direction == nil ? "a direction" : nil
    case .proximity: details.address == nil ? "the device's address" : nil
    case .ltk, .irk, .csrk, .linkKey, .temporary: nil
    }
  }

  private static func make(
    _ kind: Kind, _ bytes: inout [UInt8], _ suite: CipherSuite, _ details: KeyDetails,
    _ scope: Scope
  ) throws(KeyError) -> StoredKey {
    func bonding(_ kind: BondingKey.Kind) throws(KeyError) -> StoredKey {
      bytes.reverse()
      var key = try BondingKey(kind, &bytes, address: details.address, origin: .file(""))
      key.details = details
      return .bonding(key)
    }
    let direction = scope.direction ?? .hostToAccessory
    switch kind {
    case .accessory:
      var key = try AccessoryKey(
        suite, privateKey: &bytes, identifiers: scope.identifiers, origin: .file(""))
      key.details = details
      return .accessory(key)
    case .session:
      var key = try SessionKey(
        &bytes, direction: direction, session: scope.session ?? "", origin: .file(""))
      key.details = details
      return .session(key)
    case .internet:
      return .internet(
        try InternetKey(
          &bytes, direction: direction, keyID: nil, index: scope.index, details: details,
          origin: .file("")))
    case .ltk: return try bonding(.longTermKey)
    case .irk: return try bonding(.identityResolvingKey)
    case .csrk: return try bonding(.signatureResolvingKey)
    case .linkKey: return try bonding(.linkKey)
    case .proximity: return try bonding(.proximityPairingKey)
    case .temporary: return try bonding(.temporaryKey)
    }
  }
}
