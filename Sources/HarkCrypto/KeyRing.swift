import HarkCore

/// Every key that is known: from key files, and from the capture itself. It only grows, but
/// for what the search for derivations may still cost.
public struct KeyRing: Sendable {
  /// How many keys of one kind are kept: a capture may not fill the memory with them.
  public static let capacity = 1024

  public private(set) var accessoryKeys: [AccessoryKey] = []
  public private(set) var sessionKeys: [SessionKey] = []
  public private(set) var bondingKeys: [BondingKey] = []
  /// Whether a key of proximity pairing is among them: asked for with each advertising report.
  public private(set) var opensProximity = false

  /// What is left of the capture's budgets for searches: for the whole grid, and for all else.
  var searchBudget = SearchBudget.capture
  var usualBudget = SearchBudget.usual

  public init() {}

  public init(_ files: [KeyFile]) {
    for file in files {
      for key in file.accessoryKeys { add(key) }
      for key in file.sessionKeys { add(key) }
      for key in file.proximityKeys + file.longTermKeys { add(key) }
    }
  }

  /// Whether private keys that the capture exposes are only kept in `setAside`: what they open stays
  /// sealed then, as for somebody who does not have them.
  package var setsAsideExposed = false
  package private(set) var setAside: [AccessoryKey] = []

  /// Adds a private key and tells whether it is new. One that is known from a file keeps its name,
  /// and one that the capture exposes is marked as exposed whatever came first.
  @discardableResult
  public mutating func add(_ key: AccessoryKey) -> Bool {
    if setsAsideExposed, key.origin.isExposed {
      let isNew = !setAside.contains { $0.suite == key.suite && $0.publicKey == key.publicKey }
      if isNew, setAside.count < Self.capacity { setAside.append(key) }
      return isNew
    }
    if accessoryKeys.contains(where: { $0.suite == key.suite && $0.publicKey == key.publicKey }) {
      if key.origin.isExposed { exposed.insert(key.fingerprint) }
      return false
    }
    guard accessoryKeys.count < Self.capacity else { return false }
    if key.origin.isExposed { exposed.insert(key.fingerprint) }
    accessoryKeys.append(key)
    return true
  }

  /// Adds a session key and tells whether it is new.
  @discardableResult
  public mutating func add(_ key: SessionKey) -> Bool {
    let isKnown = sessionKeys.contains {
      $0.session == key.session && $0.direction == key.direction && $0.secret.equals(key.secret)
    }
    guard isKnown == false, sessionKeys.count < Self.capacity else { return false }
    sessionKeys.append(key)
    return true
  }

  /// Adds a key of pairing and tells whether it is new. One known from a file that the capture
  /// exposes as well is from then on one of the capture.
  @discardableResult
  public mutating func add(_ key: BondingKey) -> Bool {
    let known = bondingKeys.firstIndex {
      $0.kind == key.kind && $0.address == key.address && $0.secret.equals(key.secret)
    }
    if let known {
      guard key.origin.isExposed, !bondingKeys[known].origin.isExposed else { return false }
      bondingKeys[known] = key
      return true
    }
    guard bondingKeys.count < Self.capacity else { return false }
    bondingKeys.append(key)
    if key.kind == .proximityPairingKey { opensProximity = true }
    return true
  }

  /// The IRK that made a resolvable private address; nil when none that is known did.
  public func resolve(_ address: BluetoothAddress) -> BondingKey? {
    address.isResolvablePrivate ? bondingKeys.first { $0.resolves(address) } : nil
  }

  /// One key as lists show it.
  public struct Entry: Hashable, Sendable {
    /// As the key file has it.
    public let name: String?
    /// The device whose key it is, where that is known.
    public let address: BluetoothAddress?
    /// `private key`, `session key`, `LTK`, `link key`, `IRK`, `CSRK`.
    public let kind: String
    public let suite: CipherSuite?
    public let fingerprint: Fingerprint
    public let origin: KeyOrigin
    /// Whether the capture itself holds the key.
    public let isExposed: Bool
  }

  /// All keys, in the order they were added, kind by kind.
  public var entries: [Entry] {
    accessoryKeys.map {
      Entry(
        name: $0.name, address: nil, kind: "private key", suite: $0.suite,
        fingerprint: $0.fingerprint, origin: $0.origin, isExposed: exposed.contains($0.fingerprint))
    }
      + sessionKeys.map {
        Entry(
          name: $0.name, address: nil, kind: "session key", suite: nil, fingerprint: $0.fingerprint,
          origin: $0.origin, isExposed: $0.origin.isExposed)
      }
      + bondingKeys.map {
        Entry(
          name: nil, address: $0.address, kind: $0.kind.rawValue, suite: nil,
          fingerprint: $0.fingerprint, origin: $0.origin, isExposed: $0.origin.isExposed)
      }
  }

  /// Whether every key is locked into memory; false when the limit on locked memory is too low.
  public var isLocked: Bool {
    accessoryKeys.allSatisfy { $0.secret.isLocked } && sessionKeys.allSatisfy { $0.secret.isLocked }
      && bondingKeys.allSatisfy { $0.secret.isLocked }
  }

  /// Fingerprints of private keys that the capture exposes.
  private var exposed: Set<Fingerprint> = []

  /// Changes whenever a key is added that could open a message.
  var revision: Int { accessoryKeys.count + sessionKeys.count }
}
