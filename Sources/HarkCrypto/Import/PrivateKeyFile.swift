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
    guard isSequence(bytes) else { return nil }
    guard let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: bytes) else {
      throw .problem("DER, but not of an unencrypted P-256 private key")
    }
    return found(.der, key)
  }

  /// Whether the bytes are one SEQUENCE of DER and nothing else. X.690, 8.1.3 and 10.1.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    // Digits and other text, too, may begin with 0.
    guard 3..<16_384 ~= bytes.count, bytes[0] == 0x30, bytes.contains(where: { $0 >= 0x80 }) else {
      return false
    }
    if bytes[1] < 0x80 { return bytes.count == 2 + Int(bytes[1]) }
    let digits = bytes.dropFirst(2).prefix(Int(bytes[1] & 0x7F))
    guard 1...3 ~= digits.count else { return false }
    return bytes.count == 2 + digits.count + digits.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func pem(_ bytes: [UInt8], label: String) throws(KeyImport.Failure) -> KeyImport {
    // PKCS #8 says so in the label, SEC 1 in a header: RFC 7468, 11; RFC 1421, 4.6.1.1.
    let head = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    if label.hasPrefix("ENCRYPTED") || head.contains("Proc-Type: 4,ENCRYPTED") {
      throw .problem("encrypted; decrypt it first: openssl pkey -in FILE")
    }
    if label.hasSuffix("PUBLIC KEY") {
      throw .problem("a public key, which decrypts nothing; name the private key")
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
    throw .problem("PEM of \(label), not a P-256 private key")
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

/// Only the digits of one key: a hex stream, with colons or blanks, as a hex dump with offsets, or as an array or a
/// string of C, as Wireshark copies them.
enum BareKey {
  static func read(
    _ lines: [String], _ hint: KeyImport.Hint
  ) throws(KeyImport.Failure) -> KeyImport? {
    guard lines.count <= 64, var bytes = digits(lines), !bytes.isEmpty else { return nil }
    guard hint.kind != nil || [16, 32, 64].contains(bytes.count) else { return nil }
    guard let kind = hint.kind else {
      throw .problem("a key of \(bytes.count) bytes: name its kind with --kind")
    }
    if hint.isLeastSignificantFirst { bytes.reverse() }
    var found = KeyImport(.hex)
    do {
      found.keys.append(try StoredKey(kind, &bytes, hint.suite, KeyDetails(address: hint.address)))
    } catch {
      throw .problem("not a key of this kind: \(error)")
    }
    return found
  }

  /// The lines; of an array of C, what is between its braces, without comments; of a string of C, its escaped bytes.
  private static func elements(_ lines: [String]) -> [String] {
    // A dump and a stream begin with digits. The characters of a dump may be braces.
    guard let first = lines.lazy.flatMap({ $0.split(separator: " ") }).first,
      Int(first, radix: 16) == nil
    else { return lines }
    // Each part after the first begins inside a comment.
    let parts = lines.joined(separator: " ").split(
      separator: "/*", omittingEmptySubsequences: false)
    let code = parts.enumerated().map { place, part in
      if place == 0 { return part }
      return part.firstRange(of: "*/").map { part[$0.upperBound...] } ?? ""
    }.joined(separator: " ")
    let text = code.contains("{") ? String(code.drop { $0 != "{" }.prefix { $0 != "}" }) : code
    return [text.replacing("\\x", with: " ").replacing("\\", with: " ")]
  }

  private static func digits(_ lines: [String]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for line in elements(lines) {
      var words = line.split { " ,{};\t\"".contains($0) }[...]
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
