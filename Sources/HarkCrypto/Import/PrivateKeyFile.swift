import Crypto
import HarkCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A private key of P-256 in PEM or DER: PKCS #8 (RFC 5208) or SEC 1 (RFC 5915).
enum PrivateKeyFile {
  static func read(_ bytes: [UInt8], _ path: String) throws(KeyImport.Failure) -> KeyImport? {
    let head = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    if let start = head.firstRange(of: "-----BEGIN ") {
      return try pem(bytes, label: String(head[start.upperBound...].prefix { $0 != "-" }))
    }
    // A SEQUENCE: RFC 5208, 5.
    guard bytes.first == 0x30, bytes.count < 1_024,
      let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: bytes)
    else { return nil }
    return found(.der, key)
  }

  private static func pem(_ bytes: [UInt8], label: String) throws(KeyImport.Failure) -> KeyImport {
    if label.hasPrefix("ENCRYPTED") {
      throw .problem("is encrypted; decrypt it first: openssl pkey -in FILE")
    }
    if label.hasSuffix("PUBLIC KEY") {
      throw .problem("is a public key, which decrypts nothing; name the private key")
    }
    // Parameters of the curve may precede the key.
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in ["PRIVATE KEY", "EC PRIVATE KEY"] {
      guard let start = text.firstRange(of: "-----BEGIN \(kind)-----"),
        let end = text[start.upperBound...].firstRange(of: "-----END \(kind)-----")
      else { continue }
      let document = String(text[start.lowerBound..<end.upperBound])
      if let key = try? P256.KeyAgreement.PrivateKey(pemRepresentation: document) {
        return found(.pem, key)
      }
    }
    throw .problem("is PEM of \(label), not a P-256 private key")
  }

  private static func found(
    _ format: KeyImport.Format, _ key: P256.KeyAgreement.PrivateKey
  ) -> KeyImport {
    var found = KeyImport(format)
    var scalar = Array(key.rawRepresentation)
    if let key = try? AccessoryKey(.p256, privateKey: &scalar, origin: .file("")) {
      found.keys.append(.accessory(key))
    } else {
      found.unreadable += 1
    }
    return found
  }
}

/// Only the digits of one key: a hex stream, with colons or blanks, as C writes bytes, or as a hex dump
/// with offsets, as Wireshark copies them.
enum BareKey {
  static func read(
    _ lines: [String], _ hint: KeyImport.Hint
  ) throws(KeyImport.Failure) -> KeyImport? {
    guard lines.count <= 64, var bytes = digits(lines), !bytes.isEmpty else { return nil }
    guard hint.kind != nil || [16, 32, 64].contains(bytes.count) else { return nil }
    guard let kind = hint.kind else {
      throw .problem("is a key of \(bytes.count) bytes: name its kind with --kind")
    }
    if hint.isLeastSignificantFirst { bytes.reverse() }
    var found = KeyImport(.hex)
    do {
      found.keys.append(try StoredKey(kind, &bytes, hint.suite, KeyDetails(address: hint.address)))
    } catch {
      throw .problem("is not a key of this kind: \(error)")
    }
    return found
  }

  private static func digits(_ lines: [String]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for line in lines {
      var words = line.split { " ,{};\t".contains($0) }[...]
      // `0010  a5 5a …  .Z`: an offset, octets, characters.
      if let first = words.first, (4...8).contains(first.utf8.count), words.count > 1,
        Int(first, radix: 16) == bytes.count
      {
        words = words.dropFirst().prefix(16)
        words = words.prefix { $0.utf8.count == 2 && Hex.bytes($0) != nil }
      }
      for word in words {
        guard let found = Hex.bytes(word.withoutHexPrefix ?? word) else {
          return nil
        }
        bytes += found
      }
      guard bytes.count <= 64 else { return nil }
    }
    return bytes
  }
}
