/// The cipher suites of a SecurityMessage, by Apple's names. HPKE in base mode with HKDF-SHA256 and
/// AES-256-GCM; RFC 9180, 7.
public enum CipherSuite: String, Sendable, CaseIterable {
  /// X-Wing: ML-KEM-768 with X25519. draft-connolly-cfrg-xwing-kem.
  case xWing
  /// DHKEM(P-256, HKDF-SHA256). RFC 9180, 4.1.
  case p256

  /// Reads any spelling met in documents and captures: `XWing`, `xWing`, `X-Wing`, `P256`, `P-256`.
  public init?(spelling: some StringProtocol) {
    switch spelling.lowercased().filter({ $0 != "-" && $0 != "_" }) {
    case "xwing": self = .xWing
    case "p256": self = .p256
    default: return nil
    }
  }

  /// The KEM's number in IANA's registry of HPKE.
  public var kem: UInt16 { self == .xWing ? 0x647A : 0x0010 }

  /// Bytes of a public key as a SecurityMessage carries it: P-256 without the leading 04.
  public var publicKeySize: Int { self == .xWing ? 1216 : 64 }

  /// Bytes of an encapsulated key: P-256 with the leading 04.
  public var encapsulatedKeySize: Int { self == .xWing ? 1120 : 65 }

  /// The name for people.
  public var name: String { self == .xWing ? "X-Wing" : "P-256" }

  /// Spellings to try in derivation strings. The first works with Apple's phones; the second is in
  /// comments of Apple's article "Receiving iOS notifications on an accessory"; the last is the
  /// other suite's, left over where code was copied.
  public var spellings: [String] {
    switch self {
    case .xWing: ["XWing", "xWing", "xwing", "X-Wing", "P256"]
    case .p256: ["P256", "p256", "P-256", "XWing"]
    }
  }

  /// Spellings of version 1 to try: what phones send, Apple's symbol page, the 26.4 beta's pages.
  public static let versionSpellings = ["Version1", "version1", "v1"]

  /// HPKE's suite_id: "HPKE", KEM, HKDF-SHA256, AES-256-GCM. RFC 9180, 5.1.
  var suiteID: [UInt8] {
    Array("HPKE".utf8) + [UInt8(kem >> 8), UInt8(kem & 0xFF), 0x00, 0x01, 0x00, 0x02]
  }
}
