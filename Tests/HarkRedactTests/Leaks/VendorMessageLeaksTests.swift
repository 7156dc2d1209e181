import HarkCapture
import HarkCore
import HarkLayout
import HarkProfile
import HarkSession
import Testing

@testable import HarkRedact

/// Texts that a profile finds in messages over a characteristic, in forms that are not those of the text itself. `share`
/// keeps undecoded bytes, but none of a text that the timeline shows.
@Suite struct VendorMessageLeaksTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let encoding: String
    let title: String
    let message: [UInt8]
    /// None of them stays.
    let secrets: [String]

    init(
      _ name: String, encoding: String = "json", title: String = "title", _ message: [UInt8],
      _ secrets: String...
    ) {
      (testDescription, self.encoding, self.title) = (name, encoding, title)
      (self.message, self.secrets) = (message, secrets)
    }
  }

  private struct Files: LayoutFiles {
    let profile: String

    func bytes(at path: String) -> [UInt8]? { text(at: path).map { Array($0.utf8) } }
    func text(at path: String) -> String? { path == "profile.yaml" ? profile : nil }
  }

  private static func framings(_ channel: String) throws -> VendorFramings {
    let text = """
      profile:
        id: acme
        name: Acme
      channels:
        - gatt-characteristic: A1B20002-7A54-4E0B-8E21-6F0A5B4C9D12
      """
    let lines = channel.split(separator: "\n").map { "    \($0)\n" }.joined()
    let profile = try Profile.load("profile.yaml", from: Files(profile: text + "\n" + lines))
    return VendorFramings([profile.framing])
  }

  /// A capture in which a phone finds the characteristic and writes to it.
  private static func capture(_ messages: [[UInt8]]) -> CaptureBytes {
    var capture = MadeCapture()
    // Core Specification, Vol 4, Part E, 7.7.65.1
    capture.event(0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
    // Vol 3, Part F, 3.4.2 and 3.4.4.1
    capture.l2cap(4, [2, 0, 2], isReceived: false)
    capture.l2cap(4, [3, 0, 2])
    capture.l2cap(4, [8, 1, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
    let uuid = Hex.bytes("A1B200027A544E0B8E216F0A5B4C9D12") ?? []
    capture.l2cap(4, [9, 21, 0x11, 0, 0x0C, 0x12, 0] + uuid.reversed())
    for message in messages { capture.l2cap(4, [0x52, 0x12, 0] + message, isReceived: false) }
    return CaptureBytes(capture.bytes, name: "made.btsnoop")
  }

  private static func redact(
    _ channel: String, _ messages: [[UInt8]]
  ) throws -> Redaction.Redacted {
    let framings = try framings(channel)
    return try Redaction(level: .share, map: RedactionMap(), framings: framings)
      .redact(capture(messages))
  }

  /// The sequences of six letters, from which a text can be recognized.
  private static func parts(_ text: String) -> [[UInt8]] {
    let bytes = Array(text.utf8)
    return (0...max(0, bytes.count - 6)).map { Array(bytes[$0..<min($0 + 6, bytes.count)]) }
  }

  private static let name = "Quasimodo street"

  /// RFC 4648, 4
  private static func base64(_ bytes: [UInt8]) -> String {
    let text = String(decoding: Base64.characters(bytes, isURL: false), as: UTF8.self)
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  private static let cases: [Case] = {
    var cases = [
      Case("plain", json(#"{"title":"Quasimodo street"}"#), name),
      Case("broken off", json(#"{"title":"Quasimodo street"#), name),
      Case("like an address", json(#"{"title":"A4:83:E7:12:9B:5E"}"#), "A4:83:E7:12:9B:5E"),
    ]
    // RFC 8949, 3.2.3: a text of four chunks, of indefinite length.
    let chunks = "A1 65 7469746C65 7F 64 51756173 64 696D6F64 64 6F207374 64 72656574 FF"
    let cbor: [UInt8] = Hex.bytes(chunks.filter { $0 != " " }) ?? []
    cases.append(Case("chunks of CBOR", encoding: "cbor", cbor, "Quas", "imod", "reet"))
    let members = json(#"{"a":"Quasimodo","b":" street"}"#)
    cases.append(Case("two members", title: "a + b", members, "Quasimodo", " street"))
    let inner = json(#"{"x":"{\"title\":\"Quasi\\\"modo street\"}"}"#)
    cases.append(Case("JSON in JSON", title: "x.json.title", inner, "modo street"))
    // RFC 8259, 7: any character may be escaped.
    let escaped = json(#"{"title":"\u0051uasimodo street"}"#)
    cases.append(Case("escaped letter", escaped, "uasimodo street"))
    let text = base64(propertyList)
    let list = json(#"{"x":""# + text + #""}"#)
    let part = String(text.dropFirst(24).prefix(24))
    cases.append(Case("UTF-16 in Base64", title: "x.base64.plist.title", list, part))
    return cases
  }()

  private static func json(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// `{title: "Quäsimodo"}`: objects at 8, 11 and 17; the second is in UTF-16.
  private static let propertyList: [UInt8] = {
    var list = Array("bplist00".utf8)
    list += [0xD1, 1, 2, 0x55]
    list += Array("title".utf8)
    list.append(0x69)
    for unit in "Quäsimodo".utf16 { list += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    let table = UInt8(list.count)
    list += [8, 11, 17]
    // The sizes of offsets and references, and in 8 bytes each the number of objects, the first one, and the table.
    list += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [3, 0, table] { list += [0, 0, 0, 0, 0, 0, 0, number] }
    return list
  }()

  @Test(arguments: cases)
  func textsInAnyEncoding(_ one: Case) throws {
    let channel = """
      encoding: \(one.encoding)
      messages:
        - is: notification.add
          title: \(one.title)
      """
    let redacted = try Self.redact(channel, [one.message])
    for secret in one.secrets {
      for part in Self.parts(secret) { #expect(!redacted.bytes.holds(part), "\(secret)") }
    }
  }

  /// What the timeline shows of any kind of message goes, and names of programs stay.
  @Test func textsOfAllKinds() throws {
    let channel = """
      encoding: json
      messages:
        - when: t == "n"
          is: notification.add
          notification-identifier: id
          source-identifier: sid
          thread-identifier: th
          alert-kind: ak
          actions:
            each: acts
            identifier: id
            title: title
            text-input: input
            placeholder: ph
        - when: t == "cr"
          is: command-result
          command-id: id
          success: ok
          message: m
        - when: t == "app"
          is: application
          identifier: id
          display-name: dn
        - when: t == "e"
          is: accessory.error
          error: e
      """
    let messages = [
      #"{"t":"n","id":"tel:+4915155566677/3","sid":"com.acme.chat","th":"iMessage;-;+4915155566677"}"#,
      #"{"t":"n","id":"0F2A11B0-9C5E-4C6B-8B0E-6D2F4A1C7E55","ak":"notification","#
        + #""acts":[{"id":"call-vonBergUlf","title":"Call Ulf von Berg","input":true,"ph":"Dear Ulfbert"}]}"#,
      #"{"t":"cr","id":"c1","ok":false,"m":"no contact Jonas Quasimodo"}"#,
      #"{"t":"app","id":"com.acme.notes","dn":"Quasimodo Notes"}"#,
      #"{"t":"e","e":"lost-Quasimodo"}"#,
    ]
    let redacted = try Self.redact(channel, messages.map { Array($0.utf8) })
    for secret in [
      "49151555", "155566677", "vonBergUlf", "Call Ulf", "Dear Ulf", "Jonas", "Quasimodo",
    ] {
      #expect(!redacted.bytes.holds(Array(secret.utf8)), "\(secret)")
    }
    for kept in [
      "com.acme.chat", "com.acme.notes", "0F2A11B0-9C5E-4C6B-8B0E-6D2F4A1C7E55", #""notification""#,
    ] {
      #expect(redacted.bytes.holds(Array(kept.utf8)), "\(kept)")
    }
  }

  /// Names that the profile makes of numbers are in no message: messages of their kind stay.
  @Test func countedNames() throws {
    let channel = """
      encoding: json
      messages:
        - is: notification.add
          notification-identifier: '"message-" + n.to_s'
          body: b
      """
    let redacted = try Self.redact(channel, [Array(#"{"b":"Quasimodo","n":123456}"#.utf8)])
    #expect(!redacted.bytes.holds(Array("Quasim".utf8)))
    #expect(redacted.bytes.holds(Array(#","n":123456}"#.utf8)))
  }

  /// A text that the profile states itself is in no message: messages of its kind stay.
  @Test func statedTexts() throws {
    let channel = """
      encoding: json
      messages:
        - is: notification.add
          title: '"Gargoyle alarm"'
          body: b
      """
    let redacted = try Self.redact(channel, [Array(#"{"b":"Quasimodo","level":42}"#.utf8)])
    #expect(!redacted.bytes.holds(Array("Quasim".utf8)))
    #expect(redacted.bytes.holds(Array(#","level":42}"#.utf8)))
  }

  /// A channel that carries passwords keeps nothing that no key or encrypted message explains.
  @Test func passwords() throws {
    let channel = """
      encoding: json
      secret: true
      messages:
        - is: wifi.network
          ssid: ssid
          password: pw
      """
    let redacted = try Self.redact(
      channel, [Array(#"{"ssid":"HomeNet_Zqx","pw":"correct horse battery 99"}"#.utf8)])
    for secret in ["HomeNe", "correc", "horse ", "battery"] {
      #expect(!redacted.bytes.holds(Array(secret.utf8)), "\(secret)")
    }
  }

  /// A private key whose Base64 has 14 slashes: hardly any other key has as many. Where each takes a backslash, no other
  /// key fits in the message, of which nothing stays; elsewhere, another key takes its place.
  @Test(arguments: ["base64", "base64 with escaped slashes", "hex"])
  func privateKeys(_ spelling: String) throws {
    let isEscaped = spelling.hasSuffix("slashes")
    let channel = """
      encoding: json
      messages:
        - is: security.private-key
          cipher-suite: P256
          key: k.\(spelling.prefix { $0 != " " })
      """
    let key =
      Hex.bytes("03ffbf3fefff" + "fffbfffffbfffffbff" + "0fbefe3fff5a5b5c5d5e5f606162636465") ?? []
    #expect(key.count == 32)
    var text = spelling == "hex" ? Hex.text(key) : Self.base64(key)
    #expect(spelling == "hex" || text.count { $0 == "/" } == 14)
    if isEscaped {
      text = text.split(separator: "/", omittingEmptySubsequences: false).joined(separator: #"\/"#)
    }
    let redacted = try Self.redact(channel, [Array(#"{"k":"\#(text)"}"#.utf8)])
    #expect(!redacted.bytes.holds(Array(text.utf8.dropFirst(8).prefix(16))))
    #expect(!redacted.bytes.holds(Array(text.utf8.suffix(16))))
    #expect(redacted.bytes.holds(Array(#"{"k":""#.utf8)) == !isEscaped)
    #expect(!redacted.list.newFindings.contains("transport.unreadable"))
  }
}
