import Crypto
import HarkCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a message differs from IV (12 bytes), ciphertext and tag (16) of AES-256-GCM without additional data, though its key is
/// right. A tag proves it.
public enum WrongForm: Hashable, Sendable, CustomStringConvertible {
  /// What is authenticated besides the ciphertext.
  public enum AdditionalData: String, Hashable, Sendable, CaseIterable {
    case session = "the session UUID as text"
    case sessionBytes = "the 16 bytes of the session UUID"
    case context = "the export context"
    case info = "the info of HPKE"
    case identifier = "the identifier"
    case direction = "the direction"
    case iv = "the IV"
  }

  case additionalData(AdditionalData)
  /// The tag has only its first bytes.
  case shortTag(bytes: Int)
  case chaCha20Poly1305
  /// IV, tag, ciphertext.
  case tagFirst
  /// Ciphertext, tag, IV.
  case ivLast

  public var description: String {
    switch self {
    case .additionalData(let data):
      "it is authenticated together with additional data (\(data.rawValue)), and there must be none"
    case .shortTag(let bytes): "its tag has \(bytes) of 16 bytes"
    case .chaCha20Poly1305: "it is encrypted with ChaCha20-Poly1305 instead of AES-256-GCM"
    case .tagFirst: "its tag precedes the ciphertext instead of following it"
    case .ivLast: "its IV is at the end instead of the beginning"
    }
  }
}

/// Tries one key with the wrong forms of one message.
struct WrongFormTrial {
  /// Lengths of tags that NIST SP 800-38D, 5.2.1.2 permits besides 16 bytes, the most likely first; 4 bytes prove too little.
  private static let shortTags = [15, 14, 13, 12, 8]
  private static let ivCount = 12
  private static let tagCount = 16
  /// How often a message is decrypted for one key, at most.
  static let cost = 32

  let blob: [UInt8]
  let message: SealedMessage
  /// Nil of a key that a file or an app gave.
  let derivation: Derivation?
  let identifier: String?

  func find(_ key: SymmetricKey) -> WrongForm? {
    if let data = additionalData(key) { return .additionalData(data) }
    if let bytes = Self.shortTags.first(where: { hasShortTag($0, key) }) {
      return .shortTag(bytes: bytes)
    }
    if let box = try? ChaChaPoly.SealedBox(combined: blob),
      (try? ChaChaPoly.open(box, using: key)) != nil
    {
      return .chaCha20Poly1305
    }
    let (iv, tag) = (Self.ivCount, Self.tagCount)
    let parts = blob.dropFirst(iv)
    if opens(blob.prefix(iv) + parts.dropFirst(tag) + parts.prefix(tag), key) { return .tagFirst }
    if opens(blob.suffix(iv) + blob.dropLast(iv), key) { return .ivLast }
    return nil
  }

  private func opens(_ blob: some Collection<UInt8>, _ key: SymmetricKey) -> Bool {
    SealedBox(Array(blob))?.open(key) != nil
  }

  private func additionalData(_ key: SymmetricKey) -> WrongForm.AdditionalData? {
    guard let box = try? AES.GCM.SealedBox(combined: blob) else { return nil }
    return WrongForm.AdditionalData.allCases.first { data in
      values(data).contains {
        !$0.isEmpty && (try? AES.GCM.open(box, using: key, authenticating: $0)) != nil
      }
    }
  }

  private func values(_ data: WrongForm.AdditionalData) -> [[UInt8]] {
    func texts(_ texts: String?...) -> [[UInt8]] { texts.compactMap { $0.map { Array($0.utf8) } } }
    let session = message.session
    switch data {
    case .session: return texts(session?.uppercased(), session?.lowercased())
    case .sessionBytes:
      let digits = session.map { $0.filter { $0 != "-" } }
      return [digits.flatMap { Hex.bytes($0) } ?? []]
    case .context: return texts(derivation?.context)
    case .info: return texts(derivation?.info)
    case .identifier: return texts(identifier)
    case .direction: return texts(message.direction.rawValue)
    case .iv: return [Array(blob.prefix(Self.ivCount))]
    }
  }

  /// GCM encrypts as it decrypts, so that sealing zeros yields the key stream, and sealing the plaintext the whole tag.
  private func hasShortTag(_ count: Int, _ key: SymmetricKey) -> Bool {
    let ciphertext = blob.dropFirst(Self.ivCount).dropLast(count)
    guard !ciphertext.isEmpty, let nonce = try? AES.GCM.Nonce(data: blob.prefix(Self.ivCount)),
      let stream = try? AES.GCM.seal(
        [UInt8](repeating: 0, count: ciphertext.count), using: key, nonce: nonce)
    else { return false }
    var plaintext = zip(ciphertext, stream.ciphertext).map { $0 ^ $1 }
    defer { for index in plaintext.indices { plaintext[index] = 0 } }
    guard let whole = try? AES.GCM.seal(plaintext, using: key, nonce: nonce) else { return false }
    return whole.tag.prefix(count).elementsEqual(blob.suffix(count))
  }
}
