import Crypto
import FoundationEssentials

/// The keys of the internet transport: one chain per direction, each message key used once.
///
/// Apple documents the derivation in "Receiving iOS notifications on an accessory"; the index of
/// the first message is not stated and taken as 0.
struct InternetRatchet {
  /// Messages a chain may be wound forward at once, Apple's number of skipped keys to keep.
  static let longestSkip: UInt32 = 50_000

  /// The index of the next message key.
  private(set) var index: UInt32
  private var chainKey: Secret

  /// Starts a chain from its root key (32 bytes), exported with `rootContext`.
  init(root: Secret, index: UInt32 = 0) {
    chainKey = root
    self.index = index
  }

  /// The export context of a direction's root key.
  static func rootContext(_ direction: MessageDirection, identifier: String) -> String {
    "AccessoryInternetKey-\(direction.rawValue)-\(identifier)"
  }

  /// The first 4 bytes of SHA-384 over the accessory's public key as a SecurityMessage carries it.
  static func keyID(publicKey: [UInt8]) -> [UInt8] {
    Array(SHA384.hash(data: publicKey).prefix(4))
  }

  /// The key of the message `wanted`, winding the chain past it; nil if the chain is past it
  /// already or more than `longestSkip` messages before it.
  mutating func messageKey(_ wanted: UInt32) -> Secret? {
    guard wanted >= index, wanted - index <= Self.longestSkip, wanted < .max else { return nil }
    while index < wanted { _ = step() }
    return step()
  }

  /// HKDF-Expand with the chain key: 32 bytes of message key, 32 of the next chain key.
  private mutating func step() -> Secret {
    let number = (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * UInt32($0))) }
    var output = HKDF<SHA256>.expand(
      pseudoRandomKey: chainKey.key,
      info: Array("AccessoryTransportSecurity-RatchetKeys-".utf8) + number, outputByteCount: 64
    ).bytes
    defer { Sodium.wipe(&output) }
    chainKey = Secret(copying: output.span.extracting(last: 32))
    index += 1
    return Secret(copying: output.span.extracting(first: 32))
  }

  /// A copy of the chain key, for the vectors.
  var chainKeyForTests: [UInt8] { chainKey.key.bytes }
}
