import HarkCore

/// A key as a key file holds it.
public enum StoredKey: Sendable {
  case accessory(AccessoryKey)
  case session(SessionKey)
  case internet(InternetKey)
  case bonding(BondingKey)

  /// What command lines and JSON call the kinds of keys.
  public enum Kind: String, Sendable, CaseIterable {
    case accessory, session, internet, ltk, irk, csrk
    case linkKey = "link-key"
    case proximity, temporary
  }

  public var kind: Kind {
    switch self {
    case .accessory: .accessory
    case .session: .session
    case .internet: .internet
    case .bonding(let key):
      switch key.kind {
      case .longTermKey: .ltk
      case .identityResolvingKey: .irk
      case .signatureResolvingKey: .csrk
      case .linkKey: .linkKey
      case .proximityPairingKey: .proximity
      case .temporaryKey: .temporary
      }
    }
  }

  public var details: KeyDetails {
    get {
      switch self {
      case .accessory(let key): key.details
      case .session(let key): key.details
      case .internet(let key): key.details
      case .bonding(let key): key.details
      }
    }
    set {
      switch self {
      case .accessory(var key):
        key.details = newValue
        self = .accessory(key)
      case .session(var key):
        key.details = newValue
        self = .session(key)
      case .internet(var key):
        key.details = newValue
        self = .internet(key)
      case .bonding(var key):
        key.details = newValue
        self = .bonding(key)
      }
    }
  }

  public var fingerprint: Fingerprint {
    switch self {
    case .accessory(let key): key.fingerprint
    case .session(let key): key.fingerprint
    case .internet(let key): key.fingerprint
    case .bonding(let key): key.fingerprint
    }
  }

  var secret: Secret {
    switch self {
    case .accessory(let key): key.secret
    case .session(let key): key.secret
    case .internet(let key): key.secret
    case .bonding(let key): key.secret
    }
  }

  /// The key for one device, session or direction: where these differ, the same bytes are another key.
  public struct Identity: Hashable, Sendable {
    let kind: Kind
    let fingerprint: Fingerprint
    let scope: String
  }

  public var identity: Identity {
    let scope =
      switch self {
      case .accessory(let key): key.suite.rawValue
      case .session(let key): key.direction.rawValue + key.session.uppercased()
      case .internet(let key): "\(key.direction.rawValue) \(key.index)"
      case .bonding(let key): key.address?.description ?? ""
      }
    return Identity(kind: kind, fingerprint: fingerprint, scope: scope)
  }

  /// Whether it is the same key with the same scope.
  func isSame(as other: StoredKey) -> Bool {
    identity == other.identity && secret.equals(other.secret)
  }
}

extension KeyFile {
  /// Adds the keys that are not in the file yet, and what it did not know of those that are.
  /// - Returns: How many are new.
  @discardableResult
  public mutating func merge(_ others: [StoredKey]) -> Int {
    var places: [StoredKey.Identity: [Int]] = [:]
    for (index, key) in keys.enumerated() { places[key.identity, default: []].append(index) }
    var added = 0
    for key in others {
      let identity = key.identity
      if let known = places[identity]?.first(where: { keys[$0].isSame(as: key) }) {
        keys[known].details.fill(from: key.details)
        continue
      }
      places[identity, default: []].append(keys.count)
      keys.append(key)
      added += 1
    }
    return added
  }
}

extension KeyDetails {
  /// Takes over what is missing here.
  fileprivate mutating func fill(from other: KeyDetails) {
    name = name ?? other.name
    note = note ?? other.note
    source = source ?? other.source
    address = address ?? other.address
    since = since ?? other.since
    until = until ?? other.until
  }
}
