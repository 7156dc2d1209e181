import HarkCore

/// Whether a known CSRK signed an ATT PDU.
public struct SignatureCheck: Hashable, Sendable {
  public let counter: UInt32
  /// The CSRK that made the signature; nil if none of those tried did.
  public let key: Fingerprint?
  public let keysTried: Int

  /// A key file may have very many.
  static let mostKeys = 1_024

  /// Vol 3, Part H, 2.4.5: the PDU and SignCounter, authenticated with AES-CMAC, of which the 8 most significant octets are
  /// kept. All is sent least significant octet first, and the function takes the most significant one first.
  /// - Parameter pdu: With its signature of 12 octets.
  /// - Returns: Nil if no CSRK is known, or the PDU has no room for a signature.
  public init?(_ pdu: [UInt8], _ keys: KeyRing) {
    let known = keys.signatureKeys.prefix(Self.mostKeys)
    guard pdu.count > 12, !known.isEmpty else { return nil }
    let signature = pdu.suffix(12)
    counter = signature.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    let message = Array(pdu.dropLast(8).reversed())
    let code = Array(signature.suffix(8).reversed())
    defer { Sodium.wipeStack() }
    let found = known.first { key in
      SMPToolbox.cmac(key.secret.key, message)?.starts(with: code) ?? false
    }
    (key, keysTried) = (found?.fingerprint, known.count)
  }
}
