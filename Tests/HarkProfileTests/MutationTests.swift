import HarkCore
import HarkCrypto
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkProfile

/// Damaged profiles and damaged values: nothing traps, and all ends.
struct MutationTests {
  private static let pieces = [
    "when: kind", "is: fragment", "is: envelope", "is: nothing", "is: transport.message", "body: _",
    "first: true", "more: true", "data: _", "session-id: '\"s\"'", "encoding: raw",
    "encoding: json", "encoding: cbor", "assembly: cobs", "assembly: slip", "partial: true",
    "messages:", "- is: nothing", "key: _", "_root", "_", ".first", ".last", ".size", ".hex",
    ".base64", ".json", ".cbor", ".uuid", ".reverse", ".to_s", ".exists", ".default(1)",
    ".slice(0, 99999999999)", "[-1]", "[9999999999999999999]", " + ", " * 9223372036854775807",
    " << 64", " / 0", " % 0", "::", "'", "\"", "{}", "[]", "null", "&a", "*a", "  ", "\n",
  ]

  private static let profiles: [(text: String, channels: [VendorChannel])] = [
    (
      """
      profile:
        id: streams
      channels:
        - l2cap-psm: 0x81
          assembly:
            length:
              header: 3
              total: _[1] * 256 + _[2]
          encoding: json
          messages:
            - when: key.exists
              is: security.public-key
              key: key.base64
              suite: suite
            - when: part.exists
              is: fragment
              key: id
              first: part == 0
              more: more.default(false)
              body: body.hex
              encoding: cbor
              messages:
                - is: accepted
                  id: _.first
            - is: notification.add
              notification-identifier: id
              title: title.non_empty
              actions:
                each: actions
                identifier: identifier
        - rfcomm-channel: 4
          assembly:
            sentinels:
              start: [0x3c]
              end: [0x3e]
          encoding: raw
          messages:
            - is: transport.message
              session-id: '"s"'
              data: _.slice(1, _.size)
      plaintext:
        - encoding: cbor
          messages:
            - is: envelope
              body: _[0]
              encoding: json
              messages:
                - is: notification.remove
                  notification-identifier: id
      """, [.psm(0x81), .serverChannel(4)]
    ),
    (
      BundledFiles().text(at: "pebble/profile.yaml") ?? "",
      [1, 2].map {
        .characteristic(
          BluetoothUUID(high: 0x5000_0000_328E_0FBB | $0 << 32, low: 0xC642_1AA6_699B_DADA))
      }
    ),
  ]

  private static let values: [[UInt8]] = [
    [0x7B, 0, 43] + Array("{\"part\":0,\"more\":true,\"body\":\"81\",\"id\":1}".utf8),
    [0x7B, 0, 33] + Array("{\"key\":\"AAAA\",\"suite\":\"P256\"}  ".utf8), [0x3C], [0x3E],
    [1] + [UInt8](repeating: 7, count: 64), [2, 4] + [UInt8](repeating: 9, count: 70),
    [3, 3, 1, 0x61] + [UInt8](repeating: 5, count: 40), [3, 0, 1, 2, 3],
    Array("{\"id\":\"a\",\"title\":\"b\",\"actions\":[{\"identifier\":\"c\"}]}".utf8),
  ]

  @Test func damagedProfilesAndValues() {
    var random = Random(state: DailyPart.seed(11))
    var loaded = 0
    for round in 0..<DailyPart.rounds(400, of: 1_500) {
      let (text, channels) = Self.profiles[round % Self.profiles.count]
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) { Self.mutate(&bytes, &random) }
      var files = MadeFiles(texts: ["profile.yaml": String(decoding: bytes, as: UTF8.self)])
      files.texts["pebble.ksy"] = BundledFiles().text(at: "pebble/pebble.ksy")
      guard let profile = try? Profile.load("profile.yaml", from: files) else { continue }
      loaded += 1
      Self.feed(profile.framing, channels, &random)
    }
    #expect(loaded > DailyPart.rounds(80, of: 300))
  }

  private static func feed(
    _ framing: any VendorFraming, _ channels: [VendorChannel], _ random: inout Random
  ) {
    var channel = AccessoryChannel(framing)
    var keys = KeyRing()
    for number in 1...UInt32(12) {
      let value = VendorValue(
        frames: [PacketID(number)], time: Timestamp(microseconds: Int64(number)),
        channel: channels.randomElement(using: &random) ?? .psm(0x81), toServer: number % 3 > 0,
        operation: number % 2 == 0 ? .write : .notification,
        bytes: random.mutate(values.randomElement(using: &random) ?? []))
      for event in channel.receive(value, keys: &keys) {
        #expect(!event.frames.isEmpty, "\(DailyPart.note)")
      }
    }
    for event in channel.linkClosed(keys: &keys) {
      #expect(!event.frames.isEmpty, "\(DailyPart.note)")
    }
    for direction in MessageDirection.allCases {
      let plaintext = random.mutate(values.randomElement(using: &random) ?? [])
      let decoded = framing.decode(plaintext: plaintext, direction: direction)
      #expect(
        decoded.fields.allSatisfy { $0.range.upperBound <= plaintext.count }, "\(DailyPart.note)")
    }
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout Random) {
    let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
    guard place < bytes.count else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = .random(in: 0x20...0x7E, using: &random)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 20))
    case 2, 3:
      bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
    case 4:
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      guard let line = lines.randomElement(using: &random) else { return }
      bytes.insert(contentsOf: [0x0A] + line + [0x0A], at: place)
    default:
      // The value of a member becomes another.
      guard let colon = bytes[place...].firstIndex(of: 0x3A) else { return }
      let end = bytes[colon...].firstIndex(of: 0x0A) ?? bytes.endIndex
      bytes.replaceSubrange(
        (colon + 1)..<end, with: Array(" _\(pieces.randomElement(using: &random) ?? "")".utf8))
    }
  }
}
