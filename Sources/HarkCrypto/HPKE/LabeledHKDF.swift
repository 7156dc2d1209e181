import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// LabeledExtract and LabeledExpand of RFC 9180, 4, with HKDF-SHA256.
struct LabeledHKDF {
  /// "KEM" or "HPKE" and the numbers of the algorithms.
  let suiteID: [UInt8]

  private static let version = Array("HPKE-v1".utf8)

  /// The pseudorandom key, 32 bytes. Without a salt, the empty one.
  func extract(salt: SymmetricKey?, _ label: String, _ keyMaterial: some DataProtocol)
    -> SymmetricKey
  {
    // HMAC in steps, so that no array ever holds label and secret together. A key of zeros of the
    // hash's length is what HMAC makes of an empty one.
    let key = salt ?? SymmetricKey(data: [UInt8](repeating: 0, count: 32))
    var code = HMAC<SHA256>(key: key)
    code.update(data: Self.version + suiteID + Array(label.utf8))
    code.update(data: keyMaterial)
    return unsafe code.finalize().withUnsafeBytes { unsafe SymmetricKey(data: $0) }
  }

  /// `count` bytes, 1 to 8160.
  func expand(_ key: SymmetricKey, _ label: String, _ info: [UInt8], _ count: Int) -> SymmetricKey {
    precondition((1...8160).contains(count), "HKDF-SHA256 gives 1 to 8160 bytes")
    let length = [UInt8(count >> 8), UInt8(count & 0xFF)]
    return HKDF<SHA256>.expand(
      pseudoRandomKey: key, info: length + Self.version + suiteID + Array(label.utf8) + info,
      outputByteCount: count)
  }
}
