import Crypto
import HarkCore

// The search for the key of one message: keys in use, exported session keys, derivations that worked
// before, the usual one, then the whole grid.
extension Decryptor {
  /// Keys in use that are kept, at most.
  static let mostLiveKeys = 32
  /// Bytes of a message that the whole grid is tried for, at most: each candidate decrypts them all.
  static let mostSearchedBytes = 64 << 10
  /// Candidates that every message may have, whatever others have cost; and so many known keys.
  static let freeCandidates = 16
  /// Session keys of other sessions that are tried, at most.
  public static let mostOtherSessionKeys = 16

  mutating func find(_ message: SealedMessage, _ box: SealedBox, _ ring: inout KeyRing)
    -> Opened.Outcome
  {
    var tally = Tally()
    if let outcome = openWithLiveKey(message, box, &ring, &tally) { return outcome }
    if let outcome = openWithSessionKey(message, box, &ring, &tally) { return outcome }
    for index in exchange.generations.indices { exchange.generations[index].prepare(&ring) }

    for isThorough in [false, true] {
      tally.isSpent = false
      // What another message showed is likelier than an unusual derivation.
      if isThorough, hasWrongForm, let form = wrongForm(message, &ring) {
        return .locked(.wrongForm(form))
      }
      for index in exchange.generations.indices.reversed() {
        let generation = exchange.generations[index]
        let secrets = isThorough ? searched(generation, message, &tally) : generation.likeliest[...]
        for secret in secrets where !tally.isSpent {
          let outcome = search(message, box, generation, secret, isThorough, &ring, &tally)
          if let outcome { return outcome }
        }
      }
    }
    let verdict = verdict(message, tally)
    if case .tagFails = verdict, !hasWrongForm, let form = wrongForm(message, &ring) {
      hasWrongForm = true
      return .locked(.wrongForm(form))
    }
    for index in exchange.generations.indices where !exchange.generations[index].secrets.isEmpty {
      exchange.generations[index].failures += 1
    }
    return .locked(verdict)
  }

  /// Tries the derivations that worked before and the usual one, without the whole grid.
  mutating func openWithUsualKeys(
    _ message: SealedMessage, _ box: SealedBox, _ ring: inout KeyRing
  ) -> KeyUse? {
    var tally = Tally()
    for index in exchange.generations.indices.reversed() {
      exchange.generations[index].prepare(&ring)
      let generation = exchange.generations[index]
      for secret in generation.likeliest where !tally.isSpent {
        let outcome = search(message, box, generation, secret, false, &ring, &tally)
        if case .plaintext(_, let use) = outcome { return use }
      }
    }
    return nil
  }

  /// What was tried for a message in vain.
  struct Tally {
    /// Keys in use and exported ones.
    var keys = 0
    /// Keys derived for this message.
    var candidates = 0
    var generations: Set<Int> = []
    /// Session keys of the message's session, and whether one of them is for its direction.
    var sessionKeys = 0
    var hasKeyOfDirection = false
    var isLimited = false
    /// Whether the budget of the present pass ended.
    var isSpent = false
  }

  /// The secrets that the whole grid is tried with.
  private func searched(
    _ generation: KeyGeneration, _ message: SealedMessage, _ tally: inout Tally
  ) -> ArraySlice<KeyGeneration.SharedSecret> {
    let announced = generation.likeliest.filter(\.isAnnounced)
    let isSearched =
      generation.failures < Self.mostFailures && message.blob.count <= Self.mostSearchedBytes
    let searched = isSearched ? announced.prefix(KeyGeneration.mostSearchedKeys) : []
    if searched.count < announced.count { tally.isLimited = true }
    return searched
  }

  /// Pays for one candidate; false if the search is to end.
  private mutating func pay(
    _ message: SealedMessage, _ isThorough: Bool, _ ring: inout KeyRing, _ tally: inout Tally
  ) -> Bool {
    let bytes = message.blob.count
    let isPaid =
      if isThorough {
        ring.searchBudget.allows(1, bytes: bytes) && searchBudget.take(bytes: bytes)
          && ring.searchBudget.take(bytes: bytes)
      } else {
        tally.candidates < Self.freeCandidates || ring.usualBudget.take(bytes: bytes)
      }
    guard isPaid else {
      tally.isLimited = true
      tally.isSpent = true
      return false
    }
    tally.candidates += 1
    return true
  }

  /// Pays for one key in use or exported one; false if no more of them are to be tried.
  private func payForKey(
    _ message: SealedMessage, _ ring: inout KeyRing, _ tally: inout Tally
  ) -> Bool {
    tally.keys += 1
    let isPaid =
      tally.keys <= Self.freeCandidates || ring.usualBudget.take(bytes: message.blob.count)
    if !isPaid { tally.isLimited = true }
    return isPaid
  }

  private mutating func openWithLiveKey(
    _ message: SealedMessage, _ box: SealedBox, _ ring: inout KeyRing, _ tally: inout Tally
  ) -> Opened.Outcome? {
    for (index, live) in liveKeys.enumerated()
    where live.session == message.session && live.direction == message.direction {
      guard payForKey(message, &ring, &tally) else { return nil }
      guard let plaintext = box.open(live.secret.key) else { continue }
      if index > 0 { liveKeys.insert(liveKeys.remove(at: index), at: 0) }
      return .plaintext(plaintext, live.use)
    }
    return nil
  }

  private mutating func openWithSessionKey(
    _ message: SealedMessage, _ box: SealedBox, _ ring: inout KeyRing, _ tally: inout Tally
  ) -> Opened.Outcome? {
    let own = ring.sessionKeys(of: message.session)
    for key in own {
      guard payForKey(message, &ring, &tally) else { return nil }
      tally.sessionKeys += 1
      if key.direction == message.direction { tally.hasKeyOfDirection = true }
      if let outcome = open(message, box, key, isOther: false) { return outcome }
    }
    // A key file may name another session by mistake.
    guard message.session != nil, own.count < ring.sessionKeys.count else { return nil }
    let others = ring.sessionKeys.lazy.filter { key in
      !own.contains { $0.fingerprint == key.fingerprint }
    }
    for key in others.prefix(Self.mostOtherSessionKeys) {
      guard payForKey(message, &ring, &tally) else { return nil }
      if let outcome = open(message, box, key, isOther: true) { return outcome }
    }
    return nil
  }

  /// - Parameter isOther: Whether the key file lists the key for another session.
  private mutating func open(
    _ message: SealedMessage, _ box: SealedBox, _ key: SessionKey, isOther: Bool
  ) -> Opened.Outcome? {
    guard let plaintext = box.open(key.secret.key) else { return nil }
    let direction = key.direction == message.direction ? nil : key.direction
    let use = KeyUse(
      key: key.fingerprint, name: key.name, origin: key.origin, exchange: nil,
      deviations: direction == nil && !isOther
        ? [] : [.listedFor(direction: direction, session: isOther ? key.session : nil)],
      direction: message.direction)
    keep(message, key.secret, use)
    return .plaintext(plaintext, use)
  }

  private mutating func keep(_ message: SealedMessage, _ secret: Secret, _ use: KeyUse) {
    liveKeys.insert(
      LiveKey(
        session: message.session, direction: message.direction, secret: secret, use: use), at: 0)
    if liveKeys.count > Self.mostLiveKeys { liveKeys.removeLast() }
  }

  /// Tries one shared secret: what worked before and the usual derivation, or the rest of the grid.
  private mutating func search(
    _ message: SealedMessage, _ box: SealedBox, _ generation: KeyGeneration,
    _ secret: KeyGeneration.SharedSecret, _ isThorough: Bool, _ ring: inout KeyRing,
    _ tally: inout Tally
  ) -> Opened.Outcome? {
    let candidates = Candidates(
      generation: generation, keyIdentifiers: secret.key.identifiers, message: message,
      deviceIdentifiers: exchange.identifiers, deviceSessions: sessions)
    var deriver = SecretDeriver(generation.key.suite, secret)
    var found: (recipe: DerivationVariant, key: SymmetricKey, plaintext: [UInt8])?
    func ends(_ recipe: DerivationVariant) -> Bool {
      guard pay(message, isThorough, &ring, &tally) else { return true }
      guard let key = deriver.key(candidates.derivation(recipe)) else { return false }
      found = box.open(key).map { (recipe, key, $0) }
      return found != nil
    }
    tally.generations.insert(generation.serial)
    if isThorough {
      candidates.first(1...Candidates.mostDeviations, where: ends)
    } else {
      let known = (recipes[message.direction] ?? []) + (recipes[message.direction.opposite] ?? [])
      if known.contains(where: ends) == false { candidates.first(0...0, where: ends) }
    }
    guard let found else { return nil }
    if generation.serial > exportedGeneration {
      exportedGeneration = generation.serial
      Self.exportInternetKeys(found.recipe, candidates, generation, secret, &deriver, &ring)
    }
    let key = Secret(found.key)
    let use = use(found.recipe, key, candidates, generation, secret)
    keep(message, key, use)
    remember(found.recipe, message.direction)
    return .plaintext(found.plaintext, use)
  }

  /// Adds the root keys of the internet transport that the newest exchange yields with the usual strings, if the
  /// announced public key is that of a known private key: the capture may have no other message of the exchange.
  public mutating func exportInternetKeys(_ ring: inout KeyRing) {
    guard let place = exchange.generations.indices.last,
      let publicKey = exchange.generations[place].publicKey,
      ring.accessoryKeys.contains(where: { $0.fingerprint == publicKey })
    else { return }
    defer { Sodium.wipeStack() }
    exchange.generations[place].prepare(&ring)
    let generation = exchange.generations[place]
    guard let secret = generation.secrets.first(where: \.isAnnounced) else { return }
    let candidates = Candidates(
      generation: generation, keyIdentifiers: secret.key.identifiers,
      message: SealedMessage(
        [], session: "", direction: .hostToAccessory, packet: generation.key.packet),
      deviceIdentifiers: exchange.identifiers, deviceSessions: [])
    guard !candidates.identifier.isEmpty else { return }
    var deriver = SecretDeriver(generation.key.suite, secret)
    candidates.first(0...0) { recipe in
      Self.exportInternetKeys(recipe, candidates, generation, secret, &deriver, &ring)
      return true
    }
  }

  /// Adds the root keys of the internet transport, which the same exchange yields.
  private static func exportInternetKeys(
    _ recipe: DerivationVariant, _ candidates: Candidates, _ generation: KeyGeneration,
    _ secret: KeyGeneration.SharedSecret, _ deriver: inout SecretDeriver, _ ring: inout KeyRing
  ) {
    let (derivation, identifier) = (
      candidates.derivation(recipe), candidates.usedIdentifier(recipe) ?? ""
    )
    for direction in MessageDirection.allCases {
      let root = deriver.key(
        Derivation(
          info: derivation.infoText,
          context: DerivationText("AccessoryInternetKey-\(direction.rawValue)-\(identifier)"),
          publicKeyForm: derivation.publicKeyForm))
      guard var bytes = root?.bytes,
        let key = try? InternetKey(
          &bytes, direction: direction,
          keyID: InternetKey.keyID(ofPublicKey: secret.key.publicKey),
          origin: .capture(generation.key.packet))
      else { continue }
      ring.exported(key)
    }
  }

  private mutating func remember(_ recipe: DerivationVariant, _ direction: MessageDirection) {
    var known = recipes[direction] ?? []
    known.removeAll { $0 == recipe }
    known.insert(recipe, at: 0)
    recipes[direction] = Array(known.prefix(4))
  }

  private func use(
    _ recipe: DerivationVariant, _ key: Secret, _ candidates: Candidates,
    _ generation: KeyGeneration,
    _ secret: KeyGeneration.SharedSecret
  ) -> KeyUse {
    var deviations = candidates.deviations(recipe)
    if secret.isAnnounced == false, let announced = generation.publicKey {
      deviations.append(
        .otherPublicKey(used: secret.key.fingerprint, announced: announced))
    }
    return KeyUse(
      key: Fingerprint(key), name: secret.key.name, origin: secret.key.origin,
      exchange: .init(
        generation: generation.number, packet: generation.key.packet,
        suite: generation.key.suite, privateKey: secret.key.fingerprint,
        derivation: candidates.derivation(recipe)),
      deviations: deviations, direction: candidates.direction)
  }

  /// The reason that is nearest to what would help.
  private func verdict(_ message: SealedMessage, _ tally: Tally) -> Verdict {
    let lacksKeys = exchange.generations.last?.secrets.contains(where: \.isAnnounced) != true
    if lacksKeys, tally.sessionKeys > 0, message.session != nil {
      return .sessionKeysFail(
        count: tally.sessionKeys,
        lacking: tally.hasKeyOfDirection ? nil : message.direction)
    }
    guard let newest = exchange.generations.last else {
      return .noEncapsulatedKey(
        publicKey: exchange.lastPublicKey, isLinkWhole: message.isLinkWhole)
    }
    if let defect = newest.defect { return .unusableEncapsulatedKey(reason: defect) }
    guard newest.secrets.contains(where: \.isAnnounced) else {
      return .noPrivateKey(newest.key.suite, publicKey: newest.publicKey)
    }
    if message.session == nil { return .unknownSession(candidates: tally.candidates) }
    return .tagFails(
      candidates: tally.candidates, generations: tally.generations.count,
      isLimited: tally.isLimited)
  }
}
