import HarkCrypto

/// The keys that hark has tried in vain on an encrypted connection.
public struct KeyTrial: Sendable {
  public enum Passkeys: Sendable {
    /// Every passkey, or not all because the search has reached its limit for a capture.
    case all, limited
  }

  /// The first LTKs that were tried.
  public private(set) var firstTried: [Fingerprint] = []
  /// How many LTKs were tried.
  public private(set) var tried = 0
  /// How many LTKs were not tried, because the search for keys has reached its limit for a capture.
  public private(set) var untried = 0
  /// How many LTKs were not in use at the time, according to the key file.
  public private(set) var outOfTime = 0
  /// The LTK that would decrypt the link if its octets were in the opposite order.
  public internal(set) var reversed: Fingerprint?
  /// P-256 private keys, each of which may be that of one side's pairing.
  public internal(set) var privateKeys = 0
  /// Given temporary keys.
  public internal(set) var temporaryKeys = 0
  /// Nil if the pairing has no passkey, or the capture has not enough of it.
  public internal(set) var passkeys: Passkeys?

  private static let mostNamed = 4

  /// Takes the LTKs tried for a PDU; for the first one, most are tried.
  mutating func note(
    _ keys: some Collection<BondingKey>, of count: Int, outOfTime: Int
  ) {
    guard keys.count >= tried else { return }
    firstTried = keys.prefix(Self.mostNamed).map(\.fingerprint)
    (tried, untried, self.outOfTime) = (keys.count, count - keys.count, outOfTime)
  }
}
