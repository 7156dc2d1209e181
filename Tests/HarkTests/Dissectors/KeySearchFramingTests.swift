import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors guess` with a private key, on framings in which few bytes show what they are: an accessory that
/// answers three times, words of text lines, sessions after what is encrypted. All messages of both sides are found, and
/// the profile that is written opens them by itself.
@Suite struct KeySearchFramingTests {
  private typealias Value = (isReceived: Bool, bytes: [UInt8])

  private enum Kind: UInt8 {
    case publicKey = 1
    case encapsulatedKey, message

    var word: String {
      switch self {
      case .publicKey: "pub"
      case .encapsulatedKey: "enc"
      case .message: "msg"
      }
    }
  }

  enum Framing: String, CaseIterable {
    /// Lines with a word, a UUID and base64 (RFC 4648, 4); without the word; with the UUID at the end; with `:` and base64
    /// for URLs (RFC 4648, 5).
    case line, bareLine, lineWithUUIDLast, lineWithColons
    /// The same after two bytes that are no text, and with hexadecimal digits.
    case markedText, hexLine
    /// JSON in fragments with a number and a byte that is 1 in the last: exactly two of each message, or only of some.
    case twoParts, jsonParts
    /// Protocol Buffers, of which three or four messages prove nothing; the same in fragments.
    case protobuf, protobufParts
    /// CBOR after a header of two bytes, in fragments.
    case cborParts
    /// Binary, with the session after what is encrypted: its text, its 16 bytes, its text with a length in front.
    case textLast, octetsLast, sizedTextLast
  }

  private static let word = ["PUB", "ENC", "MSG"]

  private static func encoded(
    _ framing: Framing, _ kind: Kind, _ bytes: [UInt8], _ uuid: String?
  ) -> [UInt8] {
    let word = word[Int(kind.rawValue) - 1]
    let text = Data(bytes).base64EncodedString()
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
    let url = text.replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    let octets = uuid.map { P256Vectors.hex($0.filter { $0 != "-" }) } ?? []
    switch framing {
    case .line: return Array("\(word) \(uuid.map { $0 + " " } ?? "")\(text)\r\n".utf8)
    case .bareLine: return Array("\(uuid.map { $0 + " " } ?? "")\(text)".utf8)
    case .lineWithUUIDLast: return Array("\(word) \(text)\(uuid.map { " " + $0 } ?? "")\n".utf8)
    case .lineWithColons: return Array("\(word):\(uuid.map { $0 + ":" } ?? "")\(url)".utf8)
    case .markedText: return [0xA5, kind.rawValue] + Array("\(uuid ?? "") \(text)".utf8)
    case .hexLine: return Array("\(word)=\(digits)\(uuid.map { "," + $0 } ?? "")".utf8)
    case .twoParts, .jsonParts:
      let member = kind == .message ? "data" : "key"
      let name = uuid.map { #","id":"\#($0)""# } ?? ""
      return Array(#"{"t":"\#(kind.word)","\#(member)":"\#(text)"\#(name)}"#.utf8)
    case .protobuf, .protobufParts:
      let inner = field(1, bytes) + (uuid.map { field(2, Array($0.utf8)) } ?? [])
      return [0x08, kind.rawValue] + field(2, inner)
    case .cborParts:
      // RFC 8949, 3.1.
      return [0xA7, kind.rawValue, uuid == nil ? 0xA1 : 0xA2, 1, 0x58, UInt8(bytes.count)] + bytes
        + (uuid.map { [2, 0x78, 36] + Array($0.utf8) } ?? [])
    case .textLast: return [0x7E, kind.rawValue] + bytes + Array((uuid ?? "").utf8)
    case .octetsLast: return [0x7E, kind.rawValue] + bytes + octets
    case .sizedTextLast:
      return [0x7E, kind.rawValue] + bytes + (uuid.map { [36] + Array($0.utf8) } ?? [])
    }
  }

  /// A field with a length. https://protobuf.dev/programming-guides/encoding
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    let count = bytes.count
    let size = count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
    return [number << 3 | 2] + size + bytes
  }

  /// How many bytes of a message a fragment has.
  private static func partSize(_ framing: Framing) -> Int? {
    switch framing {
    case .twoParts: 120
    case .jsonParts: 180
    case .protobufParts: 40
    case .cborParts: 90
    default: nil
    }
  }

  private static func values(_ framing: Framing) -> [Value] {
    var messages: [Value] = []
    func add(_ isReceived: Bool, _ kind: Kind, _ bytes: [UInt8], _ uuid: String?) {
      messages.append((isReceived, encoded(framing, kind, bytes, uuid)))
    }
    // Uncompressed, as X9.62 has it, where the encapsulated key is.
    let publicKey = (framing == .textLast ? [4] : []) + P256Vectors.publicKey
    add(true, .publicKey, publicKey, nil)
    add(false, .encapsulatedKey, P256Vectors.encapsulated, P256Vectors.identifier)
    for (index, sealed) in (P256Vectors.sealed + P256Vectors.sealed).enumerated() {
      add(false, .message, sealed, P256Vectors.session)
      if index < P256Vectors.answers.count {
        add(true, .message, P256Vectors.answers[index], P256Vectors.session)
      }
    }
    add(false, .message, P256Vectors.keySized, P256Vectors.session)
    guard let size = partSize(framing) else { return messages }
    return messages.flatMap { message in
      stride(from: 0, to: message.bytes.count, by: size).map { begin in
        let end = min(message.bytes.count, begin + size)
        let head = [UInt8(begin / size), end == message.bytes.count ? 1 : 0]
        return (message.isReceived, head + message.bytes[begin..<end])
      }
    }
  }

  private static let keys = Project.capture("pebble-session/accessory.harkkeys")

  @Test(arguments: Framing.allCases) func opens(_ framing: Framing) throws {
    let folder = try TestFolder()
    let capture = try AttributeValues.capture(
      Self.values(framing), named: framing.rawValue, in: folder)
    let written = folder.path("found")
    let text = try HarkProgram.run(
      "dissectors", "guess", capture, "--keys", Self.keys, "--write", written
    ).text
    for plaintext in P256Vectors.texts + P256Vectors.answerTexts + [P256Vectors.keySizedText] {
      #expect(text.contains(plaintext), "\(text)")
    }
    #expect(text.contains("  public key of the accessory on GATT handle 0x0031"), "\(text)")
    #expect(try HarkProgram.run("dissectors", "check", written).code == 0)
    let timeline = try HarkProgram.run(
      "timeline", capture, "--keys", Self.keys, "--dissectors", written, "-f", "json"
    ).text
    // An answer as long as a public key differs from one only in the header, which rules for what follows do not see.
    let opened = framing == .cborParts ? 11 : 12
    #expect(
      timeline.split(separator: "\n").count { $0.contains("\"plaintext") } == opened, "\(timeline)")
    #expect(timeline.contains("\"private_key_known\":true"), "\(timeline)")
    #expect(!timeline.contains("message-unreadable"), "\(timeline)")
    #expect(!timeline.contains("message-incomplete"), "\(timeline)")
    // Without the key, one line of each says that there is something to search for.
    for (arguments, words) in [
      (["timeline", capture], "run `hark dissectors guess --keys`"),
      (["info", capture], "guess --keys`"), (["findings", capture], "keys.not-described"),
    ] {
      let (text, _, _) = try OtherProgram.run(HarkProgram.url.path, arguments)
      #expect(text.split(separator: "\n").count { $0.contains(words) } == 1, "\(text)")
    }
  }

  /// Keys in values of at most 20 bytes, which no value has a whole one of; values of other kinds of that size are none.
  @Test(arguments: [0, 1, 2]) func hintsAtSmallParts(_ header: Int) throws {
    let folder = try TestFolder()
    func parts(_ message: [UInt8], isReceived: Bool) -> [Value] {
      let size = 20 - header
      return stride(from: 0, to: message.count, by: size).map { begin in
        let head: [UInt8] = [UInt8(begin / size), begin + size >= message.count ? 0x80 : 0]
        let part = message[begin..<min(message.count, begin + size)]
        return (isReceived, Array(head.prefix(header)) + part)
      }
    }
    func hints(_ values: [Value]) throws -> Int {
      let capture = try AttributeValues.capture(values, named: "parts", in: folder)
      return try HarkProgram.run("timeline", capture).text.split(separator: "\n")
        .count { $0.contains("holds a public key of P-256") }
    }
    let publicKey = parts([0xA7, 0x01] + P256Vectors.publicKey, isReceived: true)
    #expect(try hints(publicKey) == 1)
    let encapsulated = parts([0xA7, 0x02] + P256Vectors.encapsulated, isReceived: false)
    #expect(try hints(encapsulated) == 1)
    let base64 = Data(P256Vectors.publicKey).base64EncodedString()
    #expect(try hints(parts(Array(#"{"key":"\#(base64)"}"#.utf8), isReceived: true)) == 1)
    // Between other values of both directions.
    let other: [Value] = (0..<40).map { (true, [UInt8](repeating: $0, count: 20)) }
    let short: [Value] = [(true, [1, 2, 3])]
    #expect(try hints(other + short + publicKey + other) == 1)
    #expect(try hints(zip(publicKey, encapsulated).flatMap { [$0, $1] }) == 1)
    #expect(try hints(other + short) == 0)
    let sealed = P256Vectors.sealed.flatMap { parts([0xA7, 0x03] + $0, isReceived: true) }
    #expect(try hints(sealed) == 0)
  }
}
