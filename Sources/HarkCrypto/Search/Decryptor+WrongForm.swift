import HarkCore

// A message that no key opens, although one of the most likely keys is right.
extension Decryptor {
  /// Tries keys in use, and the usual ones of the newest exchanges; nil if each key fails with every wrong form.
  mutating func wrongForm(_ message: SealedMessage, _ ring: inout KeyRing) -> WrongForm? {
    guard message.blob.count <= Self.mostSearchedBytes else { return nil }
    for live in liveKeys.prefix(Self.mostWrongFormKeys)
    where live.session == message.session && live.direction == message.direction {
      let trial = WrongFormTrial(
        blob: message.blob, message: message, derivation: live.use.exchange?.derivation,
        identifier: exchange.generations.last?.key.identifier)
      guard payForWrongForm(message, &ring) else { return nil }
      if let found = trial.find(live.secret.key) { return found }
    }
    for generation in exchange.generations.suffix(Self.mostWrongFormKeys).reversed()
    where hasWrongForm || generation.failures < Self.mostFailures {
      guard let secret = generation.likeliest.first else { continue }
      let candidates = Candidates(
        generation: generation, keyIdentifiers: secret.key.identifiers, message: message,
        deviceIdentifiers: exchange.identifiers, deviceSessions: sessions)
      var recipes = Array((self.recipes[message.direction] ?? []).prefix(1))
      candidates.first(0...0) { recipe in
        if !recipes.contains(recipe) { recipes.append(recipe) }
        return true
      }
      var deriver = SecretDeriver(generation.key.suite, secret)
      for recipe in recipes {
        let derivation = candidates.derivation(recipe)
        guard let key = deriver.key(derivation) else { continue }
        guard payForWrongForm(message, &ring) else { return nil }
        let trial = WrongFormTrial(
          blob: message.blob, message: message, derivation: derivation,
          identifier: candidates.identifier)
        if let found = trial.find(key) { return found }
      }
    }
    return nil
  }

  /// Keys in use, and key exchanges, at most.
  private static let mostWrongFormKeys = 2

  private mutating func payForWrongForm(_ message: SealedMessage, _ ring: inout KeyRing) -> Bool {
    let bytes = message.blob.count * WrongFormTrial.cost
    return ring.searchBudget.allows(WrongFormTrial.cost, bytes: bytes)
      && searchBudget.take(WrongFormTrial.cost, bytes: bytes)
      && ring.searchBudget.take(WrongFormTrial.cost, bytes: bytes)
  }
}
