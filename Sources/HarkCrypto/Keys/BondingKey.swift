import HarkCore

/// A key of pairing, which a key file gives, or which a capture exposes: SMP key distribution, HCI commands and events.
public struct BondingKey: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// LE Long Term Key.
    case longTermKey = "LTK"
    /// BR/EDR link key.
    case linkKey = "link key"
    /// Identity Resolving Key.
    case identityResolvingKey = "IRK"
    /// Connection Signature Resolving Key.
    case signatureResolvingKey = "CSRK"
    /// What Apple's headphones encrypt the end of their proximity advertising with.
    case proximityPairingKey = "proximity pairing key"
    /// The TK of an LE legacy pairing: a passkey, or 16 octets exchanged out of band.
    case temporaryKey = "temporary key"
  }

  public let kind: Kind
  /// The owner of the key, if known; with an IRK, the identity address.
  public var address: BluetoothAddress? { details.address }
  public var details: KeyDetails
  public let fingerprint: Fingerprint
  public let origin: KeyOrigin
  /// Most significant octet first, as the cryptographic toolbox takes it.
  let secret: Secret

  /// Takes 16 octets as SMP and HCI send them, least significant first, and wipes them.
  /// - Throws: `KeyError.symmetricSize` for another size.
  public init(
    _ kind: Kind, _ octets: inout [UInt8], address: BluetoothAddress?, origin: KeyOrigin
  ) throws(KeyError) {
    defer { Sodium.wipe(&octets) }
    guard octets.count == 16 else {
      // A mistake shows in the order in which people wrote the key, usually the other one.
      let mistake = KeySizeMistake(octets, expected: 16, isNumber: false)
      octets.reverse()
      throw .symmetricSize(
        found: octets.count, expected: 16,
        KeySizeMistake(octets, expected: 16, isNumber: false) ?? mistake)
    }
    octets.reverse()
    secret = Secret(taking: &octets)
    fingerprint = Fingerprint(secret)
    self.kind = kind
    details = KeyDetails(address: address)
    self.origin = origin
  }

  /// The key as SMP and HCI send it, for who removes it from a capture that gives it away.
  package var exposedOctets: [UInt8] { unsafe secret.withBytes { unsafe $0.reversed() } }

  /// The key that has these octets in the opposite order: who adds a key in the order of SMP and HCI without saying so
  /// meant that one.
  public var reversed: BondingKey? {
    var octets = unsafe secret.withBytes { unsafe Array($0) }
    return try? BondingKey(kind, &octets, address: address, origin: origin)
  }

  /// Whether this IRK made a resolvable private address. Vol 6, Part B, 1.3.2.3.
  public func resolves(_ address: BluetoothAddress) -> Bool { resolves([address]) == [true] }

  /// Which of `addresses` this IRK made.
  public func resolves(_ addresses: [BluetoothAddress]) -> [Bool] {
    guard kind == .identityResolvingKey, addresses.contains(where: \.isResolvablePrivate) else {
      return addresses.map { _ in false }
    }
    defer { Sodium.wipeStack() }
    let key = secret.key
    return addresses.map { address in
      var trial = AddressTrial(address)
      return trial?.succeeds(key) ?? false
    }
  }
}
