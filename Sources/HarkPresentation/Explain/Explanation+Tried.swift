import HarkCore
import HarkCrypto
import HarkSession

// The keys that hark tried on what is encrypted.
extension Explanation {
  /// What hark tried on a link, and what it did not try.
  static func tried(
    _ locked: LinkLayerEvent.Locked, _ session: borrowing Session
  ) -> [String] {
    let trial = locked.trial
    var tried: [String] = []
    if trial.tried > 0 {
      let named = trial.firstTried.map { "\($0) (\(origin(of: $0, session)))" }
      let all = trial.tried + trial.untried
      let count =
        trial.untried == 0
        ? Names.count(trial.tried, "LTK") : "\(trial.tried) of \(Names.count(all, "LTK"))"
      tried.append(
        "\(count), but the message integrity check fails with each: "
          + named.joined(separator: ", ") + (trial.tried > named.count ? ", …" : ""))
    }
    if let reversed = trial.reversed {
      tried.append(
        "\(reversed) (\(origin(of: reversed, session))) with its bytes in the opposite order decrypts the link: it was "
          + "given least significant byte first; add it with hark keys add or import --least-significant-first"
      )
    }
    if trial.untried > 0 {
      tried.append(
        "\(Names.count(trial.untried, "LTK")) not tried: the search for LTKs in this capture has reached its "
          + "limit")
    }
    if trial.outOfTime > 0 {
      tried.append(
        "\(Names.count(trial.outOfTime, "LTK")) not tried: according to the key file (since, until), not in use "
          + "at the time")
    }
    if locked.lock == .truncated {
      tried.append("no key: the message integrity check needs complete packets")
    } else if tried.isEmpty {
      tried.append("no LTK: none was given, and the capture has none")
    }
    if trial.privateKeys > 0 {
      tried.append(
        "\(Names.count(trial.privateKeys, "P-256 private key")), but none belongs to a public key of the pairing, or "
          + "decrypts the link")
    }
    if trial.temporaryKeys > 0 {
      tried.append(
        "\(Names.count(trial.temporaryKeys, "temporary key")), but the STK made with each does not decrypt the link"
      )
    }
    switch trial.passkeys {
    case .all: tried.append("every passkey, 000000 to 999999: no match")
    case .limited:
      tried.append(
        "no passkey, or not all: the search for passkeys in this capture has reached its limit")
    case nil: break
    }
    return tried
  }

  /// What hark tried on a message, and what it did not try.
  static func tried(
    _ session: borrowing Session, _ verdict: Verdict, session name: String
  ) -> [String] {
    let keys = session.keys
    guard !keys.accessoryKeys.isEmpty || !keys.sessionKeys.isEmpty else {
      return ["no key: add one with --keys; the capture has none"]
    }
    var (tried, untried): ([String], [String]) = ([], [])
    let sessionKeys = keys.sessionKeys(of: name.isEmpty ? nil : name)
    let others = keys.sessionKeys.count - sessionKeys.count
    let privateKeys = keys.accessoryKeys
    switch verdict {
    case .keysOfOther(let packet), .keysRefused(let packet):
      return ["the keys of the exchange in packet \(packet.number): they fit"]
    case .notEncrypted: return ["no key: the message is readable"]
    case .tooShort: return ["no key: the message is too short for an IV and a tag"]
    case .incomplete, .cutByCapture, .partRefused:
      return ["no key: the message is incomplete"]
    case .noEncapsulatedKey, .unusableEncapsulatedKey:
      if !privateKeys.isEmpty {
        untried.append(
          "\(Names.count(privateKeys.count, "private key")) not tried: the encapsulated key is missing"
        )
      }
    case .noPrivateKey(_, let publicKey):
      tried += list("private key", privateKeys.map { ($0.fingerprint, $0.origin) }).map { text in
        publicKey.map { "\(text): does not belong to public key \($0)" } ?? text
      }
      if let publicKey { tried += mistakes(privateKeys, publicKey) }
    case .wrongForm, .partRepeated, .partsInterleaved: return ["the keys of the exchange: they fit"]
    case .sessionKeysFail:
      if !privateKeys.isEmpty {
        untried.append(
          "\(Names.count(privateKeys.count, "private key")) not tried: the encapsulated key is missing, or has another "
            + "public key")
      }
    case .unknownSession, .tagFails:
      tried += list("private key", privateKeys.map { ($0.fingerprint, $0.origin) })
      if case .tagFails(_, _, isLimited: true) = verdict {
        untried.append("not all keys with all derivations: the search has reached its limit")
      }
    }
    tried += list("session key", sessionKeys.map { ($0.fingerprint, $0.origin) })
    let far = max(0, others - Decryptor.mostOtherSessionKeys)
    if others > far {
      tried.append("\(Names.count(others - far, "session key")) of other sessions: no match")
    }
    if far > 0 {
      untried.append("\(Names.count(far, "session key")) not tried: not for session \(name)")
    }
    return tried + untried
  }

  private static let mostMistakes = 16

  /// Private keys that belong to the public key if they are read in another way.
  private static func mistakes(_ keys: [AccessoryKey], _ publicKey: Fingerprint) -> [String] {
    keys.prefix(mostMistakes).compactMap { key in
      let name = "private key \(key.fingerprint) (\(key.origin))"
      return switch key.mistake(for: publicKey) {
      case .reversed:
        "\(name) with its bytes in the opposite order belongs to public key \(publicKey): it was given least significant "
          + "byte first"
      case .suite(let suite):
        "\(name) belongs to public key \(publicKey) as a key of \(suite.name): it was given with the wrong suite"
      case nil: nil
      }
    }
  }

  /// The first of some keys; empty if there are none.
  private static func list(
    _ kind: String, _ keys: [(fingerprint: Fingerprint, origin: KeyOrigin)]
  ) -> [String] {
    guard !keys.isEmpty else { return [] }
    let named = keys.prefix(4).map { "\(kind) \($0.fingerprint) (\($0.origin))" }
    return [named.joined(separator: ", ") + (keys.count > 4 ? ", and \(keys.count - 4) more" : "")]
  }
}
