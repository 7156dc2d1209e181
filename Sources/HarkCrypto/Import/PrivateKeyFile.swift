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
      guard let label = Self.label(of: head[start.upperBound...]) else { throw damagedBegin }
      return try pem(bytes, label: String(label))
    }
    guard isSequence(bytes) else { return nil }
    guard PrivateKeyCurve(bytes).mayBeP256,
      let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: bytes)
    else { throw .problem("DER, but not of an unencrypted P-256 private key") }
    var found = KeyImport(.der)
    add(key, to: &found)
    return found
  }

  private static let damagedBegin = KeyImport.Failure.problem("PEM with a damaged BEGIN line")

  /// The label that starts a text, if the line is whole. Of a damaged line nothing may be quoted: the key may follow on
  /// the same line. RFC 7468, 3.
  private static func label(of text: Substring) -> Substring? {
    let label = text.prefix { $0 == " " || "A"..."Z" ~= $0 || "0"..."9" ~= $0 }
    return label.utf8.count <= 40 && text[label.endIndex...].hasPrefix("-----") ? label : nil
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
    // Parameters of the curve may precede a key, and a file may have several keys. A block ends with the label that it
    // begins with.
    var found = KeyImport(.pem)
    var rest = Substring(decoding: bytes, as: UTF8.self)
    while let begin = rest.firstRange(of: "-----BEGIN ") {
      guard let label = Self.label(of: rest[begin.upperBound...]) else {
        if found.keys.isEmpty { throw damagedBegin }
        found.unreadable += 1
        break
      }
      let body = rest[label.endIndex...].dropFirst(5)
      guard let end = body.firstRange(of: "-----END \(label)-----") else {
        if found.keys.isEmpty {
          throw .problem("PEM of \(label) without its END line: the file is truncated")
        }
        if label.hasSuffix("PRIVATE KEY") { found.unreadable += 1 }
        break
      }
      if label == "PRIVATE KEY" || label == "EC PRIVATE KEY" {
        let characters = body[..<end.lowerBound].utf8.filter { $0 > 0x20 }
        if let document = Base64.decode(characters), PrivateKeyCurve(document).mayBeP256,
          let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: document)
        {
          add(key, to: &found)
        } else {
          found.unreadable += 1
        }
      }
      rest = rest[end.upperBound...]
    }
    if !found.keys.isEmpty { return found }
    throw .problem("PEM of \(label), not a P-256 private key")
  }

  private static func add(_ key: P256.KeyAgreement.PrivateKey, to found: inout KeyImport) {
    var scalar = Array(key.rawRepresentation)
    if let key = try? AccessoryKey(.p256, privateKey: &scalar, origin: .file("")) {
      found.keys.append(.accessory(key))
    } else {
      found.unreadable += 1
    }
  }
}

/// The curves that a private key in DER names. swift-crypto takes the scalar of a PKCS #8 document without comparing them.
private struct PrivateKeyCurve {
  /// 1.2.840.10045.3.1.7, secp256r1: RFC 5480, 2.1.1.1.
  private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

  /// Whether each curve that it names is P-256.
  private(set) var mayBeP256 = true

  init(_ document: [UInt8]) {
    guard let outer = Self.elements(document[...])?.first, outer.tag == 0x30,
      let parts = Self.elements(outer.content), parts.count >= 2
    else { return }
    // PKCS #8: version, the algorithm with its parameter, the key. RFC 5208, 5; RFC 5480, 2.1.1
    if parts[1].tag == 0x30 {
      if let algorithm = Self.elements(parts[1].content), algorithm.count > 1 {
        compare(algorithm[1])
      }
      if parts.count > 2, parts[2].tag == 0x04 {
        mayBeP256 = mayBeP256 && Self(Array(parts[2].content)).mayBeP256
      }
    }
    // SEC 1: version, the key, parameters [0]. RFC 5915, 3
    for part in parts where part.tag == 0xA0 && parts[1].tag == 0x04 {
      if let curve = Self.elements(part.content)?.first { compare(curve) }
    }
  }

  private mutating func compare(_ curve: (tag: UInt8, content: ArraySlice<UInt8>)) {
    if curve.tag != 0x06 || !curve.content.elementsEqual(Self.p256) { mayBeP256 = false }
  }

  /// The elements that follow each other; nil if the bytes are not DER. X.690, 8.1.
  private static func elements(
    _ bytes: ArraySlice<UInt8>
  ) -> [(tag: UInt8, content: ArraySlice<UInt8>)]? {
    var rest = bytes
    var elements: [(tag: UInt8, content: ArraySlice<UInt8>)] = []
    while let tag = rest.popFirst() {
      guard var length = rest.popFirst().map(Int.init) else { return nil }
      if length > 0x80 {
        let digits = rest.prefix(length & 0x7F)
        guard digits.count == length & 0x7F, digits.count <= 3 else { return nil }
        rest = rest.dropFirst(digits.count)
        length = digits.reduce(0) { $0 << 8 | Int($1) }
      }
      guard length <= rest.count else { return nil }
      elements.append((tag, rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return elements
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
