import CSodium

/// BLAKE2b with a key: the function behind pseudonyms. Without the key, no one can find out which value
/// became which, nor try values out.
public struct KeyedHash: Sendable {
  /// In bytes.
  public static let keySize = 32
  /// The longest digest, in bytes. RFC 7693, 2.1.
  public static let longestDigest = 64

  public let key: [UInt8]

  /// - Parameter key: `keySize` bytes; nil with any other size.
  public init?(key: [UInt8]) {
    guard Sodium.isReady, key.count == Self.keySize else { return nil }
    self.key = key
  }

  /// With a random key that is stored nowhere.
  public init() {
    var key = [UInt8](repeating: 0, count: Self.keySize)
    var generator = SystemRandomNumberGenerator()
    for index in key.indices { key[index] = UInt8.random(in: 0...255, using: &generator) }
    _ = Sodium.isReady
    self.key = key
  }

  /// `count` bytes of 1 to `longestDigest`.
  public func digest(_ bytes: [UInt8], count: Int) -> [UInt8] {
    precondition((1...Self.longestDigest).contains(count), "BLAKE2b has no digest of this size")
    var digest = [UInt8](repeating: 0, count: max(16, count))
    _ = unsafe crypto_generichash(
      &digest, digest.count, bytes, UInt64(bytes.count), key, key.count)
    return Array(digest.prefix(count))
  }

  /// `count` bytes of any number, of `bytes` for one purpose.
  public func stream(_ purpose: String, _ bytes: [UInt8], count: Int) -> [UInt8] {
    let seed = digest(Array(purpose.utf8) + [0] + bytes, count: Self.longestDigest)
    var stream: [UInt8] = []
    var number: UInt32 = 0
    while stream.count < count {
      stream += digest(
        seed + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) },
        count: Self.longestDigest)
      number += 1
    }
    return Array(stream.prefix(count))
  }
}
