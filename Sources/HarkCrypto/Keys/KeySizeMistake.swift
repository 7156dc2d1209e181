import Crypto

/// Why a key was given with a wrong number of bytes, where the bytes show it. Never contains them.
public enum KeySizeMistake: Hashable, Sendable, CustomStringConvertible {
  /// The end of the line was kept.
  case lineFeed
  case carriageReturn
  /// The zero that an INTEGER of DER has before a number whose first bit is set. X.690, 8.3.
  case leadingZero
  /// A public key as a SecurityMessage carries it, or of P-256 with a leading 04.
  case publicKey(CipherSuite)
  /// SEC 1, 2.3.3.
  case compressedPublicKey

  /// - Parameters:
  ///   - expected: How many bytes the key has.
  ///   - isNumber: Whether it is a number, which DER can hold.
  init?(_ bytes: [UInt8], expected: Int, isNumber: Bool) {
    let isOneMore = bytes.count == expected + 1
    let hasReturn =
      bytes.count == expected + 2 && bytes.suffix(2).elementsEqual([0x0D, 0x0A])
    let endsLine = isOneMore && bytes.last == 0x0A || hasReturn
    let isCompressed =
      bytes.count == 33 && (2...3).contains(bytes[0])
      && (try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)) != nil
    // A few keys with a line end look like both.
    if endsLine && isCompressed { return nil }
    let shape = [KeyShape.p256, .p256Uncompressed, .xWing].first { $0.fits(bytes) }
    if endsLine {
      self = hasReturn ? .carriageReturn : .lineFeed
    } else if isCompressed {
      self = .compressedPublicKey
    } else if let shape {
      self = .publicKey(shape.suite)
    } else if isNumber, isOneMore, expected > 0, bytes[0] == 0, bytes[1] >= 0x80 {
      self = .leadingZero
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .lineFeed: "it ends with a line feed (0A), which is not part of the key"
    case .carriageReturn: "it ends with the end of a line (0D 0A), which is not part of the key"
    case .leadingZero:
      "its first byte is the leading 00 of a DER INTEGER, which is not part of the key"
    case .publicKey(.p256): "it is a P-256 public key, which decrypts nothing"
    case .publicKey(.xWing): "it is an X-Wing public key, which decrypts nothing"
    case .compressedPublicKey: "it is a compressed P-256 public key, which decrypts nothing"
    }
  }
}
