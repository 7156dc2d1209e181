/// Why bytes are not a key. Never contains the bytes.
public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes found where a private key of the suite, or of any, was expected.
  case size(CipherSuite?, Int, KeySizeMistake? = nil)
  /// No private key of the suite has these bytes.
  case invalid(CipherSuite)
  /// The public key given with it is another key's.
  case publicKeyDiffers
  /// The number of bytes found where a public key of the suite was expected.
  case publicKeySize(CipherSuite, Int)
  /// The number of bytes found where a symmetric key of so many was expected.
  case symmetricSize(found: Int, expected: Int, KeySizeMistake? = nil)

  public var description: String {
    switch self {
    case .size(let suite, let count, let mistake):
      "\(count) \(count == 1 ? "byte" : "bytes"); "
        + (suite == nil ? "private keys of P-256 and X-Wing have 32" : "")
        + (suite == .p256 ? "a P-256 private key has 32" : "")
        + (suite == .xWing ? "an X-Wing private key has 32 (its seed)" : "") + Self.clause(mistake)
    case .invalid(.p256): "not between 1 and the order of P-256, so not a private key"
    case .invalid(.xWing): "its checksum does not match, so not an X-Wing private key"
    case .publicKeyDiffers: "belongs to another private key"
    case .publicKeySize(let suite, let count):
      "\(count) \(count == 1 ? "byte" : "bytes"); "
        + (suite == .xWing
          ? "an X-Wing public key has 1216" : "a P-256 public key has 64, or 65 with 04")
    case .symmetricSize(let found, let expected, let mistake):
      "\(found) \(found == 1 ? "byte" : "bytes"), the key has \(expected)" + Self.clause(mistake)
    }
  }

  private static func clause(_ mistake: KeySizeMistake?) -> String {
    mistake.map { "; \($0)" } ?? ""
  }

  /// Bytes of a wrong number where a private key of the suite was expected.
  package static func size(_ suite: CipherSuite?, of bytes: [UInt8]) -> KeyError {
    .size(suite, bytes.count, KeySizeMistake(bytes, expected: 32, isNumber: suite != .xWing))
  }

  /// Bytes of a wrong number where a symmetric key was expected.
  package static func symmetricSize(of bytes: [UInt8], expected: Int) -> KeyError {
    .symmetricSize(
      found: bytes.count, expected: expected,
      KeySizeMistake(bytes, expected: expected, isNumber: false))
  }
}
