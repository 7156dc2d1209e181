import Crypto
import HarkCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of messages over the internet in one direction: each opens one message, and the chain continues without it.
/// Apple, "Forwarding notifications to your accessory using the internet transport type".
public struct InternetRatchet: Sendable {
  /// Keys of messages that were passed over, as Apple's accessories keep them.
  public static let mostSkipped = 50_000
  /// The index of the first message is not published: both are tried with a root key.
  private static let firstIndexes: [UInt32] = [0, 1]

  /// Where a chain stands.
  private struct Chain {
    var key: Secret
    /// The index of the first message that it opens.
    let first: UInt32
    /// The index of the next message; nil after the last possible one.
    var next: UInt32?
    var skipped: [UInt32: Secret] = [:]
  }

  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer bytes than an IV and a tag take.
    case tooShort(Int)
    /// A message that was opened: its key is deleted.
    case passed(next: UInt32)
    /// A message of before the key.
    case beforeStart(first: UInt32)
    /// More messages are missing than keys are kept.
    case tooFar(next: UInt32)
    case tagFails

    public var description: String {
      switch self {
      case .tooShort(let count): "\(count) bytes: IV and tag alone take 28"
      case .passed(let next):
        "a message with this index was already opened, and each key opens one; the next index is \(next)"
      case .beforeStart(let first):
        "its key cannot be computed: the key in the key file starts at index \(first)"
      case .tooFar(let next):
        "more than \(InternetRatchet.mostSkipped) messages are missing before it: the next index is \(next)"
      case .tagFails: "tag fails: wrong key or damaged data"
      }
    }
  }

  private let key: InternetKey
  /// Until a message was opened, one for each index that the first message may have.
  private var chains: [Chain]

  public init(_ key: InternetKey) {
    self.key = key
    let starts = key.index == 0 ? Self.firstIndexes : [key.index]
    chains = starts.map { Chain(key: key.secret, first: $0, next: $0) }
  }

  public var fingerprint: Fingerprint { key.fingerprint }

  /// Opens a message: IV, ciphertext and tag. A message that fails leaves everything as it was.
  /// - Parameter index: Of the message.
  public mutating func open(_ blob: [UInt8], index: UInt32) throws(Failure) -> [UInt8] {
    defer { Sodium.wipeStack() }
    guard let box = SealedBox(blob) else { throw .tooShort(blob.count) }
    var failure: Failure?
    for place in chains.indices {
      do throws(Failure) {
        let (plaintext, chain) = try Self.open(box, index, chains[place])
        chains = [chain]
        return plaintext
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? .tagFails
  }

  private static func open(
    _ box: SealedBox, _ index: UInt32, _ chain: Chain
  ) throws(Failure) -> ([UInt8], Chain) {
    var chain = chain
    if let known = chain.skipped[index] {
      guard let plaintext = box.open(known.key) else { throw .tagFails }
      chain.skipped[index] = nil
      return (plaintext, chain)
    }
    guard index >= chain.first else { throw .beforeStart(first: chain.first) }
    guard let next = chain.next, index >= next else { throw .passed(next: chain.next ?? .max) }
    guard Int(index - next) + chain.skipped.count <= mostSkipped else { throw .tooFar(next: next) }
    for step in next...index {
      let (message, following) = keys(chain.key, step)
      chain.key = following
      chain.skipped[step] = message
    }
    guard let message = chain.skipped.removeValue(forKey: index),
      let plaintext = box.open(message.key)
    else { throw .tagFails }
    chain.next = index == .max ? nil : index + 1
    return (plaintext, chain)
  }

  /// The key of message `index`, and the chain key after it: HKDF-Expand with SHA-256 and the index, least significant
  /// byte first.
  static func keys(_ chain: Secret, _ index: UInt32) -> (message: Secret, next: Secret) {
    let info =
      Array("AccessoryTransportSecurity-RatchetKeys-".utf8)
      + (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * $0)) }
    let both = HKDF<SHA256>.expand(pseudoRandomKey: chain.key, info: info, outputByteCount: 64)
    return unsafe both.withUnsafeBytes { bytes in
      func half(_ start: Int) -> Secret {
        unsafe Secret(count: 32) { room in
          unsafe room.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 32)]))
        }
      }
      return (half(0), half(32))
    }
  }
}
