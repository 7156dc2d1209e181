import HarkCore

/// The strings a key was exported with, and how the KEM took the recipient's public key.
public struct Derivation: Hashable, Sendable {
  let infoText: DerivationText
  let contextText: DerivationText
  public let publicKeyForm: PublicKeyForm
  public let source: ExchangeSecret

  init(
    info: DerivationText, context: DerivationText, publicKeyForm: PublicKeyForm,
    source: ExchangeSecret = .exported
  ) {
    (infoText, contextText) = (info, context)
    (self.publicKeyForm, self.source) = (publicKeyForm, source)
  }

  /// HPKE's info: `P256-Version1-<identifier>`.
  public var info: String { infoText.text }
  /// The export context: `P256-Version1-<identifier>-HostToAccessory-<session UUID>`.
  public var context: String { contextText.text }
}

/// A string of a derivation. UUIDs that firmware inserts as bytes are shown as `<` digits `>`.
struct DerivationText: Hashable, Sendable {
  private(set) var text: String
  /// Nil as long as they are those of the text.
  private var differentBytes: [UInt8]?

  init(_ text: String) { self.text = text }

  /// What HPKE gets.
  var bytes: [UInt8] { differentBytes ?? Array(text.utf8) }

  mutating func append(_ part: String) {
    differentBytes?.append(contentsOf: part.utf8)
    text += part
  }

  mutating func append(bytes part: [UInt8]) {
    differentBytes = bytes + part
    text += "<\(Hex.text(part).uppercased())>"
  }
}

/// Which secret of a key exchange is the key of messages.
public enum ExchangeSecret: Hashable, Sendable, CaseIterable {
  /// What HPKE exports for the context. RFC 9180, 5.3.
  case exported
  /// The same with its bytes in reverse order.
  case exportedReversed
  /// What ECDH gives: P-256 only. RFC 9180, 4.1.
  case agreement
  /// What the KEM gives.
  case sharedSecret
  /// The key with which HPKE itself encrypts. RFC 9180, 5.1.
  case encryptionKey
  case exporterSecret

  /// Whether it depends on HPKE's info.
  public var usesInfo: Bool { self != .agreement && self != .sharedSecret }
  /// Whether it depends on the export context.
  public var usesContext: Bool { self == .exported || self == .exportedReversed }
}

/// Which key opened a message, and how it came about.
public struct KeyUse: Hashable, Sendable {
  /// Derived from a key exchange in the capture.
  public struct Exchange: Hashable, Sendable {
    /// Counted from 1 for each accessory.
    public let generation: Int
    /// The packet with the encapsulated key.
    public let packet: PacketID
    public let suite: CipherSuite
    /// Of the private key's public key.
    public let privateKey: Fingerprint
    public let derivation: Derivation
  }

  /// The AES key.
  public let key: Fingerprint
  /// The name in the key file of the private key or session key.
  public let name: String?
  public let origin: KeyOrigin
  /// Nil for a session key out of a key file.
  public let exchange: Exchange?
  /// Everything unusual about the derivation; empty if it is what Apple's phones use.
  public let deviations: [NonstandardDerivation]
  public let direction: MessageDirection

  /// One sentence without its full stop: ``decrypts with info `P256-version1-…`: the firmware uses
  /// `version1`, Apple's phones send `Version1` ``.
  public var summary: String {
    guard let exchange else {
      return
        (["decrypts with session key \(name ?? key.description) of the key file"]
        + deviations.map { $0.clause(direction) }).joined(separator: ": ")
    }
    let derivation = exchange.derivation
    let inInfo = deviations.contains {
      switch $0 {
      case .suite, .version, .identifier, .identifierBytes, .terminator(inInfo: true, _): true
      default: false
      }
    }
    let what =
      !derivation.source.usesContext
      ? "another secret of the key exchange"
      : deviations.isEmpty || inInfo
        ? "info `\(Self.visible(derivation.info))`"
        : "context `\(Self.visible(derivation.context))`"
    let clauses = deviations.map { $0.clause(direction) }.joined(separator: "; ")
    return "decrypts with \(what)" + (clauses.isEmpty ? "" : ": \(clauses)")
  }

  /// A NUL as C writes it.
  private static func visible(_ text: String) -> String {
    text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
  }
}
