import Crypto
import HarkCore

/// A key of AccessoryTransport over the internet: the root key of a ratchet, or its chain key at a later message.
public struct InternetKey: Sendable {
  public var details: KeyDetails
  public let direction: MessageDirection
  /// The first four bytes of SHA-384 of the accessory's public key, as messages name it.
  public let keyID: UInt32?
  /// The index of the first message that this key opens; 0 for the root key.
  public let index: UInt32
  public let fingerprint: Fingerprint
  public let origin: KeyOrigin
  let secret: Secret

  /// A key ID as hark writes it: `7c0ebabb`.
  package static func text(keyID: UInt32) -> String {
    Hex.text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: keyID >> $0) })
  }

  /// Takes a key of 32 bytes and wipes it.
  /// - Throws: `KeyError.symmetricSize` for another size.
  public init(
    _ key: inout [UInt8], direction: MessageDirection, keyID: UInt32?, index: UInt32 = 0,
    details: KeyDetails = KeyDetails(), origin: KeyOrigin
  ) throws(KeyError) {
    defer { Sodium.wipe(&key) }
    guard key.count == 32 else { throw .symmetricSize(of: key, expected: 32) }
    secret = Secret(taking: &key)
    fingerprint = Fingerprint(secret)
    (self.direction, self.keyID, self.index) = (direction, keyID, index)
    (self.details, self.origin) = (details, origin)
  }

  /// What messages call an accessory by.
  public static func keyID(ofPublicKey publicKey: [UInt8]) -> UInt32 {
    SHA384.hash(data: publicKey).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
