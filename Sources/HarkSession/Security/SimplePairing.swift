import HarkCore

/// Secure Simple Pairing on a BR/EDR link. Core Specification, Vol 2, Part H, 7; Vol 3, Part C,
/// 5.2.2.
public struct SimplePairing: Sendable {
  /// What one side can do and requests. Vol 4, Part E, 7.1.29.
  public struct Capability: Equatable, Sendable {
    public var ioCapability: UInt8
    public var oobDataPresent: UInt8
    public var authenticationRequirements: UInt8

    public var mitm: Bool { authenticationRequirements & 1 == 1 }
    /// Dedicated or General Bonding.
    public var isBonding: Bool { 2...5 ~= authenticationRequirements }
  }

  private var host: Capability?
  private var peer: Capability?
  private(set) var method: Pairing.Method?

  /// Takes what one side sent. A second message of the same side belongs to another pairing.
  mutating func take(_ capability: Capability, isPeer: Bool) {
    if isPeer ? peer != nil : host != nil { self = SimplePairing() }
    if isPeer { peer = capability } else { host = capability }
    guard let host, let peer else { return }
    method = Self.method(host, peer)
  }

  /// Vol 3, Part C, 5.2.2.5 and 5.2.2.6, table 5.7. Numeric Comparison that a side confirms by
  /// itself is Just Works: the key is unauthenticated.
  private static func method(_ a: Capability, _ b: Capability) -> Pairing.Method {
    if a.oobDataPresent != 0 || b.oobDataPresent != 0 { return .outOfBand }
    guard a.mitm || b.mitm else { return .justWorks }
    return Pairing.Method(a.ioCapability, b.ioCapability, canCompare: true)
  }
}
