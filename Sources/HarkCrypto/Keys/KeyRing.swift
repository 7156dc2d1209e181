import HarkCore

/// Every key that is known: from key files, and from the capture itself. It only grows, but
/// for what the search for derivations may still cost.
public struct KeyRing: Sendable {
  /// How many keys of one kind a capture may add: it may not fill the memory with them.
  public static let capacity = 1024
  /// How many keys of files there may be in all.
  public static let mostOfFiles = 1 << 18

  public private(set) var accessoryKeys: [AccessoryKey] = []
  public private(set) var sessionKeys: [SessionKey] = []
  public private(set) var bondingKeys: [BondingKey] = []
  /// Root keys and chain keys of the internet transport.
  public private(set) var internetKeys: [InternetKey] = []
  /// The root keys of key exchanges in the capture that a private key opens.
  public private(set) var exportedInternetKeys: [InternetKey] = []
  /// Whether a key of proximity pairing is among them: asked for with each advertising report.
  public private(set) var opensProximity = false

  /// What is left of the capture's budgets for searches: for the whole grid, and for everything else.
  var searchBudget = SearchBudget.capture
  var usualBudget = SearchBudget.usual

  public init() {}

  /// Where a key is among those of its kind, by what distinguishes it: the fingerprint leaves few to compare.
  private struct Mark: Hashable {
    let fingerprint: Fingerprint
    /// The session and direction, the kind and address, or the cipher suite.
    let use: String
  }

  private var accessoryKeysAt: [Mark: [Int]] = [:]
  private var sessionKeysAt: [Mark: [Int]] = [:]
  private var bondingKeysAt: [Mark: [Int]] = [:]
  /// By the session as `Candidates.standard` spells it.
  private var sessionKeysOf: [String: [Int]] = [:]

  /// Where the CSRKs are among the keys of pairing: asked for with each signed write.
  private var signatureKeysAt: [Int] = []

  /// Where the LTKs are: asked for with each of the first encrypted PDUs of a link.
  private var longTermKeysAt: [Int] = []

  /// The same by the value of their address: key files do not contain its kind.
  private var longTermKeysOf: [UInt64: [Int]] = [:]

  /// The LTKs of some devices, in the order in which they were added.
  public func longTermKeys(of addresses: [BluetoothAddress]) -> [BondingKey] {
    Set(addresses.map(\.value)).flatMap { longTermKeysOf[$0] ?? [] }.sorted().map {
      bondingKeys[$0]
    }
  }

  /// The LTKs, in the order in which they were added.
  public var longTermKeys: some RandomAccessCollection<BondingKey> {
    longTermKeysAt.lazy.map { bondingKeys[$0] }
  }

  /// The CSRKs, in the order in which they were added.
  var signatureKeys: some RandomAccessCollection<BondingKey> {
    signatureKeysAt.lazy.map { bondingKeys[$0] }
  }

  /// The keys of a session; all where none is named.
  public func sessionKeys(of session: String?) -> [SessionKey] {
    guard let session else { return sessionKeys }
    return (sessionKeysOf[Candidates.standard(session)] ?? []).map { sessionKeys[$0] }
  }

  public init(_ files: [KeyFile]) {
    for file in files {
      for key in file.accessoryKeys { add(key) }
      for key in file.sessionKeys { add(key) }
      for key in file.bondingKeys { add(key) }
      internetKeys += file.internetKeys
    }
    given = (accessoryKeys.count, sessionKeys.count, bondingKeys.count)
  }

  /// How many keys of each kind came from files.
  private var given = (accessory: 0, session: 0, bonding: 0)

  /// Whether private keys that the capture exposes are only kept in `setAside`: what they open stays
  /// sealed then, as for somebody who does not have them.
  package var setsAsideExposed = false
  package private(set) var setAside: [AccessoryKey] = []

  /// Adds a private key and returns whether it is new. One that is known from a file keeps its name,
  /// and one that the capture exposes is marked as exposed whatever came first.
  @discardableResult
  public mutating func add(_ key: AccessoryKey) -> Bool {
    if setsAsideExposed, key.origin.isExposed {
      let isNew = !setAside.contains { $0.suite == key.suite && $0.publicKey == key.publicKey }
      if isNew, setAside.count < Self.capacity { setAside.append(key) }
      return isNew
    }
    let mark = Mark(fingerprint: key.fingerprint, use: key.suite.rawValue)
    if accessoryKeysAt[mark]?.contains(where: { accessoryKeys[$0].publicKey == key.publicKey })
      == true
    {
      if key.origin.isExposed { exposed.insert(key.fingerprint) }
      return false
    }
    guard hasRoom(accessoryKeys.count - given.accessory, key.origin) else { return false }
    if key.origin.isExposed { exposed.insert(key.fingerprint) }
    accessoryKeysAt[mark, default: []].append(accessoryKeys.count)
    accessoryKeys.append(key)
    return true
  }

  /// Adds a session key and returns whether it is new.
  @discardableResult
  public mutating func add(_ key: SessionKey) -> Bool {
    let mark = Mark(fingerprint: key.fingerprint, use: key.direction.rawValue + key.session)
    let isKnown =
      sessionKeysAt[mark]?.contains { sessionKeys[$0].secret.equals(key.secret) } == true
    guard !isKnown, hasRoom(sessionKeys.count - given.session, key.origin) else { return false }
    sessionKeysAt[mark, default: []].append(sessionKeys.count)
    sessionKeysOf[Candidates.standard(key.session), default: []].append(sessionKeys.count)
    sessionKeys.append(key)
    return true
  }

  /// Adds a key of pairing and returns whether it is new. One known from a file that the capture
  /// exposes as well is from then on one of the capture.
  @discardableResult
  public mutating func add(_ key: BondingKey) -> Bool {
    let mark = Mark(
      fingerprint: key.fingerprint, use: key.kind.rawValue + (key.address?.description ?? ""))
    if let known = bondingKeysAt[mark]?.first(where: { bondingKeys[$0].secret.equals(key.secret) })
    {
      guard key.origin.isExposed, !bondingKeys[known].origin.isExposed else { return false }
      bondingKeys[known] = key
      return true
    }
    guard hasRoom(bondingKeys.count - given.bonding, key.origin) else { return false }
    bondingKeysAt[mark, default: []].append(bondingKeys.count)
    switch key.kind {
    case .signatureResolvingKey: signatureKeysAt.append(bondingKeys.count)
    case .longTermKey:
      longTermKeysAt.append(bondingKeys.count)
      if let address = key.address {
        longTermKeysOf[address.value, default: []].append(bondingKeys.count)
      }
    default: break
    }
    bondingKeys.append(key)
    if key.kind == .proximityPairingKey { opensProximity = true }
    return true
  }

  /// Adds a root key that a key exchange of the capture yields.
  mutating func exported(_ key: InternetKey) {
    let isKnown = exportedInternetKeys.contains {
      $0.fingerprint == key.fingerprint && $0.direction == key.direction
        && $0.secret.equals(key.secret)
    }
    guard !isKnown, exportedInternetKeys.count < Self.capacity else { return }
    exportedInternetKeys.append(key)
  }

  /// Adds a key as a key file has it, and returns whether it is new. Those of the internet transport open nothing here.
  @discardableResult
  public mutating func add(_ key: StoredKey) -> Bool {
    switch key {
    case .accessory(let key): add(key)
    case .session(let key): add(key)
    case .bonding(let key): add(key)
    case .internet: false
    }
  }

  /// Whether one more key of a kind is kept, where `count` were added since the files were read.
  private func hasRoom(_ count: Int, _ origin: KeyOrigin) -> Bool {
    count < (origin.isExposed ? Self.capacity : Self.mostOfFiles)
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
        name: $0.name, address: $0.details.address, kind: "private key", suite: $0.suite,
        fingerprint: $0.fingerprint, origin: $0.origin, isExposed: exposed.contains($0.fingerprint))
    }
      + sessionKeys.map {
        Entry(
          name: $0.name, address: $0.details.address, kind: "session key", suite: nil,
          fingerprint: $0.fingerprint,
          origin: $0.origin, isExposed: $0.origin.isExposed)
      }
      + bondingKeys.map {
        Entry(
          name: $0.details.name, address: $0.address, kind: $0.kind.rawValue, suite: nil,
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
