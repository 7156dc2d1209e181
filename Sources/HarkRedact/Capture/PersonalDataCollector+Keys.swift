import HarkCapture
import HarkCore
import HarkCrypto
import HarkDissection
import HarkSession

extension PersonalDataCollector {
  /// Keys of pairing that the session found, wherever they are: a protocol may be known only after the
  /// packets that have them.
  mutating func takeBondingKeys(_ keys: KeyRing) {
    for key in keys.bondingKeys where key.origin.isExposed {
      let octets = key.exposedOctets
      let isKnown = [octets, octets.reversed()].contains {
        table.find(PersonalValue(kind: .key, bytes: $0)) != nil
      }
      guard !isKnown, let index = table.add(PersonalValue(kind: .key, bytes: octets)) else {
        continue
      }
      if key.kind == .identityResolvingKey { irks.insert(index) }
    }
  }

  /// How many private keys are tried for one whose Base64 has no fewer slashes: in JSON, each may have a backslash,
  /// and the length of a message stays.
  private static let mostTries: UInt32 = 4_000

  /// A private key in the clear. What takes its place is one, too, with a public key of its own, which
  /// stands beside it at most.
  /// - Returns: False if there is no such key. Nothing of its message may stay then.
  mutating func takeExposed(_ key: AccessoryKey, _ frames: [PacketID]) -> Bool {
    let old = key.exposedForms
    guard let seed = old.privateKeys.last, let new = pseudonym(of: key, old, seed) else {
      // It may also be elsewhere.
      for octets in old.privateKeys { _ = table.add(PersonalValue(kind: .key, bytes: octets)) }
      return false
    }
    for (old, new) in zip(old.privateKeys, new.privateKeys) {
      let value = PersonalValue(kind: .key, bytes: old)
      if let index = table.add(value, becoming: new, isSearched: true) {
        local.append((index, frames))
      }
    }
    let value = PersonalValue(kind: .key, bytes: old.publicKey)
    if let index = table.add(value, becoming: new.publicKey, isSearched: false) {
      local.append((index, frames))
    }
    return true
  }

  private typealias Forms = (privateKeys: [[UInt8]], publicKey: [UInt8])

  private func pseudonym(of key: AccessoryKey, _ old: Forms, _ seed: [UInt8]) -> Forms? {
    var last: Forms?
    for attempt in 0..<Self.mostTries {
      let number = (0..<4).map { UInt8(truncatingIfNeeded: attempt >> ($0 * 8)) }
      let candidate = table.pseudonyms.hash.stream(
        "private key", seed + number, count: seed.count)
      guard Self.slashes(candidate) >= Self.slashes(seed),
        let new = AccessoryKey.forms(key.suite, seed: candidate),
        new.privateKeys.count == old.privateKeys.count
      else { continue }
      let (was, now) = (old.privateKeys + [old.publicKey], new.privateKeys + [new.publicKey])
      if zip(was, now).allSatisfy({ Self.slashes($1) >= Self.slashes($0) }) { return new }
      last = new
    }
    return last
  }

  private static func slashes(_ bytes: [UInt8]) -> Int {
    Base64.characters(bytes, isURL: false).count { $0 == UInt8(ascii: "/") }
  }
}
