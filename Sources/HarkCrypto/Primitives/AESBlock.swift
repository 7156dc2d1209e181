import Crypto
import CryptoExtras

/// AES-128 on one block: what pairing and link layer are built from.
enum AESBlock {
  /// The encryption of 16 bytes under a key of 16 bytes, both most significant byte first; nil for
  /// any other size. `e` of the Core Specification, Vol 3, Part H, 2.2.1.
  static func encrypt(_ block: [UInt8], _ key: SymmetricKey) -> [UInt8]? {
    guard key.bitCount == 128, block.count == 16 else { return nil }
    var result = block
    do {
      try AES.permute(&result, key: key)
      return result
    } catch {
      return nil
    }
  }
}
