import Crypto
import CryptoExtras
import HarkCore

/// IRKs, with each of which a resolvable private address is tried. They lie in one place: making guarded memory
/// readable takes longer than the cipher.
public struct ResolvingKeys: Sendable {
  private static let size = 16

  /// Most significant octet first, one key after the other.
  private var secret: Secret?

  public init() {}

  public var count: Int { (secret?.count ?? 0) / Self.size }

  /// Takes IRKs at once: appending many one by one would copy them all each time.
  public init(_ keys: [BondingKey]) {
    guard !keys.isEmpty else { return }
    secret = unsafe Secret(count: keys.count * Self.size) { room in
      var place = 0
      unsafe Secret.withBytes(of: keys.lazy.map(\.secret)) { bytes in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place..<(place + Self.size)])
        unsafe part.copyMemory(from: bytes)
        place += Self.size
      }
    }
  }

  /// Appends an IRK.
  public mutating func append(_ key: BondingKey) {
    let (kept, keptCount) = (secret, secret?.count ?? 0)
    secret = unsafe Secret(count: keptCount + Self.size) { room in
      unsafe kept?.withBytes { unsafe room.copyMemory(from: $0) }
      let place = unsafe UnsafeMutableRawBufferPointer(rebasing: room[keptCount...])
      unsafe key.secret.withBytes { unsafe place.copyMemory(from: $0) }
    }
  }

  public mutating func remove(at index: Int) {
    guard let kept = secret, (0..<count).contains(index) else { return }
    let start = index * Self.size
    secret =
      count == 1
      ? nil
      : unsafe Secret(count: kept.count - Self.size) { room in
        unsafe kept.withBytes { all in
          unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[..<start]))
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start...])
          unsafe rest.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: all[(start + Self.size)...]))
        }
      }
  }

  /// The place of the first key that made a resolvable private address; nil if none did.
  /// - Parameter most: How many keys are tried, from the last one back.
  public func firstIndex(resolving address: BluetoothAddress, most: Int = .max) -> Int? {
    guard let secret, var trial = AddressTrial(address) else { return nil }
    defer { Sodium.wipeStack() }
    return unsafe secret.withBytes { all in
      let first = max(0, count - most) * Self.size
      for start in stride(from: first, to: all.count, by: Self.size) {
        let key = unsafe UnsafeRawBufferPointer(rebasing: all[start..<(start + Self.size)])
        if unsafe trial.succeeds(SymmetricKey(data: key)) { return start / Self.size }
      }
      return nil
    }
  }
}

/// A resolvable private address, as it is tried with keys. Core Specification, Vol 6, Part B, 1.3.2.3.
struct AddressTrial {
  private let prand: [UInt8]
  private let hash: [UInt8]
  /// In use while a key is tried.
  private var block = [UInt8](repeating: 0, count: 16)

  /// Nil for an address of another kind.
  init?(_ address: BluetoothAddress) {
    guard address.isResolvablePrivate else { return nil }
    func octets(_ value: UInt64) -> [UInt8] {
      [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    (prand, hash) = (octets(address.value >> 24), octets(address.value))
  }

  /// Whether the IRK `key` made the address: `ah`, Vol 3, Part H, 2.2.2.
  mutating func succeeds(_ key: SymmetricKey) -> Bool {
    guard key.bitCount == 128 else { return false }
    for index in 0..<13 { block[index] = 0 }
    for index in 0..<3 { block[13 + index] = prand[index] }
    do { try AES.permute(&block, key: key) } catch { return false }
    return block[13...].elementsEqual(hash)
  }
}
