import Crypto

/// Why a key was given with a wrong number of bytes, where the bytes show it. Never contains them.
public enum KeySizeMistake: Hashable, Sendable, CustomStringConvertible {
  /// The end of the line was kept.
  case lineEnd
  /// The zero that an INTEGER of DER has before a number whose first bit is set. X.690, 8.3.
  case leadingZero
  /// A public key as a SecurityMessage carries it, or of P-256 with a leading 04.
  case publicKey(CipherSuite)
  /// SEC 1, 2.3.3.
  case compressedPublicKey

  /// - Parameter expected: How many bytes the key has.
  init?(_ bytes: [UInt8], expected: Int) {
    let isOneMore = bytes.count == expected + 1
    let endsLine =
      isOneMore && bytes.last == 0x0A
      || bytes.count == expected + 2 && bytes.suffix(2).elementsEqual([0x0D, 0x0A])
    let isCompressed =
      bytes.count == 33 && (2...3).contains(bytes[0])
      && (try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)) != nil
    // A few keys with a line end look like both.
    if endsLine && isCompressed { return nil }
    let shape = [KeyShape.p256, .p256Uncompressed, .xWing].first { $0.fits(bytes) }
    if endsLine {
      self = .lineEnd
    } else if isCompressed {
      self = .compressedPublicKey
    } else if let shape {
      self = .publicKey(shape.suite)
    } else if isOneMore, expected > 0, bytes[0] == 0, bytes[1] >= 0x80 {
      self = .leadingZero
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .lineEnd: "it ends with a line feed (0A), which is not part of the key"
    case .leadingZero:
      "its first byte is the leading 00 of a DER INTEGER, which is not part of the key"
    case .publicKey(.p256): "it is a P-256 public key, which decrypts nothing"
    case .publicKey(.xWing): "it is an X-Wing public key, which decrypts nothing"
    case .compressedPublicKey: "it is a compressed P-256 public key, which decrypts nothing"
    }
  }
}
