import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Secret bytes in memory of libsodium's: between guard pages, kept out of swap and core dumps where
/// the system allows it, unreadable except while they are used, and zeroed after release. Small secrets
/// share their pages: see `SecretSlab`.
///
/// A secret has no description, is not Codable, and is compared in constant time.
public final class Secret: Sendable {
  /// The number of bytes.
  public let count: Int

  private let slab: SecretSlab
  private let offset: Int

  /// Whether the bytes lie between guard pages. False only when the system gave no such memory;
  /// they are then zeroed on release all the same.
  public var isGuarded: Bool { slab.isGuarded }

  /// Whether the bytes are locked into memory. False when the limit on locked memory is too low.
  public var isLocked: Bool { slab.isLocked }

  /// Room for `count` bytes, which `fill` writes.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = count
    (slab, offset) = SecretSlab.room(for: count)
    unsafe slab.write(offset, count, fill)
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

  deinit { slab.release(offset, count) }

  /// Makes the bytes readable while `body` runs.
  func withBytes<R: Sendable>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe slab.read(offset, count, body)
  }

  /// Calls `body` with each of `secrets`, whose bytes are readable meanwhile. The protection of memory that several
  /// share changes once: for each of many, this takes longer than reading them.
  static func withBytes(
    of secrets: some Sequence<Secret>, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var open: SecretSlab?
    for secret in secrets {
      if secret.slab !== open {
        open?.endReading()
        secret.slab.beginReading()
        open = secret.slab
      }
      unsafe secret.slab.read(secret.offset, secret.count, body)
    }
    open?.endReading()
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
  var addressForTests: UnsafeRawPointer { unsafe slab.addressForTests(offset) }
}
