import CSodium

/// The libsodium calls that take untyped pointers, each wrapped once with typed arguments: an array
/// literal given to a `const void *` parameter would be taken as an array of `Int`.
enum Sodium {
  /// Whether the library is initialised; asking initialises it.
  static let isReady = sodium_init() >= 0

  /// Whether two byte strings are equal, in a time that depends on their length only.
  static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard isReady, a.count == b.count else { return false }
    guard let left = a.baseAddress, let right = b.baseAddress else { return true }
    return unsafe sodium_memcmp(left, right, a.count) == 0
  }

  /// The 32-byte BLAKE2b hash of `bytes`, keyed with `context` (16 to 64 characters of ASCII) so
  /// that it equals no hash taken for another purpose.
  static func hash(_ bytes: UnsafeRawBufferPointer, context: String) -> [UInt8] {
    let key = [UInt8](context.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    guard isReady else { return digest }
    // BLAKE2b leaves the words of its input there. It needs little stack, and hashes each of very many keys.
    defer { sodium_stackzero(8_192) }
    _ = unsafe crypto_generichash(
      &digest, digest.count, bytes.bindMemory(to: UInt8.self).baseAddress,
      UInt64(bytes.count), key, key.count)
    return digest
  }

  /// Overwrites what calls that have returned left on the stack: libraries expand keys there. Call it where
  /// the operation ends, outside of it.
  static func wipeStack() { sodium_stackzero(32_768) }

  /// Overwrites `bytes` with zeros in a way the optimiser keeps.
  static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe sodium_memzero(base, buffer.count)
    }
  }
}

extension Sodium {
  /// Keeps `bytes` out of swap where the limit on locked memory allows it, until they are released.
  static func lock(_ bytes: UnsafeRawBufferPointer) {
    guard isReady, let base = bytes.baseAddress else { return }
    _ = unsafe sodium_mlock(UnsafeMutableRawPointer(mutating: base), bytes.count)
  }

  /// Overwrites `bytes` with zeros and unlocks them.
  static func release(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let memory = unsafe UnsafeMutableRawPointer(mutating: base)
    // sodium_munlock overwrites, too, but not where it is refused.
    unsafe sodium_memzero(memory, bytes.count)
    _ = unsafe sodium_munlock(memory, bytes.count)
  }
}
