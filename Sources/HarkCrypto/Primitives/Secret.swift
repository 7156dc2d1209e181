import CSodium
import Crypto
import FoundationEssentials
import Synchronization

/// Secret bytes in memory of libsodium's: between guard pages, kept out of swap and core dumps where
/// the system allows it, unreadable except while they are used, and zeroed when released.
///
/// A secret has no description, is not Codable, and is compared in constant time.
@safe public final class Secret: @unchecked Sendable {
  /// The number of bytes.
  public let count: Int

  /// Whether the bytes lie between guard pages. False only when the system gave no such memory;
  /// they are then zeroed on release all the same.
  public let isGuarded: Bool

  /// Whether the bytes are locked into memory. False when the limit on locked memory is too low.
  public let isLocked: Bool

  private let base: UnsafeMutableRawPointer
  private let inUse = Mutex(())

  /// Room for `count` bytes, which `fill` writes.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = count
    let room = max(count, 1)
    if Sodium.isReady, let memory = unsafe sodium_malloc(room) {
      unsafe base = memory
      isGuarded = true
    } else {
      unsafe base = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
      isGuarded = false
    }
    // sodium_malloc has tried to lock already and does not tell; locking again is harmless.
    isLocked = unsafe isGuarded && sodium_mlock(base, room) == 0
    unsafe fill(UnsafeMutableRawBufferPointer(start: base, count: count))
    if isGuarded { _ = unsafe sodium_mprotect_noaccess(base) }
  }

  /// Copies `bytes`. The caller wipes its own copy.
  convenience init(copying bytes: Span<UInt8>) {
    unsafe self.init(count: bytes.count) { room in
      unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }
  }

  /// Copies `bytes` and overwrites them with zeros.
  public convenience init(taking bytes: inout [UInt8]) {
    self.init(copying: bytes.span)
    Sodium.wipe(&bytes)
  }

  /// Copies the bytes of `key`.
  convenience init(_ key: SymmetricKey) {
    unsafe self.init(count: key.bitCount / 8) { room in
      unsafe key.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }
  }

  deinit {
    if isGuarded {
      unsafe sodium_free(base)
    } else {
      unsafe sodium_memzero(base, max(count, 1))
      unsafe base.deallocate()
    }
  }

  /// Makes the bytes readable while `body` runs. `body` must not use the same secret again.
  func withBytes<R: Sendable>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try inUse.withLock { _ in
      if isGuarded { _ = unsafe sodium_mprotect_readonly(base) }
      defer { if isGuarded { _ = unsafe sodium_mprotect_noaccess(base) } }
      return try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }
  }

  /// A key for swift-crypto, which zeroes its copy on release but does not lock it. Short-lived use.
  var key: SymmetricKey { unsafe withBytes { unsafe SymmetricKey(data: $0) } }

  /// Whether both hold the same bytes.
  public func equals(_ other: Secret) -> Bool {
    if self === other { return true }
    // A copy, so that no two locks are ever held at once.
    let copy = other.key
    return unsafe withBytes { mine in
      unsafe copy.withUnsafeBytes { theirs in unsafe Sodium.equal(mine, theirs) }
    }
  }

  /// Where the bytes are, for the test that shows they cannot be read.
  var addressForTests: UnsafeRawPointer { unsafe UnsafeRawPointer(base) }
}
