import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// HPKE's key schedule in base mode, without the sequence counter of `HPKE.Recipient`: what one lost
/// packet cannot derail, and what gives a key for each of many `info` strings from one
/// decapsulation. RFC 9180, 5.1.
struct KeySchedule {
  private let hkdf: LabeledHKDF
  private let secret: SymmetricKey
  private let pskIDHash: [UInt8]

  init(_ suite: CipherSuite, sharedSecret: SymmetricKey) {
    hkdf = LabeledHKDF(suiteID: suite.suiteID)
    pskIDHash = hkdf.extract(salt: nil, "psk_id_hash", []).bytes
    secret = hkdf.extract(salt: sharedSecret, "secret", [])
  }

  /// key_schedule_context: the mode and the hashes of an empty psk_id and of `info`.
  func context(info: [UInt8]) -> [UInt8] {
    [0x00] + pskIDHash + hkdf.extract(salt: nil, "info_hash", info).bytes
  }

  /// The AEAD key, 32 bytes. Apple's protocol does not use it.
  func key(info: [UInt8]) -> SymmetricKey {
    hkdf.expand(secret, "key", context(info: info), 32)
  }

  /// The base nonce, 12 bytes. Apple's protocol does not use it.
  func baseNonce(info: [UInt8]) -> SymmetricKey {
    hkdf.expand(secret, "base_nonce", context(info: info), 12)
  }

  /// What exports secrets for one `info`.
  func exporter(info: [UInt8]) -> Exporter {
    Exporter(hkdf: hkdf, secret: hkdf.expand(secret, "exp", context(info: info), 32))
  }

  /// RFC 9180, 5.3.
  struct Exporter {
    fileprivate let hkdf: LabeledHKDF
    let secret: SymmetricKey

    /// `count` bytes (1 to 8160) for `context`; nil for any other count.
    func export(context: [UInt8], count: Int = 32) -> SymmetricKey? {
      guard (1...8160).contains(count) else { return nil }
      return hkdf.expand(secret, "sec", context, count)
    }
  }
}

extension SymmetricKey {
  /// A copy of the bytes in ordinary memory: for values that are no secret, and for tests.
  var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
