import Crypto

/// What bytes of a certain size may be: a key on its way to the other side.
public enum KeyShape: Hashable, Sendable, CaseIterable {
  /// X and Y of a point of P-256.
  case p256
  /// The same after 04. SEC 1, 2.3.3.
  case p256Uncompressed
  /// An encapsulation key of ML-KEM-768 and one of X25519. draft-connolly-cfrg-xwing-kem, 5.2.
  case xWing
  /// What X-Wing sends for a key.
  case xWingEncapsulated

  /// What an uncompressed point begins with.
  package static let pointMarker: UInt8 = 0x04

  /// In bytes.
  public var size: Int {
    switch self {
    case .p256: 64
    case .p256Uncompressed: 65
    case .xWing: 1216
    case .xWingEncapsulated: 1120
    }
  }

  public var suite: CipherSuite {
    switch self {
    case .p256, .p256Uncompressed: .p256
    case .xWing, .xWingEncapsulated: .xWing
    }
  }

  /// Whether the bytes themselves show that they are a key: a point has to be on the curve, which no
  /// other bytes are but by a chance of 2⁻²⁵⁵, and the coefficients of ML-KEM are less than 3329.
  /// Only the size suggests an encapsulated key of X-Wing.
  public var isProvable: Bool { self != .xWingEncapsulated }

  /// What is wrong with a key of P-256 that has the right size, but is no such key.
  static let notOnCurve = "not a point on the curve P-256"

  /// Whether `bytes` can be such a key.
  public func fits(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count == size else { return false }
    let bytes = Array(bytes)
    switch self {
    case .p256: return (try? P256.KeyAgreement.PublicKey(rawRepresentation: bytes)) != nil
    case .p256Uncompressed:
      return bytes[0] == Self.pointMarker
        && (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
    case .xWing: return Self.hasSmallCoefficients(bytes)
    case .xWingEncapsulated: return true
    }
  }

  private static func hasSmallCoefficients(_ bytes: [UInt8]) -> Bool {
    stride(from: 0, to: 1152, by: 3).allSatisfy { place in
      hasSmallCoefficients(bytes[place], bytes[place + 1], bytes[place + 2])
    }
  }

  /// FIPS 203, 7.2: three bytes hold two coefficients of 12 bits, below q; 1152 bytes of them.
  package static func hasSmallCoefficients(
    _ first: UInt8, _ second: UInt8, _ third: UInt8
  ) -> Bool {
    let (low, middle, high) = (Int(first), Int(second), Int(third))
    return low | (middle & 0xF) << 8 < 3329 && middle >> 4 | high << 4 < 3329
  }
}
