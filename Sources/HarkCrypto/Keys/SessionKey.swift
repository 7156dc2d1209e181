/// An exported key of one session and direction: what `HPKE.Recipient.exportSecret` gave.
public struct SessionKey: Sendable {
  public var details: KeyDetails
  public var name: String? { details.name }
  public let direction: MessageDirection
  /// The session's UUID as the key file spells it.
  public let session: String
  public let fingerprint: Fingerprint
  public let origin: KeyOrigin
  let secret: Secret

  /// Takes a key of 32 bytes and wipes it.
  /// - Throws: `KeyError.symmetricSize` for another size.
  public init(
    _ key: inout [UInt8], direction: MessageDirection, session: String, name: String? = nil,
    origin: KeyOrigin
  ) throws(KeyError) {
    defer { Sodium.wipe(&key) }
    guard key.count == 32 else { throw .symmetricSize(of: key, expected: 32) }
    secret = Secret(taking: &key)
    fingerprint = Fingerprint(secret)
    details = KeyDetails(name: name)
    self.direction = direction
    self.session = session
    self.origin = origin
  }
}
