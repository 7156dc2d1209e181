import Crypto
import HarkCore

/// What both sides send to make a session key of the LTK: session key diversifiers (8 octets each)
/// and halves of the IV (4 each), most significant octet first. Core Specification, Vol 6, Part B,
/// 2.4.2.4 and 2.4.2.5.
public struct LinkLayerDiversifiers: Sendable {
  public let centralSKD: [UInt8]
  public let peripheralSKD: [UInt8]
  public let centralIV: [UInt8]
  public let peripheralIV: [UInt8]

  public init(
    centralSKD: [UInt8], peripheralSKD: [UInt8], centralIV: [UInt8], peripheralIV: [UInt8]
  ) {
    (self.centralSKD, self.peripheralSKD) = (centralSKD, peripheralSKD)
    (self.centralIV, self.peripheralIV) = (centralIV, peripheralIV)
  }

  /// What the LTK encrypts to make the session key. Vol 6, Part B, 5.1.3.1
  var skd: [UInt8] { peripheralSKD + centralSKD }

  /// The IV as each nonce contains it, least significant octet first. Vol 6, Part E, 2.1
  var iv: [UInt8] { (peripheralIV + centralIV).reversed() }

  var hasRightSizes: Bool {
    centralSKD.count == 8 && peripheralSKD.count == 8 && centralIV.count == 4
      && peripheralIV.count == 4
  }
}

extension BondingKey {
  /// The encryption of a connection with this LTK; nil for another kind of key.
  public func linkLayerCipher(_ diversifiers: LinkLayerDiversifiers) -> LinkLayerCipher? {
    guard kind == .longTermKey else { return nil }
    return LinkLayerCipher(ltk: secret, diversifiers)
  }

  /// The STK of a legacy pairing, of `size` octets. Core Specification, Vol 3, Part H, 2.3.5.5 and 2.3.4.
  ///
  /// - Parameters:
  ///   - temporaryKey: 0, or a passkey.
  ///   - central, peripheral: The random numbers of the two (16 octets each), most significant octet first;
  ///     nil for another size.
  public init?(
    shortTermFor central: [UInt8], _ peripheral: [UInt8], temporaryKey: UInt32, size: Int,
    origin: KeyOrigin
  ) {
    let octets = (0..<4).map { UInt8(truncatingIfNeeded: temporaryKey >> (24 - 8 * UInt32($0))) }
    let key = SymmetricKey(data: [UInt8](repeating: 0, count: 12) + octets)
    self.init(shortTermFor: central, peripheral, key, size: size, origin: origin)
  }

  /// The same of a temporary key of 16 octets, as data out of band are; nil for another kind of key.
  public init?(
    shortTermFor central: [UInt8], _ peripheral: [UInt8], temporaryKey: BondingKey, size: Int,
    origin: KeyOrigin
  ) {
    guard temporaryKey.kind == .temporaryKey else { return nil }
    self.init(
      shortTermFor: central, peripheral, temporaryKey.secret.key, size: size, origin: origin)
  }

  private init?(
    shortTermFor central: [UInt8], _ peripheral: [UInt8], _ temporaryKey: SymmetricKey, size: Int,
    origin: KeyOrigin
  ) {
    defer { Sodium.wipeStack() }
    guard 7...16 ~= size,
      var key = SMPToolbox.s1(temporaryKey, r1: peripheral, r2: central)
    else { return nil }
    for index in 0..<16 - size { key[index] = 0 }
    key.reverse()
    guard let made = try? BondingKey(.longTermKey, &key, address: nil, origin: origin) else {
      return nil
    }
    self = made
  }
}
