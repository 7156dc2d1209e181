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
  /// - Parameter isEscaped: Whether slashes in its message may have a backslash.
  /// - Returns: False if there is no such key. Nothing of its message may stay then.
  mutating func takeExposed(
    _ key: AccessoryKey, _ frames: [PacketID], isEscaped: Bool
  ) -> Bool {
    let old = key.exposedForms
    guard let seed = old.privateKeys.last,
      let new = pseudonym(of: key, old, seed, isEscaped: isEscaped)
    else {
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

  /// Nil if none takes as many bytes in the message: a key that was made to fit would not be that of its public key.
  private func pseudonym(
    of key: AccessoryKey, _ old: Forms, _ seed: [UInt8], isEscaped: Bool
  ) -> Forms? {
    func fits(_ new: [UInt8], _ old: [UInt8]) -> Bool {
      !isEscaped || Self.slashes(new) >= Self.slashes(old)
    }
    for attempt in 0..<Self.mostTries {
      let number = (0..<4).map { UInt8(truncatingIfNeeded: attempt >> ($0 * 8)) }
      let candidate = table.pseudonyms.hash.stream(
        "private key", seed + number, count: seed.count)
      guard fits(candidate, seed),
        let new = AccessoryKey.forms(key.suite, seed: candidate),
        new.privateKeys.count == old.privateKeys.count
      else { continue }
      let (was, now) = (old.privateKeys + [old.publicKey], new.privateKeys + [new.publicKey])
      if zip(was, now).allSatisfy({ fits($1, $0) }) { return new }
    }
    return nil
  }

  /// Whether one of the packets has a backslash.
  func hasBackslash(_ frames: [PacketID], _ session: borrowing Session) -> Bool {
    for frame in frames {
      guard let row = session.packets[frame.number] else { continue }
      let start = Int(row.offset)
      let range = (start..<(start + Int(row.count))).clamped(to: capture.indices)
      if capture[range].contains(UInt8(ascii: "\\")) { return true }
    }
    return false
  }

  private static func slashes(_ bytes: [UInt8]) -> Int {
    Base64.characters(bytes, isURL: false).count { $0 == UInt8(ascii: "/") }
  }
}
