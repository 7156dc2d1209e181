import Crypto
import CryptoExtras
import HarkCore

/// The encrypted end of a proximity pairing advertisement, opened: AES-128 on one block, as librepods
/// and other public projects observed it.
public struct ProximityPlaintext: Equatable, Sendable {
  /// One battery.
  public struct Battery: Equatable, Sendable {
    /// In percent; nil if it is not there.
    public let level: UInt8?
    public let isCharging: Bool

    /// 127 in the lower bits, as in 0xFF, is no level.
    init(_ octet: UInt8) {
      level = octet & 0x7F == 0x7F ? nil : octet & 0x7F
      isCharging = octet != 0xFF && octet & 0x80 != 0
    }
  }

  /// 16 of them.
  public let bytes: [UInt8]
  /// Of the key.
  public let key: Fingerprint
  public var buds: [Battery] { [Battery(bytes[1]), Battery(bytes[2])] }
  public var box: Battery { Battery(bytes[3]) }

  /// What a wrong key makes of a block has such levels one time in two.
  var isPlausible: Bool { (buds + [box]).allSatisfy { ($0.level ?? 0) <= 100 } }
}

extension BondingKey {
  /// What this key makes of the 16 bytes; nil for other sizes, other kinds of keys, and where it makes
  /// no battery of them. A plaintext does not show that the key is the right one: who asks must know
  /// that the advertiser has it.
  func openProximity(_ block: [UInt8]) -> ProximityPlaintext? {
    guard kind == .proximityPairingKey, block.count == 16 else { return nil }
    var bytes = block
    defer { Sodium.wipeStack() }
    do { try AES.inversePermute(&bytes, key: secret.key) } catch { return nil }
    let plaintext = ProximityPlaintext(bytes: bytes, key: fingerprint)
    return plaintext.isPlausible ? plaintext : nil
  }
}

extension KeyRing {
  /// Opens the encrypted end of a proximity pairing advertisement with the key of who advertises:
  /// `address` is the one the key belongs to, or made by the IRK of the same accessory.
  public func openProximity(
    _ block: [UInt8], from address: BluetoothAddress
  ) -> ProximityPlaintext? {
    let owner = resolve(address)?.address ?? address
    for key in bondingKeys where key.kind == .proximityPairingKey && key.address == owner {
      if let plaintext = key.openProximity(block) { return plaintext }
    }
    return nil
  }
}
