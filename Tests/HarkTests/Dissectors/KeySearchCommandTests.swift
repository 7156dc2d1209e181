import Foundation
import HarkTestSupport
import Testing

/// `hark dissectors guess` with a private key, on captures of framings that no profile describes: what opens is found
/// by the tag of AES-GCM alone, and the profile that is written opens the capture by itself.
@Suite struct KeySearchCommandTests {
  private static let texts = P256Vectors.texts
  private static let (identifier, session) = (P256Vectors.identifier, P256Vectors.session)
  private static let (publicKey, encapsulated) = (P256Vectors.publicKey, P256Vectors.encapsulated)
  private static let sealed = P256Vectors.sealed

  private static func hex(_ text: String) -> [UInt8] { P256Vectors.hex(text) }

  private static func octets(_ uuid: String) -> [UInt8] {
    hex(uuid.filter { $0 != "-" })
  }

  enum Form: String, CaseIterable {
    case binary, json, fragments, cbor, plist, protobuf, nested
    /// JSON with arrays and base64 for URLs, RFC 4648, 5; CBOR in fragments and after a header; JSON in a stream.
    case array, cborFragments, headed, stream
    case opack, messagePack
    /// CBOR whose UUIDs are byte strings of 16 bytes.
    case cborUUID
  }

  /// A message with one key that is bytes and one that is text, in several encodings. RFC 8949, 3.1; Apple's
  /// CFBinaryPList.c; https://protobuf.dev/programming-guides/encoding; the MessagePack specification, "Formats";
  /// captures/generator/opack.py
  private static func encoded(
    _ form: Form, _ type: String, _ bytes: [UInt8], _ name: (key: String, text: String)?
  ) throws -> [UInt8] {
    switch form {
    case .cbor, .cborUUID:
      func text(_ text: String) -> [UInt8] {
        (text.utf8.count < 24 ? [0x60 | UInt8(text.utf8.count)] : [0x78, UInt8(text.utf8.count)])
          + Array(text.utf8)
      }
      let head: [UInt8] =
        bytes.count < 256
        ? [0x58, UInt8(bytes.count)] : [0x59, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      return [name == nil ? 0xA2 : 0xA3] + text("t") + text(type) + text("k") + head + bytes
        + (name.map {
          text($0.key) + (form == .cbor ? text($0.text) : [0x50] + octets($0.text))
        } ?? [])
    case .messagePack:
      func text(_ text: String) -> [UInt8] {
        (text.utf8.count < 32 ? [0xA0 | UInt8(text.utf8.count)] : [0xD9, UInt8(text.utf8.count)])
          + Array(text.utf8)
      }
      let head: [UInt8] =
        bytes.count < 256
        ? [0xC4, UInt8(bytes.count)] : [0xC5, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      return [name == nil ? 0x82 : 0x83] + text("t") + text(type) + text("k") + head + bytes
        + (name.map { text($0.key) + text($0.text) } ?? [])
    case .opack:
      func text(_ text: String) -> [UInt8] {
        (text.utf8.count < 33 ? [0x40 + UInt8(text.utf8.count)] : [0x61, UInt8(text.utf8.count)])
          + Array(text.utf8)
      }
      let head: [UInt8] =
        bytes.count < 256
        ? [0x91, UInt8(bytes.count)] : [0x92, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
      return [name == nil ? 0xE2 : 0xE3] + text("t") + text(type) + text("k") + head + bytes
        + (name.map { text($0.key) + text($0.text) } ?? [])
    case .plist:
      var members: [String: Any] = ["t": type, "k": Data(bytes)]
      if let name { members[name.key] = name.text }
      return Array(
        try PropertyListSerialization.data(fromPropertyList: members, format: .binary, options: 0))
    case .protobuf:
      return [0x08, UInt8(type.utf8.count)] + field(2, bytes)
        + (name.map { field(3, Array($0.text.utf8)) } ?? [])
    case .nested:
      let inner = field(1, bytes) + (name.map { field(4, Array($0.text.utf8)) } ?? [])
      return [0x08, UInt8(type.utf8.count)] + field(2, inner) + [0x18, 1]
    default: return []
    }
  }

  /// A field with a length of Protocol Buffers.
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var head = [number << 3 | 2]
    var count = bytes.count
    while count > 0x7F {
      head.append(UInt8(count & 0x7F) | 0x80)
      count >>= 7
    }
    return head + [UInt8(count)] + bytes
  }

  private static func parts(
    _ isReceived: Bool, _ bytes: [UInt8]
  ) -> [(isReceived: Bool, bytes: [UInt8])] {
    stride(from: 0, to: bytes.count, by: 100).map { begin in
      let end = min(bytes.count, begin + 100)
      let flags: UInt8 = (begin == 0 ? 0x80 : 0) | (end < bytes.count ? 0x40 : 0)
      return (isReceived, [flags] + bytes[begin..<end])
    }
  }

  /// Values in the order they pass: whether the accessory sends them, and their bytes.
  private static func values(_ form: Form) throws -> [(isReceived: Bool, bytes: [UInt8])] {
    func all(
      _ make: (String, [UInt8], (key: String, text: String)?) throws -> [UInt8]
    ) rethrows -> [(isReceived: Bool, bytes: [UInt8])] {
      [
        (true, try make("pk", publicKey, nil)),
        (false, try make("ek", encapsulated, ("me", identifier))),
      ] + (try (sealed + sealed).map { (false, try make("m", $0, ("s", session))) })
    }
    switch form {
    case .cbor, .cborUUID, .plist, .protobuf, .nested, .opack, .messagePack:
      return try all { try encoded(form, $0, $1, $2) }
    case .array:
      return all { type, bytes, name in
        let text = Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        let named = name.map { #","\#($0.key)":"\#($0.text)""# } ?? ""
        return Array(#"{"v":1,"msg":{"type":"\#(type)","args":[{"k":"\#(text)"\#(named)}]}}"#.utf8)
      }
    case .headed:
      return try all { [0xA7, UInt8($0.utf8.count)] + (try encoded(.cbor, $0, $1, $2)) }
    case .cborFragments:
      return try all { try encoded(.cbor, $0, $1, $2) }.flatMap { message in
        parts(message.isReceived, message.bytes)
      }
    case .stream:
      return all { type, bytes, name in
        let named = name.map { #","\#($0.key)":"\#($0.text)""# } ?? ""
        let text = #"{"t":"\#(type)","k":"\#(Data(bytes).base64EncodedString())"\#(named)}"#
        return [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + Array(text.utf8)
      }.flatMap { message in
        stride(from: 0, to: message.bytes.count, by: 120).map {
          (message.isReceived, Array(message.bytes[$0..<min(message.bytes.count, $0 + 120)]))
        }
      }
    case .binary:
      let exchange = [
        (true, [0xA7, 0x10] + publicKey),
        (false, [0xA7, 0x11] + encapsulated + octets(identifier)),
      ]
      return exchange
        + sealed.enumerated().map {
          (false, [0xA7, 0x12, UInt8($0)] + octets(session) + $1)
        }
    case .json:
      func object(_ members: String) -> [UInt8] { Array("{\(members)}".utf8) }
      func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
      let exchange = [
        (true, object(#""t":"pk","k":"\#(base64(publicKey))""#)),
        (false, object(#""t":"ek","k":"\#(base64(encapsulated))","me":"\#(identifier)""#)),
      ]
      return exchange
        + sealed.map { (false, object(#""t":"m","s":"\#(session)","d":"\#(base64($0))""#)) }
    case .fragments:
      return parts(true, [0x10] + publicKey)
        + parts(false, [0x11] + Array(identifier.utf8) + encapsulated)
        + (sealed + sealed).flatMap { parts(false, [0x12] + Array(session.utf8) + $0) }
    }
  }

  /// A capture that begins after discovery: the accessory notifies 0x0031, the phone writes 0x0033. RFC 1761 and
  /// H4; Core Specification, Vol 3, Part F, 3.4.5.3 and 3.4.7.1.
  private static func capture(_ form: Form, in folder: TestFolder) throws -> String {
    try AttributeValues.capture(values(form), named: form.rawValue, in: folder)
  }

  private static let keys = Project.capture("pebble-session/accessory.harkkeys")

  @Test(arguments: Form.allCases) func opens(_ form: Form) throws {
    let folder = try TestFolder()
    let capture = try Self.capture(form, in: folder)
    let written = folder.path("found")
    let (text, _, code) = try HarkProgram.run(
      "dissectors", "guess", capture, "--keys", Self.keys, "--write", written)
    #expect(code == 0)
    #expect(text.contains("Found by search"))
    for plaintext in Self.texts { #expect(text.contains(plaintext), "\(text)") }
    #expect(try HarkProgram.run("dissectors", "check", written).code == 0)
    // The profile alone, and the key, open all messages.
    let timeline = try HarkProgram.run(
      "timeline", capture, "--keys", Self.keys, "--dissectors", written, "-f", "json"
    ).text
    let opened = timeline.split(separator: "\n").count { $0.contains("\"plaintext") }
    // Without a key, one line says that there is something to search for.
    let hints = try HarkProgram.run("timeline", capture).text.split(separator: "\n")
      .count { $0.contains("which no profile describes; run `hark dissectors guess --keys`") }
    #expect(hints == 1)
    #expect(opened == ([.binary, .json].contains(form) ? 4 : 8), "\(timeline)")
  }

  /// The same with X-Wing, of whose encapsulated key only the size can be recognized.
  @Test(arguments: [Form.binary, .cbor, .protobuf, .nested, .opack, .messagePack])
  func opensXWing(_ form: Form) throws {
    let folder = try TestFolder()
    let key = Self.hex(XWingVectors.encapsulated)
    let sealed = XWingVectors.sealed.map(Self.hex)
    var values: [(isReceived: Bool, bytes: [UInt8])] = []
    if form == .binary {
      values = [(false, [0xA7, 0x11] + Array(XWingVectors.identifier.utf8) + key + [1, 0, 2])]
      values += sealed.enumerated().map {
        (false, [0xA7, 0x12, UInt8($0)] + Self.octets(XWingVectors.session) + $1)
      }
    } else {
      values = [(false, try Self.encoded(form, "ek", key, ("me", XWingVectors.identifier)))]
      values += try sealed.map {
        (false, try Self.encoded(form, "m", $0, ("s", XWingVectors.session)))
      }
    }
    let capture = try AttributeValues.capture(values, named: form.rawValue, in: folder)
    let written = folder.path("found")
    let keys = Project.capture("lens-session/accessory.harkkeys")
    let (text, _, code) = try HarkProgram.run(
      "dissectors", "guess", capture, "--keys", keys, "--write", written)
    #expect(code == 0)
    #expect(text.contains("an exchange of X-Wing, and 4 messages that open"), "\(text)")
    #expect(try HarkProgram.run("dissectors", "check", written).code == 0)
    let timeline = try HarkProgram.run(
      "timeline", capture, "--keys", keys, "--dissectors", written, "-f", "json"
    ).text
    #expect(
      timeline.split(separator: "\n").count { $0.contains("\"plaintext") } == 4, "\(timeline)")
  }

  /// The encapsulated key in seven values of at most 180 bytes: only the key and the tag show how they are put together.
  /// Fragments with bits for the first one and for more to come, with the latter alone, a length of two bytes, and numbers
  /// with a bit for the last one, where only the key takes several fragments.
  @Test(arguments: [[0x80, 0x40], [0, 0x01], [], [0x01]] as [[UInt8]], [Form.cbor, .protobuf])
  func opensXWingInParts(_ bits: [UInt8], _ form: Form) throws {
    let folder = try TestFolder()
    func parts(_ message: [UInt8]) -> [(isReceived: Bool, bytes: [UInt8])] {
      let whole =
        bits.isEmpty ? [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message : message
      let size = bits.isEmpty ? 180 : bits.count == 1 ? 178 : 179
      return stride(from: 0, to: whole.count, by: size).map { begin in
        let part = Array(whole[begin..<min(whole.count, begin + size)])
        let isLast = begin + size >= whole.count
        if bits.isEmpty { return (false, part) }
        if bits.count == 1 {
          return (false, [UInt8(begin / size), isLast ? bits[0] : 0] + part)
        }
        return (
          false,
          [(begin == 0 ? bits[0] : 0) | (begin + size < whole.count ? bits[1] : 0)] + part
        )
      }
    }
    let key = Self.hex(XWingVectors.encapsulated)
    var messages = [try Self.encoded(form, "ek", key, ("me", XWingVectors.identifier))]
    for sealed in XWingVectors.sealed {
      let bytes = Self.hex(sealed)
      messages.append(try Self.encoded(form, "m", bytes, ("s", XWingVectors.session)))
    }
    let capture = try AttributeValues.capture(
      messages.flatMap(parts), named: form.rawValue, in: folder)
    let written = folder.path("found")
    let keys = Project.capture("lens-session/accessory.harkkeys")
    let text = try HarkProgram.run(
      "dissectors", "guess", capture, "--keys", keys, "--write", written
    ).text
    #expect(text.contains("an exchange of X-Wing, and 4 messages that open"), "\(text)")
    #expect(try HarkProgram.run("dissectors", "check", written).code == 0)
    let timeline = try HarkProgram.run(
      "timeline", capture, "--keys", keys, "--dissectors", written, "-f", "json"
    ).text
    #expect(
      timeline.split(separator: "\n").count { $0.contains("\"plaintext") } == 4, "\(timeline)")
    // Without the key, nothing shows how they are put together.
    #expect(
      try !HarkProgram.run("dissectors", "guess", capture).text.contains("leads through the whole"))
  }

  /// SDUs of an L2CAP channel on a link of which the capture shows nothing else.
  @Test(arguments: [Form.binary, .cbor]) func opensOnChannel(_ form: Form) throws {
    let folder = try TestFolder()
    let capture = try AttributeValues.capture(
      Self.values(form), named: form.rawValue, cids: (0x40, 0x41), in: folder)
    let written = folder.path("found")
    let text = try HarkProgram.run(
      "dissectors", "guess", capture, "--keys", Self.keys, "--write", written
    ).text
    for plaintext in Self.texts { #expect(text.contains(plaintext), "\(text)") }
    let timeline = try HarkProgram.run(
      "timeline", capture, "--keys", Self.keys, "--dissectors", written, "-f", "json"
    ).text
    #expect(
      timeline.split(separator: "\n").count { $0.contains("\"plaintext") }
        == (form == .binary ? 4 : 8), "\(timeline)")
    let hints = try HarkProgram.run("timeline", capture).text
    #expect(hints.contains(" holds a public key of P-256"), "\(hints)")
  }

  /// A public key of X-Wing takes several values; ciphertext, text and samples of the same size are no part of one.
  @Test func hintsAtXWing() throws {
    let folder = try TestFolder()
    let shown = try HarkProgram.run(
      "keys", "list", Project.capture("lens-session/accessory.harkkeys"), "-f", "json"
    ).text
    let key = try #require(
      shown.split(separator: "\"").first { $0.count == 2432 && $0.allSatisfy(\.isHexDigit) })
    var values = stride(from: 0, to: 1216, by: 180).map {
      begin -> (isReceived: Bool, bytes: [UInt8]) in
      (true, [UInt8(begin / 180), 7] + Self.hex(String(key))[begin..<min(1216, begin + 180)])
    }
    func hints(_ name: String) throws -> Int {
      try HarkProgram.run(
        "timeline", try AttributeValues.capture(values, named: name, in: folder)
      ).text.split(separator: "\n").count {
        $0.contains("holds a public key of X-Wing (1216 bytes)")
      }
    }
    #expect(try hints("key") == 1)
    let digits = Data(Self.hex(String(key))).base64EncodedString()
    let json = Array(#"{"t": "pk", "k": "\#(digits)"}"#.utf8)
    values = []
    for begin in stride(from: 0, to: json.count, by: 179) {
      let flags: UInt8 = begin == 0 ? 0xC0 : 0x40
      values.append((true, [flags] + json[begin..<min(json.count, begin + 179)]))
    }
    #expect(try hints("base64") == 1)
    values = XWingVectors.sealed.map { (true, Self.hex($0 + $0 + $0)) }
    for sealed in XWingVectors.sealed {
      let digits = Data(Self.hex(sealed + sealed)).base64EncodedString()
      values.append((true, Array(digits.utf8)))
    }
    let text = String(repeating: "The quick brown fox jumps. 0123456789 ", count: 6)
    values.append((true, Array(text.utf8)))
    values.append((true, (0..<220).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    values.append((true, [UInt8](repeating: 0, count: 220)))
    #expect(try hints("none") == 0)
  }

  /// Attributes that only their values show to be Pebble's are described, too: they may be another vendor's.
  @Test func inferred() throws {
    let folder = try TestFolder()
    let identifier = Array(Self.identifier.utf8)
    let values: [(isReceived: Bool, bytes: [UInt8])] =
      [(true, [1] + Self.publicKey), (false, [2] + Self.encapsulated + [36] + identifier)]
      + (0..<4).map { (false, [3, 3, UInt8($0), 1, 2, 3]) }
    let capture = try AttributeValues.capture(values, named: "pebble", in: folder)
    let text = try HarkProgram.run("dissectors", "guess", capture).text
    #expect(
      text.contains("  Inferred to be Pebble Accessory Transport TX, by its values"), "\(text)")
    #expect(text.contains("GATT handle 0x0033: 5 writes without response"), "\(text)")
    let timeline = try HarkProgram.run("timeline", capture).text
    #expect(timeline.contains("key generation 1 begins"), "\(timeline)")
    #expect(!timeline.contains("which no profile describes"))
    // A public key in Pebble's form alone is anybody's.
    let alone = try AttributeValues.capture([values[0]], named: "alone", in: folder)
    let other = try HarkProgram.run("timeline", alone).text
    #expect(!other.contains("is inferred to be"))
    #expect(other.contains("attribute 0x0031 holds a public key of P-256 (64 bytes)"), "\(other)")
  }

  /// One handle on two devices: each is described by itself, and the profile is of the first.
  @Test func twoDevices() throws {
    let folder = try TestFolder()
    let values = (0..<40).map { number -> (isReceived: Bool, bytes: [UInt8]) in
      // Even values are of link 0x0040, and have 4 bytes; odd ones have 9.
      (
        true,
        [UInt8](
          repeating: number.isMultiple(of: 2) ? 0xA5 : 0x5A, count: number.isMultiple(of: 2) ? 4 : 9
        )
      )
    }
    let capture = try AttributeValues.capture(
      values, named: "two", links: [0x40, 0x41], in: folder)
    let written = folder.path("found")
    let text = try HarkProgram.run("dissectors", "guess", capture, "--write", written).text
    #expect(
      text.contains(
        "GATT handle 0x0031 of link number 1: 20 notifications, 4 bytes, first byte constant (0xa5)"
      ), "\(text)")
    #expect(
      text.contains(
        "GATT handle 0x0031 of link number 2: 20 notifications, 9 bytes, first byte constant (0x5a)"
      ))
    #expect(try HarkProgram.run("dissectors", "check", written).code == 0)
    let profile = try String(contentsOfFile: written + "/profile.yaml", encoding: .utf8)
    #expect(
      profile.contains("GATT handle 0x0031 means something else on link number 2"), "\(profile)")
  }

  /// Other traffic, shorter than what is sealed, on another link's handles: texts, random bytes, and a few of each of
  /// many places. On the key's own handle, acknowledgments of 30 bytes.
  @Test(arguments: [Form.binary, .json], [1, 9] as [UInt8])
  func opensBesideOtherTraffic(_ form: Form, _ links: UInt8) throws {
    let folder = try TestFolder()
    var (values, used): ([(isReceived: Bool, bytes: [UInt8])], [UInt8]) = ([], [])
    var random = SystemRandomNumberGenerator()
    for value in try Self.values(form) {
      values.append(value)
      used.append(0x40)
      for link in 1...links {
        for number in 0..<8 {
          let text = Array(#"{"x":\#(number),"y":"abcabcabcabcabcabcabcabc"}"#.utf8)
          let bytes = (0..<40).map { _ in random.next() as UInt8 }
          values.append((number.isMultiple(of: 2), link > 1 ? bytes : text))
          used.append(0x40 + link)
        }
      }
      if form == .binary {
        let acknowledgment = [0xA7, 0x20] + [UInt8](repeating: 1, count: 28)
        values += [(false, acknowledgment), (false, acknowledgment)]
        used += [0x40, 0x40]
      }
    }
    let capture = try AttributeValues.capture(values, named: "beside", links: used, in: folder)
    let text = try HarkProgram.run("dissectors", "guess", capture, "--keys", Self.keys).text
    for plaintext in Self.texts { #expect(text.contains(plaintext), "\(text)") }
  }

  /// Without the key, and with another's, nothing opens, and it says so.
  @Test func otherKey() throws {
    let folder = try TestFolder()
    let capture = try Self.capture(.binary, in: folder)
    let other = Project.capture("lens-session/accessory.harkkeys")
    let searched =
      "Searched 2 channels for a key exchange with 1 private key: no key decrypts anything"
    for keys in [[], ["--keys", other]] {
      let guess = ["dissectors", "guess", capture] + keys
      let (text, _, _) = try OtherProgram.run(HarkProgram.url.path, guess)
      #expect(!text.contains("Found by search"))
      #expect(text.contains("\n\n\(searched)\n") == !keys.isEmpty, "\(text)")
      let json = try OtherProgram.run(HarkProgram.url.path, guess + ["--format", "json"]).text
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(object["search"] as? [String] == (keys.isEmpty ? nil : [searched]))
      #expect(object["plaintexts"] == nil)
    }
  }

  /// A key file without private keys of accessories leaves nothing to search with.
  @Test func noPrivateKey() throws {
    let folder = try TestFolder()
    let capture = try Self.capture(.binary, in: folder)
    let keys = folder.path("none.harkkeys")
    try #"{"format":"hark-keys","version":1,"accessoryKeys":[]}"#.write(
      toFile: keys, atomically: true, encoding: .utf8)
    let text = try HarkProgram.run("dissectors", "guess", capture, "--keys", keys).text
    #expect(
      text.contains("Not searched for a key exchange: no private key of an accessory is known"))
  }
}
