import HarkCore

extension AccessoryKey {
  /// How a private key was given wrongly.
  public enum Mistake: Equatable, Sendable {
    /// Least significant byte first, as some libraries for P-256 store it.
    case reversed
    /// As a key of the other suite.
    case suite(CipherSuite)
  }

  /// How the same bytes are the private key of another public key; nil if they are not.
  public func mistake(for publicKey: Fingerprint) -> Mistake? {
    var seed = unsafe secret.withBytes { unsafe [UInt8]($0) }
    defer { Sodium.wipe(&seed) }
    func isKey(_ suite: CipherSuite, _ bytes: [UInt8]) -> Bool {
      var bytes = bytes
      let key = try? AccessoryKey(suite, privateKey: &bytes, origin: origin)
      return key?.fingerprint == publicKey
    }
    if suite == .p256 {
      var reversed = Array(seed.reversed())
      defer { Sodium.wipe(&reversed) }
      if isKey(.p256, reversed) { return .reversed }
    }
    let others = CipherSuite.allCases.filter { $0 != suite }
    return others.first { isKey($0, seed) }.map { .suite($0) }
  }
}
