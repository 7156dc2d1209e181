import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The blob of a sealed message, taken apart once to be tried with many keys.
struct SealedBox {
  /// IV and tag alone.
  static let shortest = 28

  private let box: AES.GCM.SealedBox

  init?(_ blob: [UInt8]) {
    guard blob.count >= Self.shortest, let box = try? AES.GCM.SealedBox(combined: blob) else {
      return nil
    }
    self.box = box
  }

  /// The plaintext, or nil if the tag does not match.
  func open(_ key: SymmetricKey) -> [UInt8]? {
    guard key.bitCount == 256 else { return nil }
    return (try? AES.GCM.open(box, using: key)).map { Array($0) }
  }
}
