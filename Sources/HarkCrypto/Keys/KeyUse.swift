import HarkCore

/// The strings a key was exported with, and how the KEM took the recipient's public key.
public struct Derivation: Hashable, Sendable {
  /// HPKE's info: `P256-Version1-<identifier>`.
  public let info: String
  /// The export context: `P256-Version1-<identifier>-HostToAccessory-<session UUID>`.
  public let context: String
  public let publicKeyForm: PublicKeyForm
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
      case .suite, .version, .identifier, .terminator(inInfo: true, _): true
      default: false
      }
    }
    let what =
      deviations.isEmpty || inInfo
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
