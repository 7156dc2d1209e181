import Crypto
import CryptoExtras

/// AES-128 on one block, and AES-CMAC (RFC 4493): what pairing and link layer are built from.
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

  /// The 16-byte code of a message of any length under a key of 16 bytes; nil for another key size.
  static func cmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
    guard key.count == 16, var code = try? AES.CMAC(key: SymmetricKey(data: key)) else {
      return nil
    }
    code.update(data: message)
    return Array(code.finalize())
  }
}
